// Decides whether a shell command may change files. Only plain calls of programs that only read count as
// reading; everything else may write.

const readers = new Set(
  (
    'ls pwd cat head tail wc stat file du df date uname whoami id hostname which type grep egrep fgrep ' +
    'rg nl cut tr cmp diff basename dirname realpath readlink printenv true false echo printf seq test [ sleep'
  ).split(' '),
)
const gitReaders = new Set([
  'status',
  'log',
  'show',
  'diff',
  'rev-parse',
  'ls-files',
  'blame',
  'describe',
])

export function mayWrite(command: string): boolean {
  // Redirections, substitutions, expansions of programs and several commands.
  if (/[<>;&|`$(){}\n\\=]/.test(command)) return true
  const [program = '', argument = '', ...rest] = command.trim().split(/\s+/)
  if (program === 'git')
    return !gitReaders.has(argument) || rest.some((each) => each.startsWith('--output'))
  return !readers.has(program)
}
