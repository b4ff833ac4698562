// Parses a command line against a command tree and runs the command. A wrong command line is a usage
// error of one line, thrown before any handler runs.
import { usageError, ZeeError } from '../errors/errors.ts'
import type { Host } from '../exit/exit.ts'
import { closestName, nearestName } from '../spelling/spelling.ts'
import { renderHelp, renderVersion } from './help.ts'
import type { Call, Command, OptionSpec, OptionTable, Program } from './tree.ts'
import { flagNames, takesValue } from './tree.ts'

/** Parses `args`, runs the command they name and resolves to its exit code. */
export async function runCommandLine(
  tree: Program,
  args: readonly string[],
  host: Host,
): Promise<number> {
  const reading = parseCommandLine(tree, args)
  if (reading.kind === 'text') {
    host.stdout.write(reading.text)
    return 0
  }
  return reading.run({ ...reading.call, host })
}

type ParsedLine =
  | { kind: 'text'; text: string }
  | { kind: 'call'; call: Omit<Call, 'host'>; run: (call: Call) => Promise<number> }

/** Parses a command line without running it. */
function parseCommandLine(tree: Program, args: readonly string[]): ParsedLine {
  const words = new WordReader(tree, args)
  try {
    const requested = requestedText(tree, args)
    if (requested !== undefined) return { kind: 'text', text: requested }
    const help = words.read()
    if (help) return { kind: 'text', text: renderHelp(words.chain) }
    return { kind: 'call', ...buildCall(words) }
  } catch (error) {
    if (!(error instanceof ZeeError) || error.exitCode !== 2) throw error
    throw usageError(
      `${error.message} (see '${words.chain.map(({ name }) => name).join(' ')} --help')`,
    )
  }
}

/** The text for `help sessions list` and `--version`. */
function requestedText(tree: Program, args: readonly string[]): string | undefined {
  if (args.length === 1 && (args[0] === '--version' || args[0] === 'version')) {
    return renderVersion(tree)
  }
  if (args[0] !== 'help') return undefined
  const chain: Command[] = [tree]
  for (const word of args.slice(1)) chain.push(subcommand(chain.at(-1) as Command, word))
  return renderHelp(chain)
}

function subcommand(command: Command, word: string): Command {
  const found = command.commands.find(({ name }) => name === word)
  if (found !== undefined) return found
  const names = visibleNames(command)
  const [argument] = command.arguments
  const nearest = argument === undefined ? undefined : nearestName(word, names)
  if (nearest === undefined) throw unknownName('command', word, names)
  throw usageError(
    `unknown command '${word}'; did you mean '${nearest}'? ` +
      `(a ${argument?.name} needs a space in it, or -- before it)`,
  )
}

function visibleNames({ commands }: Command): string[] {
  return commands.filter(({ hidden }) => hidden !== true).map(({ name }) => name)
}

function unknownName(kind: 'command' | 'option', word: string, names: readonly string[]): ZeeError {
  const closest = closestName(word, names)
  const hint = closest === undefined ? '' : `; did you mean '${closest}'?`
  return usageError(`unknown ${kind} '${word}'${hint}`)
}

/** Reads the words in order and descends the tree with each command name. */
class WordReader {
  readonly chain: Command[]
  readonly positional: string[] = []
  /** The texts of each option that was typed. */
  readonly texts = new Map<OptionSpec, string[]>()
  readonly #rest: string[]

  constructor(tree: Program, args: readonly string[]) {
    this.chain = [tree]
    this.#rest = [...args]
  }

  /** Returns true if help was requested. */
  read(): boolean {
    for (let word = this.#rest.shift(); word !== undefined; word = this.#rest.shift()) {
      if (word === '--') {
        this.positional.push(...this.#rest.splice(0))
      } else if (word === '--help' || word === '-h') {
        return true
      } else if (word.startsWith('--')) {
        this.#long(word)
      } else if (word.startsWith('-') && word !== '-') {
        this.#short(word)
      } else {
        this.#plain(word)
      }
    }
    return false
  }

  #plain(word: string): void {
    const command = this.chain.at(-1) as Command
    const isChoice = command.arguments[0]?.choices?.includes(word) === true
    const isTyped = isChoice || /\s/.test(word) || this.positional.length > 0
    const isText = command.arguments.length > 0 && isTyped
    if (command.commands.length > 0 && !isText) this.chain.push(subcommand(command, word))
    else this.positional.push(word)
  }

