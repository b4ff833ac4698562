// What the words of a command line say: its kind, whether it runs a part of the tests, and whether it may
// change files that it does not name.
import { sourceOf } from '../wording/wording.ts'
import { kindOfProgram, type RunKind } from './kinds.ts'
import { manifestsOf } from './shell-changes.ts'
import { programWords, splitShell } from './shell.ts'

export type { RunKind } from './kinds.ts'
export { programWords, splitShell, type SimpleCommand } from './shell.ts'
export { isManifest, scriptChanges, shellChanges } from './shell-changes.ts'

export function kindOf(words: readonly string[]): RunKind | undefined {
  const program = programWords(words)
  return program.some((word) => doesNothing.has(word))
    ? undefined
    : kindOfProgram(program.join(' '))
}

/** Options with which a runner lists or explains, and runs nothing. */
const doesNothing = new Set([
  ...['--help', '--version', '--dry-run', '--list', '--listTests', '--list-tests', '--no-run'],
  ...['--collect-only', '--co', '--showConfig', '--show-config', '--print-config', '--init'],
])

/** The kind of a command in an answer, for example of `npm test`. */
export function kindOfLine(line: string): RunKind | undefined {
  return splitShell(line)
    .map(({ words }) => kindOf(words))
    .find((kind) => kind !== undefined)
}

/** Options that select tests by name. */
const selectingOptions: readonly string[] = [
  ...['-t', '-k', '-g', '-run', '--grep', '--filter', '--only'],
  ...['--testNamePattern', '--test-name-pattern', '--testPathPattern'],
]
const isSelectingOption = new RegExp(`^(${sourceOf(selectingOptions)})(=|$)`)
const isTestFile = /[\w-]+(\.|_|-)(test|spec)s?\.\w+|::|test_\w+\.py/

/** Words that select some tests: a file, a folder, a name. */
export function isPartialRun(words: readonly string[]): boolean {
  const [program = '', ...args] = programWords(words)
  if (/^(go|cargo)$/.test(program)) {
    const rest = args.slice(1)
    return (
      rest.some((word) => /^(-run|--test|-p|--package)$/.test(word)) ||
      rest.some((word) => !word.startsWith('-') && !word.includes('...') && word !== '.')
    )
  }
  return args.some((word, index) => {
    if (isSelectingOption.test(word)) return true
    return isTestFile.test(word) && !/[*?]/.test(word) && args[index - 1] !== '-c'
  })
}

/** Programs that only read, or that name every file they change. A command of others may have changed files. */
const harmlessPrograms = new Set([
  // Reading files.
  ...[
    'ls',
    'll',
    'cat',
    'bat',
    'head',
    'tail',
    'less',
    'more',
    'find',
    'fd',
    'tree',
    'stat',
    'file',
  ],
  ...[
    'grep',
    'egrep',
    'fgrep',
    'rg',
    'ag',
    'ack',
    'diff',
    'cmp',
    'xxd',
    'hexdump',
    'od',
    'du',
    'df',
  ],
  // Filters.
  ...['wc', 'sort', 'uniq', 'cut', 'tr', 'awk', 'gawk', 'jq', 'yq', 'nl', 'column', 'comm', 'join'],
  ...['paste', 'expr', 'seq', 'basename', 'dirname', 'realpath', 'readlink'],
  ...['md5sum', 'sha1sum', 'sha224sum', 'sha256sum', 'sha384sum', 'sha512sum'],
  // The system.
  ...['pwd', 'which', 'type', 'whoami', 'id', 'date', 'env', 'printenv', 'uname', 'ps', 'top'],
  ...['uptime', 'curl', 'ping', 'gh', 'man', 'help', 'history', 'clear', 'tput', 'kill', 'sleep'],
  // Words of the shell.
  ...['cd', 'echo', 'printf', 'true', 'false', 'test', '[', 'exit', 'set', 'export', 'source'],
  ...['wait', 'trap', 'return', 'for', 'do', 'done', 'if', 'then', 'fi', 'else', 'while', 'until'],
  ...['case', 'esac'],
  // shell-changes.ts reads the files from their arguments.
  ...['rm', 'mv', 'cp', 'touch', 'mkdir', 'rmdir', 'tee', 'ln', 'chmod', 'git', 'sed'],
])

/** Subcommands of git that change the working tree in ways that the command does not name. */
const treeChangingGit = new Set([
  ...['checkout', 'switch', 'reset', 'stash', 'pull', 'merge', 'rebase', 'cherry-pick', 'revert'],
  ...['apply', 'am', 'restore', 'clean'],
])

/** Subcommands of package managers that only read. */
const readingPackageCommands = new Set([
  ...['ls', 'list', 'outdated', 'view', 'audit', 'why', 'info', '--version', '-v'],
])

/** Programs that serve or look, and scripts that start a server. */
const startsServer =
  /^(docker|podman|kubectl|helm|psql|redis-cli|mysql|sqlite3|ssh|nc|lsof|open)( |$)|^(npm|yarn|pnpm|bun)( run)? (start|dev|serve|preview)( |$)/

/** Words in a one-line program that writes a file. */
const writingWords = /write|open\(|unlink|remove|rename|mkdir|append|fs\.|>\s|-i\b|save|dump/

/** Whether a command prints text that it was given or read: no receipt for a run. */
export function onlyPrints(words: readonly string[]): boolean {
  const program = programWords(words)
  const [name = ''] = program
  // The output of a server may be the receipt of a run there.
  if (name === 'curl' || name === 'gh') return false
  const line = program.join(' ')
  return isOneLiner.test(line)
    ? /\b(?:print|printf|console\.log|puts|echo|write)\b/.test(line) && !startsPrograms.test(line)
    : harmlessPrograms.has(name)
}

const isOneLiner = /^(node|python[\d.]*|ruby|perl|deno|bun|php) (-e|-c|-p|eval|-pe)\b/
const startsPrograms = /pytest|unittest|spawn|exec|subprocess|system|popen|run\(/i

/** Whether a command may have changed files that its words do not name. */
export function mayChangeUnnamedFiles(words: readonly string[]): boolean {
  const program = programWords(words)
  const [name = '', subcommand = ''] = program
  const line = program.join(' ')
  if (name === '' || kindOf(words) !== undefined) return /--(fix|write)\b/.test(line)
  if (name === 'git' && treeChangingGit.has(subcommand)) return true
  if (/^(npm|yarn|pnpm|bun)$/.test(name) && readingPackageCommands.has(subcommand)) return false
  if (manifestsOf(program).length > 0 || startsServer.test(line)) return false
  if (/(^| )(--version|-v|-V|--help|-h)$/.test(line)) return false
  if (isOneLiner.test(line)) return writingWords.test(line)
  return !harmlessPrograms.has(name)
}
