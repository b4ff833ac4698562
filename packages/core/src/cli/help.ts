// Renders the help text of a command without colour and at a fixed width of 80 columns, so that the text
// rendered at build time equals the text printed at run time.
import type { ArgumentSpec, Command, CommandGroups, OptionSpec, Program } from './tree.ts'
import { flagNames, internalGroup } from './tree.ts'

const width = 80

/** A longer list of commands is divided by the groups of its parent. */
const maxUngrouped = 12

type Row = readonly [string, string]

/** The help of the last command in `chain`, which starts at the root. */
export function renderHelp(chain: readonly Command[]): string {
  const root = chain[0]
  const command = chain.at(-1)
  if (root === undefined || command === undefined) return ''
  const globals = command === root ? [] : inheritedOptions(root, command)
  const sections = [
    `${usageLine(chain)}\n\n${wrap(command.description ?? command.summary, '')}`,
    commandRows(command),
    rows('Arguments', command.arguments.map(argumentRow)),
    rows('Options', [
      ...visible(Object.values(command.options)).map(optionRow),
      ...(command === root ? [['--version', 'print the version'] as const] : []),
      ['-h, --help', 'print this text'],
    ]),
    rows('Global options', globals.map(optionRow)),
    examples(command),
  ]
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`
}

/** One list, or one list per group if there are many commands. */
function commandRows({ commands, groups = {} }: Command): string {
  const visibleCommands = commands.filter(({ hidden }) => hidden !== true)
  const entries = visibleCommands.map(commandRow)
  if (visibleCommands.length <= maxUngrouped) return rows('Commands', entries)
  const column = columnOf(entries)
  return groupsWithRest(visibleCommands, groups)
    .map(([heading, members]) => rows(heading, members.map(commandRow), column))
    .filter((section) => section !== '')
    .join('\n\n')
}

/** The groups in their order. Commands without a group come after them, internal ones last. */
function groupsWithRest(
  commands: readonly Command[],
  groups: CommandGroups,
): (readonly [string, Command[]])[] {
  const { [internalGroup]: internal = [], ...others } = groups
  const named = new Set(Object.values(groups).flat())
  const rest = commands.filter(({ name }) => !named.has(name))
  const members = (names: readonly string[]) =>
    names.flatMap((name) => commands.filter((command) => command.name === name))
  return [
    ...Object.entries(others).map(([heading, names]) => [heading, members(names)] as const),
    [Object.keys(others).length === 0 ? 'Commands' : 'Other commands', rest],
    [internalGroup, members(internal)],
  ]
}

function commandRow(command: Command): Row {
  return [[command.name, ...argumentWords(command)].join(' '), command.summary]
}

/** The options of the program without those that the command replaces by its own. */
function inheritedOptions(root: Command, command: Command): OptionSpec[] {
  const own = new Set(Object.values(command.options).flatMap(flagNames))
  return visible(Object.values(root.options)).filter(
    (option) => !flagNames(option).some((name) => own.has(name)),
  )
}

export function renderVersion(root: Program): string {
  return `${root.name} ${root.version}\n`
}

/** `Usage: zdx sessions show [options] <id>`. */
function usageLine(chain: readonly Command[]): string {
  const command = chain.at(-1)
  if (command === undefined) return ''
  const words = chain.map((each) => each.name)
  if (command.usage !== undefined) return wrapUsage([...words, ...usageWords(command.usage)])
  words.push('[options]')
  if (command.commands.length > 0) words.push(command.run === undefined ? '<command>' : '[command]')
  return wrapUsage([...words, ...argumentWords(command)])
}

function wrapUsage(words: readonly string[]): string {
  return `Usage: ${wrapWords(words, ' '.repeat('Usage: '.length)).trimStart()}`
}

/** Words of a usage line; a bracketed group is one word. */
function usageWords(usage: string): string[] {
  const words: string[] = []
  let depth = 0
  for (const word of usage.split(' ')) {
    if (depth === 0) words.push(word)
    else words.push(`${words.pop()} ${word}`)
    depth += (word.match(/[[(]/g)?.length ?? 0) - (word.match(/[\])]/g)?.length ?? 0)
  }
  return words
}

function argumentWords(command: Command): string[] {
  return command.arguments.map(argumentWord)
}

function argumentWord(argument: ArgumentSpec): string {
  const name = argument.variadic === true ? `${argument.name}...` : argument.name
  return argument.required === true ? `<${name}>` : `[${name}]`
}

function argumentRow(argument: ArgumentSpec): Row {
  return [argumentWord(argument), argument.summary + choiceNote(argument.choices)]
}

function optionRow(option: OptionSpec): Row {
  const notes = [
    option.required === true ? ' (required)' : '',
    option.repeatable === true ? ' (repeatable)' : '',
    choiceNote(option.choices),
    option.default === undefined || option.default === '' ? '' : ` (default: ${option.default})`,
  ]
  return [option.flags, option.summary + notes.join('')]
}

function choiceNote(choices: readonly string[] | undefined): string {
  return choices === undefined ? '' : ` (${choices.join(', ')})`
}

function visible(options: readonly OptionSpec[]): OptionSpec[] {
  return options.filter((option) => option.hidden !== true)
}

function rows(title: string, entries: readonly Row[], column = columnOf(entries)): string {
  if (entries.length === 0) return ''
  const lines = entries.map(([left, right]) => {
    const start = `  ${left}`
    const text = wrap(right, ' '.repeat(column))
    return start.length + 2 > column ? `${start}\n${text}` : start.padEnd(column) + text.trimStart()
  })
  return `${title}:\n${lines.join('\n')}`
}

/** Where the right column starts. */
function columnOf(entries: readonly Row[]): number {
  return Math.min(30, Math.max(...entries.map(([left]) => left.length))) + 4
}

function examples(command: Command): string {
  if (command.examples.length === 0) return ''
  const lines = command.examples.map(({ line, note }) => `${foldExample(line)}\n      ${note}`)
  return `Examples:\n${lines.join('\n')}`
}

/** Divides a long command line before options and pipes, as a shell reads it. */
function foldExample(line: string): string {
  const lines: string[] = []
  let rest = `  ${line}`
  while (rest.length > width) {
    const end = Math.max(...[' --', ' | '].map((mark) => rest.lastIndexOf(mark, width - 2)))
    if (end <= 4) break
    lines.push(`${rest.slice(0, end)} \\`)
    rest = `    ${rest.slice(end + 1)}`
  }
  return [...lines, rest].join('\n')
}

function wrap(text: string, indent: string): string {
  return text
    .split('\n')
    .map((paragraph) => wrapWords(paragraph.split(' '), indent))
    .join('\n')
}

function wrapWords(words: readonly string[], indent: string): string {
  const lines: string[] = []
  let line = indent
  for (const word of words) {
    const longer = line === indent ? line + word : `${line} ${word}`
    if (longer.length <= width || line === indent) {
      line = longer
    } else {
      lines.push(line)
      line = indent + word
    }
  }
  return [...lines, line].join('\n')
}