  #long(word: string): void {
    const equals = word.indexOf('=')
    const name = equals === -1 ? word : word.slice(0, equals)
    const option = this.#find(name)
    if (option === undefined || (equals !== -1 && !takesValue(option))) {
      throw this.#unknownOption(word)
    }
    this.#addValue(option, equals === -1 ? undefined : word.slice(equals + 1))
  }

  /** `-p text`, `-ptext`, and `-xy` for two switches. */
  #short(word: string): void {
    const option = this.#find(word.slice(0, 2))
    if (option === undefined) throw this.#unknownOption(word)
    const rest = word.slice(2)
    if (takesValue(option)) {
      this.#addValue(option, rest === '' ? undefined : rest)
      return
    }
    this.#addValue(option, undefined)
    if (rest !== '') this.#short(`-${rest}`)
  }

  #addValue(option: OptionSpec, value: string | undefined): void {
    const text = value ?? (takesValue(option) ? this.#rest.shift() : '')
    if (text === undefined) throw usageError(`option '${option.flags}' argument missing`)
    this.texts.set(option, [...(this.texts.get(option) ?? []), text])
  }

  #find(flag: string): OptionSpec | undefined {
    return this.#options().find((option) => flagNames(option).includes(flag))
  }

  /** The options of the command first, then those of its parents. */
  #options(): OptionSpec[] {
    return this.chain.toReversed().flatMap(({ options }) => Object.values(options))
  }

  #unknownOption(word: string): ZeeError {
    const visible = this.#options().filter(({ hidden }) => hidden !== true)
    // Short names are excluded: any letter is one typo away from any other.
    const long = visible.flatMap(flagNames).filter((name) => name.startsWith('--'))
    return unknownName('option', word, long)
  }
}

function buildCall(words: WordReader): Omit<Extract<ParsedLine, { kind: 'call' }>, 'kind'> {
  const { chain, positional } = words
  const [root] = chain as [Command]
  const command = chain.at(-1) as Command
  if (command.run === undefined) {
    throw usageError(`needs one of: ${visibleNames(command).join(', ')}`)
  }
  checkArguments(command, positional)
  const explicit = new Set<string>()
  return {
    run: command.run.bind(command),
    call: {
      options: valuesOf(command.options, words, explicit),
      globals: valuesOf(root.options, words, explicit),
      args: positional,
      explicit,
      path: chain.slice(1).map(({ name }) => name),
    },
  }
}

function checkArguments(command: Command, positional: readonly string[]): void {
  command.arguments.forEach(({ name, required, choices, variadic }, index) => {
    const texts = variadic === true ? positional.slice(index) : positional.slice(index, index + 1)
    if (required === true && texts.length === 0) {
      throw usageError(`missing required argument '${name}'`)
    }
    for (const text of texts) checkChoice(`'${name}'`, text, choices)
  })
  const takesAll = command.arguments.some(({ variadic }) => variadic === true)
  const max = command.arguments.length
  if (!takesAll && positional.length > max) {
    throw usageError(`too many arguments: expected ${max} but got ${positional.length}`)
  }
}

function checkChoice(what: string, text: string, choices: readonly string[] | undefined): void {
  if (choices === undefined || choices.includes(text)) return
  throw usageError(`${what} cannot be '${text}' (${choices.join(', ')})`)
}

function valuesOf(table: OptionTable, words: WordReader, explicit: Set<string>): Call['options'] {
  const values: Record<string, unknown> = {}
  for (const [key, spec] of Object.entries(table)) {
    const texts = words.texts.get(spec)
    if (texts !== undefined) explicit.add(key)
    values[key] = valueOf(spec, texts)
  }
  return values as Call['options']
}

/** The last occurrence wins unless the option is repeatable. */
function valueOf(spec: OptionSpec, texts: readonly string[] | undefined): unknown {
  if (!takesValue(spec)) return texts !== undefined
  if (spec.single === true && texts !== undefined && texts.length > 1) {
    throw usageError(`option '${spec.flags}' may be given only once`)
  }
  const text = texts?.at(-1) ?? spec.default
  if (text === undefined && spec.required === true) {
    throw usageError(`required option '${spec.flags}' not specified`)
  }
  if (spec.repeatable === true) return (texts ?? []).map((each) => parsed(spec, each))
  return text === undefined ? undefined : parsed(spec, text)
}

function parsed(spec: OptionSpec, text: string): unknown {
  checkChoice(`option '${spec.flags}'`, text, spec.choices)
  if (spec.parse === undefined) return text
  try {
    return spec.parse(text)
  } catch (error) {
    throw usageError(`${spec.flags}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
