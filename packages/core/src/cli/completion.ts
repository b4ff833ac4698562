// Generates completion scripts for bash, zsh and fish. A script contains the entire command tree, so Tab
// starts no program.
import { usageError } from '../errors/errors.ts'
import type { ArgumentSpec, Command, OptionSpec, Program } from './tree.ts'
import { flagNames, takesValue } from './tree.ts'
import { everyCommand } from './walk.ts'

/** A command in the tree and the words that may follow it. */
interface CompletionPoint {
  path: string
  commands: readonly Command[]
  options: readonly Flag[]
  argument: ArgumentSpec | undefined
}

interface Flag {
  names: readonly string[]
  spec: OptionSpec
}

export function completionScript(tree: Program, shell: string): string {
  const write = scripts.get(shell)
  if (write === undefined) throw usageError(`no completions for '${shell}' (bash, zsh, fish)`)
  return write(tree.name, completionPoints(tree))
}

const scripts: ReadonlyMap<string, (name: string, points: readonly CompletionPoint[]) => string> =
  new Map([
    ['bash', bashScript],
    ['zsh', zshScript],
    ['fish', fishScript],
  ])

function completionPoints(tree: Program): CompletionPoint[] {
  const globals = flagsOf(tree)
  return [...everyCommand(tree)].map(({ command, path }) => ({
    path: path.join(' '),
    commands: command.commands.filter((sub) => sub.hidden !== true),
    options: [...(path.length === 0 ? [] : flagsOf(command)), ...globals, helpFlag],
    argument: command.arguments[0],
  }))
}

const helpFlag: Flag = {
  names: ['-h', '--help'],
  spec: { flags: '-h, --help', summary: 'print help' },
}

function flagsOf(command: Command): Flag[] {
  return Object.values(command.options)
    .filter((spec) => spec.hidden !== true)
    .map((spec) => ({ names: flagNames(spec), spec }))
}

/** The bash command that lists the values of a flag: choices, folders or files. */
function bashValues(source: { choices?: readonly string[]; complete?: 'file' | 'folder' }): string {
  if (source.choices !== undefined) return `compgen -W ${quote(source.choices.join(' '))} -- "$cur"`
  if (source.complete === 'folder') return 'compgen -d -- "$cur"'
  return source.complete === 'file' ? 'compgen -f -- "$cur"' : ':'
}

function bashScript(name: string, points: readonly CompletionPoint[]): string {
  const cases = points.map((point) => {
    const values = point.options
      .filter(({ spec }) => takesValue(spec))
      .map((flag) => `        ${flag.names.join('|')}) ${reply(bashValues(flag.spec))}; return ;;`)
    const words = point.options.flatMap((flag) => flag.names)
    const names = point.commands.map((command) => command.name)
    const rest =
      names.length > 0
        ? `compgen -W ${quote(names.join(' '))} -- "$cur"`
        : point.argument === undefined
          ? ':'
          : bashValues(point.argument)
    return [
      `    ${quote(point.path)})`,
      ...(values.length > 0 ? ['      case "$prev" in', ...values, '      esac'] : []),
      `      if [[ "$cur" == -* ]]; then ${reply(`compgen -W ${quote(words.join(' '))} -- "$cur"`)}`,
      `      else ${reply(rest)}; fi ;;`,
    ].join('\n')
  })
  return `# bash completion for ${name}
_${name}_complete() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" place="" word i
${pathLoop(points, 'i = 1; i < COMP_CWORD', '${COMP_WORDS[i]}')}
  case "$place" in
${cases.join('\n')}
  esac
}
complete -F _${name}_complete ${name}
`
}

/** A shell loop over the words before the cursor that sets `place` to the path of their command. */
function pathLoop(points: readonly CompletionPoint[], range: string, word: string): string {
  const step = (from: string, to: string) =>
    `      ${quote(`${from}|${to.split(' ').at(-1)}`)}) place=${quote(to)} ;;`
  return `  for ((${range}; i++)); do
    word="${word}"
    case "$place|$word" in
${childCases(points, step)}
    esac
  done`
}

