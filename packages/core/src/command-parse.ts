// Turns a command tree and a command line into one call. Commander reads the words; what it says
// about wrong ones becomes a usage error of one line, and nothing has run by then.
import { Command as Commander, CommanderError, Option } from 'commander'
import { renderHelp, renderVersion } from './command-help.ts'
import type { Call, Command, OptionSpec, OptionTable, Program } from './command-tree.ts'
import { usageError } from './errors.ts'
import type { Host } from './exit.ts'

/** Parses `args`, runs the command they name and resolves to its exit code. */
export async function runCommandLine(tree: Program, args: string[], host: Host): Promise<number> {
  const asked = helpWords(tree, args)
  if (asked !== undefined) return print(host, asked)
  let pending: (() => Promise<number>) | undefined
  const root = commanderFor([tree], host, (run) => (pending = run))
  try {
    root.parse(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return 0
    throw usageError(error.message)
  }
  return pending === undefined ? 0 : pending()
}

/** `help sessions list` and `--version`, which commander need not know. */
function helpWords(tree: Program, args: readonly string[]): string | undefined {
  if (args.length === 1 && (args[0] === '--version' || args[0] === 'version')) {
    return renderVersion(tree)
  }
  if (args[0] !== 'help') return undefined
  const chain: Command[] = [tree]
  for (const word of args.slice(1)) {
    const next = chain.at(-1)?.commands.find((command) => command.name === word)
    if (next === undefined)
      throw usageError(`unknown command '${word}' (see '${tree.name} --help')`)
    chain.push(next)
  }
  return renderHelp(chain)
}

function print(host: Host, text: string): number {
  host.stdout.write(text)
  return 0
}

type Schedule = (run: () => Promise<number>) => void

/** The commander for the last command of `chain`, with those below it. */
function commanderFor(chain: readonly Command[], host: Host, schedule: Schedule): Commander {
  const command = chain.at(-1) as Command
  const parser = new Commander(command.name)
    .exitOverride((error) => {
      throw rephrased(error, chain, parser)
    })
    .configureOutput({ writeOut: (text) => host.stdout.write(text), writeErr: () => {} })
    .helpCommand(false)
  parser.helpInformation = () => renderHelp(chain)
  for (const option of Object.values(command.options)) parser.addOption(commanderOption(option))
  for (const argument of command.arguments) {
    const dots = argument.variadic === true ? '...' : ''
    const name = `${argument.name}${dots}`
    const declared = parser.createArgument(argument.required === true ? `<${name}>` : `[${name}]`)
    parser.addArgument(argument.choices ? declared.choices([...argument.choices]) : declared)
  }
  for (const sub of command.commands) {
    parser.addCommand(commanderFor([...chain, sub], host, schedule), {
      hidden: sub.hidden === true,
    })
  }
  parser.action(() => schedule(actionOf(chain, parser, host)))
  return parser
}

function commanderOption(spec: OptionSpec): Option {
  const option = new Option(spec.flags, spec.summary)
  if (spec.choices !== undefined) option.choices([...spec.choices])
  if (spec.default !== undefined) option.default(spec.default)
  if (spec.required === true) option.makeOptionMandatory()
  if (spec.repeatable === true) {
    const check = option.parseArg
    option.argParser((text: string, before: string[] | undefined) => {
      check?.(text, undefined)
      return [...(before ?? []), text]
    })
  }
  return option
}

function actionOf(chain: readonly Command[], parser: Commander, host: Host): () => Promise<number> {
  const command = chain.at(-1) as Command
  const run = command.run
  const path = chain.slice(1).map((each) => each.name)
  if (run === undefined) {
    const names = command.commands.filter((sub) => sub.hidden !== true).map((sub) => sub.name)
    const words = chain.map((each) => each.name).join(' ')
    throw usageError(`'${words}' needs one of: ${names.join(', ')}`)
  }
  let rootParser = parser
  while (rootParser.parent !== null) rootParser = rootParser.parent
  const root = chain[0] as Command
  const given = new Set<string>()
  const call: Call = {
    options: valuesOf(command.options, parser, given),
    globals: valuesOf(root.options, rootParser, given),
    args: parser.args,
    given,
    path,
    host,
  }
  return () => run.call(command, call)
}

function valuesOf(table: OptionTable, parser: Commander, given: Set<string>): Call['options'] {
  const values: Record<string, unknown> = {}
  for (const [key, spec] of Object.entries(table)) {
    const option = parser.options.find((each) => each.flags === spec.flags)
    if (option === undefined) continue
    const name = option.attributeName()
    const typed = parser.getOptionValueSource(name) === 'cli'
    if (typed) given.add(key)
    values[key] = valueOf(spec, option, parser.getOptionValue(name), typed)
  }
  return values as Call['options']
}

function valueOf(spec: OptionSpec, option: Option, raw: unknown, typed: boolean): unknown {
  if (!spec.flags.includes('<')) return typed && (option.negate ? raw === false : raw === true)
  if (spec.repeatable === true) {
    const texts = (raw ?? []) as string[]
    return spec.parse === undefined ? texts : texts.map((text) => parsed(spec, text))
  }
  return raw === undefined ? undefined : parsed(spec, raw as string)
}

function parsed(spec: OptionSpec, text: string): unknown {
  if (spec.parse === undefined) return text
  try {
    return spec.parse(text)
  } catch (error) {
    throw usageError(`${spec.flags}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Commander's complaint as one line that also says where to look. */
function rephrased(
  error: CommanderError,
  chain: readonly Command[],
  parser: Commander,
): CommanderError {
  if (error.exitCode === 0) return error
  const command = chain.at(-1) as Command
  const surplus = parser.args[command.arguments.length]
  const unknown = error.code === 'commander.excessArguments' && command.commands.length > 0
  const text = unknown
    ? `unknown command '${surplus}'`
    : error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ')
  const where = chain.map((each) => each.name).join(' ')
  return new CommanderError(2, error.code, `${text} (see '${where} --help')`)
}
