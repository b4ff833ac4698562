// Turns a command tree and a command line into one call. Whatever is wrong with the words becomes a
// usage error of one line, and nothing has run by then.
import { usageError, ZeeError } from '../errors/errors.ts'
import type { Host } from '../exit/exit.ts'
import { closestName } from '../spelling/spelling.ts'
import { renderHelp, renderVersion } from './help.ts'
import type { Call, Command, OptionSpec, OptionTable, Program } from './tree.ts'
import { flagNames, takesValue } from './tree.ts'

/** Parses `args`, runs the command they name and resolves to its exit code. */
export async function runCommandLine(
  tree: Program,
  args: readonly string[],
  host: Host,
): Promise<number> {
  const reading = readCommandLine(tree, args)
  if (reading.kind === 'text') {
    host.stdout.write(reading.text)
    return 0
  }
  return reading.run({ ...reading.call, host })
}

type Reading =
  | { kind: 'text'; text: string }
  | { kind: 'call'; call: Omit<Call, 'host'>; run: (call: Call) => Promise<number> }

/** What a command line asks for, without doing it. */
function readCommandLine(tree: Program, args: readonly string[]): Reading {
  const words = new Words(tree, args)
  try {
    const asked = textAsked(tree, args)
    if (asked !== undefined) return { kind: 'text', text: asked }
    const help = words.read()
    if (help) return { kind: 'text', text: renderHelp(words.chain) }
    return { kind: 'call', ...callOf(words) }
  } catch (error) {
    if (!(error instanceof ZeeError) || error.exitCode !== 2) throw error
    throw usageError(
      `${error.message} (see '${words.chain.map(({ name }) => name).join(' ')} --help')`,
    )
  }
}

/** `help sessions list` and `--version`. */
function textAsked(tree: Program, args: readonly string[]): string | undefined {
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
  throw unknown('command', word, visibleNames(command))
}

function visibleNames({ commands }: Command): string[] {
  return commands.filter(({ hidden }) => hidden !== true).map(({ name }) => name)
}

function unknown(kind: 'command' | 'option', word: string, known: readonly string[]): ZeeError {
  const closest = closestName(word, known)
  const hint = closest === undefined ? '' : `; did you mean '${closest}'?`
  return usageError(`unknown ${kind} '${word}'${hint}`)
}

/** Reads the words one by one, going down the tree as commands are named. */
class Words {
  readonly chain: Command[]
  readonly positional: string[] = []
  readonly given = new Map<OptionSpec, string[]>()
  readonly #rest: string[]

  constructor(tree: Program, args: readonly string[]) {
    this.chain = [tree]
    this.#rest = [...args]
  }

  /** True when help was asked for. */
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
    if (command.commands.length > 0 && command.arguments.length === 0) {
      this.chain.push(subcommand(command, word))
    } else {
      this.positional.push(word)
    }
  }

  #long(word: string): void {
    const equals = word.indexOf('=')
    const name = equals === -1 ? word : word.slice(0, equals)
    const option = this.#find(name)
    if (option === undefined || (equals !== -1 && !takesValue(option))) throw this.#strange(word)
    this.#take(option, equals === -1 ? undefined : word.slice(equals + 1))
  }

  /** `-p text`, `-ptext`, and `-xy` for two switches. */
  #short(word: string): void {
    const option = this.#find(word.slice(0, 2))
    if (option === undefined) throw this.#strange(word)
    const behind = word.slice(2)
    if (takesValue(option)) {
      this.#take(option, behind === '' ? undefined : behind)
      return
    }
    this.#take(option, undefined)
    if (behind !== '') this.#short(`-${behind}`)
  }

  #take(option: OptionSpec, value: string | undefined): void {
    const text = value ?? (takesValue(option) ? this.#rest.shift() : '')
    if (text === undefined) throw usageError(`option '${option.flags}' argument missing`)
    this.given.set(option, [...(this.given.get(option) ?? []), text])
  }

  #find(flag: string): OptionSpec | undefined {
    return this.#known().find((option) => flagNames(option).includes(flag))
  }

  /** Those of the command itself first, then those of the commands above it. */
  #known(): OptionSpec[] {
    return this.chain.toReversed().flatMap(({ options }) => Object.values(options))
  }

  #strange(word: string): ZeeError {
    const visible = this.#known().filter(({ hidden }) => hidden !== true)
    // Any letter is close to any other.
    const long = visible.flatMap(flagNames).filter((name) => name.startsWith('--'))
    return unknown('option', word, long)
  }
}

function callOf(words: Words): Omit<Extract<Reading, { kind: 'call' }>, 'kind'> {
  const { chain, positional } = words
  const [root] = chain as [Command]
  const command = chain.at(-1) as Command
  if (command.run === undefined) {
    throw usageError(`needs one of: ${visibleNames(command).join(', ')}`)
  }
  checkArguments(command, positional)
  const given = new Set<string>()
  return {
    run: command.run.bind(command),
    call: {
      options: valuesOf(command.options, words, given),
      globals: valuesOf(root.options, words, given),
      args: positional,
      given,
      path: chain.slice(1).map(({ name }) => name),
    },
  }
}

function checkArguments(command: Command, positional: readonly string[]): void {
  command.arguments.forEach(({ name, required, choices, variadic }, index) => {
    const own = variadic === true ? positional.slice(index) : positional.slice(index, index + 1)
    if (required === true && own.length === 0) {
      throw usageError(`missing required argument '${name}'`)
    }
    for (const text of own) checkChoice(`'${name}'`, text, choices)
  })
  const takesAll = command.arguments.some(({ variadic }) => variadic === true)
  const most = command.arguments.length
  if (!takesAll && positional.length > most) {
    throw usageError(`too many arguments: expected ${most} but got ${positional.length}`)
  }
}

function checkChoice(what: string, text: string, choices: readonly string[] | undefined): void {
  if (choices === undefined || choices.includes(text)) return
  throw usageError(`${what} cannot be '${text}' (${choices.join(', ')})`)
}

function valuesOf(table: OptionTable, words: Words, given: Set<string>): Call['options'] {
  const values: Record<string, unknown> = {}
  for (const [key, spec] of Object.entries(table)) {
    const texts = words.given.get(spec)
    if (texts !== undefined) given.add(key)
    values[key] = valueOf(spec, texts)
  }
  return values as Call['options']
}

/** The last one counts, unless the option may be repeated. */
function valueOf(spec: OptionSpec, texts: readonly string[] | undefined): unknown {
  if (!takesValue(spec)) return texts !== undefined
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