function reply(command: string): string {
  return command === ':' ? 'COMPREPLY=()' : `mapfile -t COMPREPLY < <(${command})`
}

/** One line for each pair of a command and its subcommand. */
function childCases(
  points: readonly CompletionPoint[],
  line: (from: string, to: string) => string,
): string {
  return points
    .flatMap((point) =>
      point.commands.map((command) => line(point.path, `${point.path} ${command.name}`.trim())),
    )
    .join('\n')
}

function zshScript(name: string, points: readonly CompletionPoint[]): string {
  const cases = points.map((point) => {
    const options = point.options.flatMap((flag) =>
      flag.names.map((word) => `      ${quote(zshOption(word, flag))}`),
    )
    const commands = point.commands.map((command) =>
      quote(`${command.name}:${command.summary.replaceAll(':', '\\:')}`),
    )
    const rest =
      commands.length > 0
        ? `      '*::command:{ local -a commands; commands=(${commands.join(' ').replaceAll("'", `'\\''`)}); _describe command commands }'`
        : `      ${quote(`*:argument:${zshAction(point.argument)}`)}`
    return `    ${quote(point.path)})\n      _arguments -s \\\n${[...options, rest].join(' \\\n')} ;;`
  })
  return `#compdef ${name}
# zsh completion for ${name}
_${name}() {
  local place="" word i
${pathLoop(points, 'i = 2; i < CURRENT', '${words[i]}')}
  case "$place" in
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = "_${name}" ]; then _${name} "$@"; else compdef _${name} ${name}; fi
`
}

function zshOption(word: string, flag: Flag): string {
  const summary = flag.spec.summary.replace(/[[\]:]/g, '\\$&')
  return takesValue(flag.spec)
    ? `${word}[${summary}]:value:${zshAction(flag.spec)}`
    : `${word}[${summary}]`
}

function zshAction(source: Partial<ArgumentSpec> | undefined): string {
  if (source?.choices !== undefined) return `(${source.choices.join(' ')})`
  if (source?.complete === 'folder') return '_files -/'
  return source?.complete === 'file' ? '_files' : ' '
}

function fishScript(name: string, points: readonly CompletionPoint[]): string {
  const lines = points.flatMap((point) => fishLines(name, point))
  return `# fish completion for ${name}
function __${name}_path
  set -l place ''
  for word in (commandline -opc)[2..-1]
    switch "$place|$word"
${childCases(points, (from, to) => `      case ${quote(`${from}|${to.split(' ').at(-1)}`)}; set place ${quote(to)}`)}
    end
  end
  echo $place
end
complete -c ${name} -f
${lines.join('\n')}
`
}

function fishLines(name: string, point: CompletionPoint): string[] {
  const when = `complete -c ${name} -n ${quote(`test (__${name}_path) = ${quote(point.path)}`)}`
  const commands = point.commands.map(
    (command) => `${when} -a ${quote(command.name)} -d ${quote(command.summary)}`,
  )
  const options = point.options.map((flag) => {
    const names = flag.names.map((word) =>
      word.startsWith('--') ? `-l ${quote(word.slice(2))}` : `-s ${quote(word.slice(1))}`,
    )
    return `${when} ${names.join(' ')}${fishValue(flag)} -d ${quote(flag.spec.summary)}`
  })
  const { argument } = point
  if (argument?.choices !== undefined) {
    commands.push(`${when} -a ${quote(argument.choices.join(' '))} -d ${quote(argument.summary)}`)
  } else if (argument?.complete !== undefined) {
    commands.push(`${when} -F`)
  }
  return [...commands, ...options]
}

function fishValue(flag: Flag): string {
  if (!takesValue(flag.spec)) return ''
  if (flag.spec.choices !== undefined) return ` -x -a ${quote(flag.spec.choices.join(' '))}`
  return flag.spec.complete === undefined ? ' -x' : ' -r -F'
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
