// Checks claims that a name has no other uses.
import type { Claim } from './claims.ts'
import type { Finding } from './finding.ts'
import { contradicted, noReceipt, ok, unknown } from './finding.ts'
import { isSamePath } from './paths.ts'
import type { Timeline } from './timeline.ts'

const searchCommand = /\b(grep|rg|ag|ack|ripgrep|git grep|findstr)\b/

/** Compares a claim that a name is not used with the last search for it. */
export function checkUses(
  { name, allows }: Extract<Claim, { kind: 'no_other_uses' }>,
  { commands, changes }: Timeline,
): Finding {
  const searches = commands.filter(({ command }) => searchCommand.test(command))
  if (name === undefined) {
    const last = searches.at(-1)
    return last === undefined ? noReceipt : unknown(last.event)
  }
  const last = searches.findLast(({ command }) => mentionsName(command, name))
  if (last === undefined) return noReceipt
  if (last.exitCode !== undefined && last.exitCode > 1)
    return contradicted(last.event, `exit ${last.exitCode}`)
  const added = changes.find(
    ({ event, text, kind }) =>
      event > last.event && kind !== 'failed' && text?.includes(name) === true,
  )
  if (added !== undefined) {
    return {
      verdict: 'stale',
      event: last.event,
      reason: `stale: ${added.path} changed after event ${last.event}`,
    }
  }
  const other = matchedFiles(last.output, name).filter(
    (file) => !changes.some(({ path }) => isSamePath(path, file)),
  )
  const isAllowed =
    other.length === 0 ||
    (other.length === 1 &&
      (allows === 'a use' ||
        (allows === 'a definition' && !isOnlyUsed(last.output, other[0] ?? '', name))))
  return isAllowed
    ? ok(last.event)
    : contradicted(last.event, `also in ${other.slice(0, 3).join(', ')}`)
}

function mentionsName(command: string, name: string): boolean {
  const plain = (text: string) => text.replace(/[\\"'\s()]/g, '')
  return plain(command).includes(plain(name)) || command.includes(name.replace(/^.*\./, ''))
}

/** Whether the printed lines of a file use the name, and none defines it. */
function isOnlyUsed(output: string, file: string, name: string): boolean {
  const word = name.replace(/^.*\./, '')
  const lines = output
    .split('\n')
    .filter((line) => line.startsWith(`${file}:`))
    .map((line) => line.slice(file.length).replace(/^:(\d+[:-])?/, ''))
    .filter((text) => text.includes(word))
  return (
    lines.length > 0 && !lines.some((text) => definesNext.test(text.slice(0, text.indexOf(word))))
  )
}

/** Words before the name in a definition. */
const definers: readonly string[] = [
  ...['function', 'def', 'fn', 'func', 'class', 'const', 'let', 'var', 'type', 'interface'],
  ...['struct', 'enum', 'trait', 'sub', 'void', 'module'],
]
const definesNext = new RegExp(String.raw`^(?!\s*import\b).*\b(?:${definers.join('|')})\b[^=(]*$`)

/** Files in lines of the form `path:line:text` or `path`. */
function matchedFiles(output: string, name: string): string[] {
  const files = output
    .slice(0, 64 * 1024)
    .split('\n')
    .flatMap((line) => {
      const found = /^([^\s:]+\.\w+):(?:\d+[:-])?/.exec(line) ?? /^([^\s:]+\.\w+)$/.exec(line)
      return found?.[1] === undefined ||
        (line.includes(':') && !line.includes(name.replace(/^.*\./, '')))
        ? []
        : [found[1]]
    })
  return [...new Set(files)]
}
