// What a simple command may run, for deny rules: looks through assignments, paths, wrappers such as
// `env` and `xargs`, and nested shells. Errs on the side of naming too much.
import type { ShellPart, ShellWord, SimpleCommand } from './parse.ts'
import { parseShell } from './parse.ts'

/** Programs that run the command in their arguments. */
const wrappers = new Set(
  'env command builtin exec nohup time nice ionice setsid stdbuf timeout sudo doas xargs busybox find watch flock strace unbuffer chroot'.split(
    ' ',
  ),
)
const shells = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash'])
const assignment = /^[A-Za-z_]\w*(\[[^\]]*\])?\+?=/

const folderChangers = /^(cd|pushd|popd|chdir|eval|source|\.|builtin|command)$/

/** The words of the command as one text, without quotes. */
export function commandText({ words }: SimpleCommand): string {
  return joined(words)
}

/** Without the assignments before the command; empty for assignments alone. */
function withoutAssignments(words: readonly ShellWord[]): readonly ShellWord[] {
  const first = words.findIndex(({ raw }) => !assignment.test(raw))
  return first === -1 ? [] : words.slice(first)
}

/** False if an expansion or a glob decides which program runs. */
export function isCommandKnown({ words }: SimpleCommand): boolean {
  const [first] = withoutAssignments(words)
  return first === undefined || (first.isKnown && !first.hasGlob)
}

/** Whether the command may change the working folder of the commands after it. */
export function changesFolder(command: SimpleCommand): boolean {
  const [first] = withoutAssignments(command.words)
  if (first === undefined) return false
  return !isCommandKnown(command) || folderChangers.test(baseName(first.value))
}

/** Every text under which a deny rule may know the command. */
export function deniableTexts({ words }: SimpleCommand): string[] {
  const plain = withoutAssignments(words)
  const suffixes = [words, plain]
  const [first] = plain
  if (first !== undefined && wrappers.has(baseName(first.value))) {
    for (let start = 1; start < plain.length; start++) suffixes.push(plain.slice(start))
  }
  const texts = suffixes.flatMap((suffix) => {
    const [head, ...rest] = suffix
    if (head === undefined) return []
    return [joined(suffix), [baseName(head.value), ...rest.map(({ value }) => value)].join(' ')]
  })
  return [...new Set([...texts, words.map(({ raw }) => raw).join(' ')])]
}

/**
 * The parts of the command line that a nested shell or `eval` runs; empty for other commands, undefined
 * if it cannot be parsed.
 */
export function nestedParts({ words }: SimpleCommand): ShellPart[] | undefined {
  const plain = withoutAssignments(words)
  const at = plain.findIndex(({ value }) => shells.has(baseName(value)) || value === 'eval')
  const [head, ...rest] = at === -1 ? [] : plain.slice(at)
  if (head === undefined || (at > 0 && !wrappers.has(baseName(plain[0]?.value ?? '')))) return []
  if (head.value === 'eval') return parseKnown(rest, joined(rest))
  const flag = rest.findIndex(({ value }) => /^-[a-zA-Z]*c[a-zA-Z]*$/.test(value))
  const script = flag === -1 ? undefined : rest[flag + 1]
  return script === undefined ? [] : parseKnown([script], script.value)
}

function parseKnown(words: readonly ShellWord[], text: string): ShellPart[] | undefined {
  return words.every(({ isKnown }) => isKnown) ? parseShell(text) : undefined
}

function joined(words: readonly ShellWord[]): string {
  return words.map(({ value }) => value).join(' ')
}

function baseName(command: string): string {
  return command.slice(command.lastIndexOf('/') + 1)
}
