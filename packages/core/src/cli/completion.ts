// Completion scripts for bash, zsh and fish, generated from the command tree. A script knows the
// whole tree, so that pressing Tab starts no program.
import { usageError } from '../errors/errors.ts'
import type { ArgumentSpec, Command, OptionSpec, Program } from './tree.ts'
import { flagNames, takesValue } from './tree.ts'
import { everyCommand } from './walk.ts'

/** One place in the tree and what may be typed there. */
interface Place {
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
  return write(tree.name, placesOf(tree))
}

const scripts: ReadonlyMap<string, (name: string, places: readonly Place[]) => string> = new Map([
  ['bash', bashScript],
  ['zsh', zshScript],
  ['fish', fishScript],
])

function placesOf(tree: Program): Place[] {
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

/** What bash offers behind a flag: its choices, folders, or files. */
function bashValues(source: { choices?: readonly string[]; complete?: 'file' | 'folder' }): string {
  if (source.choices !== undefined) return `compgen -W ${quote(source.choices.join(' '))} -- "$cur"`
  if (source.complete === 'folder') return 'compgen -d -- "$cur"'
  return source.complete === 'file' ? 'compgen -f -- "$cur"' : ':'
}

function bashScript(name: string, places: readonly Place[]): string {
  const cases = places.map((place) => {
    const values = place.options
      .filter(({ spec }) => takesValue(spec))
      .map((flag) => `        ${flag.names.join('|')}) ${reply(bashValues(flag.spec))}; return ;;`)
    const words = place.options.flatMap((flag) => flag.names)
    const names = place.commands.map((command) => command.name)
    const rest =
      names.length > 0
        ? `compgen -W ${quote(names.join(' '))} -- "$cur"`
        : place.argument === undefined
          ? ':'
          : bashValues(place.argument)
    return [
      `    ${quote(place.path)})`,
      ...(values.length > 0 ? ['      case "$prev" in', ...values, '      esac'] : []),
      `      if [[ "$cur" == -* ]]; then ${reply(`compgen -W ${quote(words.join(' '))} -- "$cur"`)}`,
      `      else ${reply(rest)}; fi ;;`,
    ].join('\n')
  })
  return `# bash completion for ${name}
_${name}_complete() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" place="" word i
${pathLoop(places, 'i = 1; i < COMP_CWORD', '${COMP_WORDS[i]}')}
  case "$place" in
${cases.join('\n')}
  esac
}
complete -F _${name}_complete ${name}
`
}

/** Goes through the words before the cursor and notes which command they lead to. */
function pathLoop(places: readonly Place[], range: string, word: string): string {
  const step = (from: string, to: string) =>
    `      ${quote(`${from}|${to.split(' ').at(-1)}`)}) place=${quote(to)} ;;`
  return `  for ((${range}; i++)); do
    word="${word}"
    case "$place|$word" in
${childCases(places, step)}
    esac
  done`
}

function reply(command: string): string {
  return command === ':' ? 'COMPREPLY=()' : `mapfile -t COMPREPLY < <(${command})`
}

/** One line for each step from a command to one below it. */
function childCases(places: readonly Place[], line: (from: string, to: string) => string): string {
  return places
    .flatMap((place) =>
      place.commands.map((command) => line(place.path, `${place.path} ${command.name}`.trim())),
    )
    .join('\n')
}

function zshScript(name: string, places: readonly Place[]): string {
  const cases = places.map((place) => {
    const options = place.options.flatMap((flag) =>
      flag.names.map((word) => `      ${quote(zshOption(word, flag))}`),
    )
    const commands = place.commands.map((command) =>
      quote(`${command.name}:${command.summary.replaceAll(':', '\\:')}`),
    )
    const rest =
      commands.length > 0
        ? `      '*::command:{ local -a commands; commands=(${commands.join(' ').replaceAll("'", `'\\''`)}); _describe command commands }'`
        : `      ${quote(`*:argument:${zshAction(place.argument)}`)}`
    return `    ${quote(place.path)})\n      _arguments -s \\\n${[...options, rest].join(' \\\n')} ;;`
  })
  return `#compdef ${name}
# zsh completion for ${name}
_${name}() {
  local place="" word i
${pathLoop(places, 'i = 2; i < CURRENT', '${words[i]}')}
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

function fishScript(name: string, places: readonly Place[]): string {
  const lines = places.flatMap((place) => fishLines(name, place))
  return `# fish completion for ${name}
function __${name}_path
  set -l place ''
  for word in (commandline -opc)[2..-1]
    switch "$place|$word"
${childCases(places, (from, to) => `      case ${quote(`${from}|${to.split(' ').at(-1)}`)}; set place ${quote(to)}`)}
    end
  end
  echo $place
end
complete -c ${name} -f
${lines.join('\n')}
`
}

function fishLines(name: string, place: Place): string[] {
  const when = `complete -c ${name} -n ${quote(`test (__${name}_path) = ${quote(place.path)}`)}`
  const commands = place.commands.map(
    (command) => `${when} -a ${quote(command.name)} -d ${quote(command.summary)}`,
  )
  const options = place.options.map((flag) => {
    const names = flag.names.map((word) =>
      word.startsWith('--') ? `-l ${quote(word.slice(2))}` : `-s ${quote(word.slice(1))}`,
    )
    return `${when} ${names.join(' ')}${fishValue(flag)} -d ${quote(flag.spec.summary)}`
  })
  const { argument } = place
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
