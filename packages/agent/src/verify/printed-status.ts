// The status of a command that the line itself prints: `npm test; echo "rc=$?"`, `make && echo ok || echo bad`.
import type { SimpleCommand } from './commands/commands.ts'

/** Undefined if the line prints no status of the command at `index`. */
export function printedStatus(
  parts: readonly SimpleCommand[],
  index: number,
  output: string,
): 'passed' | 'failed' | undefined {
  return printedCode(parts, index, output) ?? printedBranch(parts, index, output)
}

/** `$?` belongs to the command before, `${PIPESTATUS[0]}` to the first of a pipeline. */
function printedCode(
  parts: readonly SimpleCommand[],
  index: number,
  output: string,
): 'passed' | 'failed' | undefined {
  let last = index
  while (parts[last]?.operator === '|') last++
  const isPiped = last > index
  const next = parts[last + 1]
  if (next === undefined || !isEcho(next)) return undefined
  const text = next.words
    .slice(1)
    .filter((word) => word !== '-e' && word !== '-n')
    .join(' ')
  const variable = isPiped ? pipeStatus : anyStatus
  if (!variable.test(text)) return undefined
  const [before = '', ...after] = text.split(variable)
  const pattern = [escaped(before), '(\\d+)', escaped(after.join(''))].join('')
  const code = [...output.matchAll(new RegExp(`^${pattern}\\s*$`, 'gm'))].at(-1)?.[1]
  return code === undefined ? undefined : Number(code) === 0 ? 'passed' : 'failed'
}

const pipeStatus = /\$\{(?:PIPESTATUS|pipestatus)\[[01]\]\}/
const anyStatus = /\$\?|\$\{\?\}|\$\{(?:PIPESTATUS|pipestatus)\[[01]\]\}/

function escaped(text: string): string {
  return text.replace(/\\n$/, '').replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')
}

/** `make && echo ok || echo bad`: the word that was printed tells the branch. */
function printedBranch(
  parts: readonly SimpleCommand[],
  index: number,
  output: string,
): 'passed' | 'failed' | undefined {
  const [run, good, bad] = parts.slice(index, index + 3)
  const isBad = run?.operator === '||' && good !== undefined && isEcho(good)
  const isGood = run?.operator === '&&' && good !== undefined && isEcho(good)
  if (isBad && isPrinted(good, output)) return 'failed'
  if (!isGood) return undefined
  if (isPrinted(good, output)) return 'passed'
  const isElse = good.operator === '||' && bad !== undefined && isEcho(bad)
  return isElse && isPrinted(bad, output) ? 'failed' : undefined
}

function isEcho({ words }: SimpleCommand): boolean {
  return words[0] === 'echo' || words[0] === 'printf'
}

function isPrinted({ words }: SimpleCommand, output: string): boolean {
  const text = words.slice(1).join(' ').replace(/\\n$/, '').trim()
  return text !== '' && output.split('\n').some((line) => line.trim() === text)
}
