// A program's commands as data: the single source for parsing, help, completions and the reference in
// the docs. Handlers load their modules when they run.
import { usageError } from '../errors/errors.ts'
import type { Host } from '../exit/exit.ts'

export interface OptionSpec {
  /** As typed: `-p, --prompt <text>`; without `<...>` it is a switch. */
  flags: string
  summary: string
  default?: string
  required?: boolean
  choices?: readonly string[]
  /** May occur several times; the value is a list. */
  repeatable?: boolean
  /** May occur only once: a second value is a usage error instead of a replacement. */
  single?: boolean
  /** Converts the text, or throws a usage error. */
  parse?: (text: string) => unknown
  complete?: 'file' | 'folder'
  /** Accepted, but shown neither in help nor in completions. */
  hidden?: boolean
}

export type OptionTable = Readonly<Record<string, OptionSpec>>

export interface ArgumentSpec {
  name: string
  summary: string
  required?: boolean
  variadic?: boolean
  choices?: readonly string[]
  complete?: 'file' | 'folder'
}

export type CommandGroups = Readonly<Record<string, readonly string[]>>

/** The heading of commands that other commands start, such as single services. It comes last. */
export const internalGroup = 'Internal commands'

export interface Example {
  line: string
  note: string
}

type ValueOf<O extends OptionSpec> = O extends { parse: (text: string) => infer T }
  ? T
  : O['flags'] extends `${string}<${string}`
    ? string
    : boolean

type OptionValue<O extends OptionSpec> = O extends { repeatable: true }
  ? readonly ValueOf<O>[]
  : O extends { default: string } | { required: true }
    ? ValueOf<O>
    : O['flags'] extends `${string}<${string}`
      ? ValueOf<O> | undefined
      : boolean

export type OptionValues<T extends OptionTable> = { readonly [K in keyof T]: OptionValue<T[K]> }

/** The input of a handler: parsed options and arguments, and the host. */
export interface Call<O extends OptionTable = OptionTable, G extends OptionTable = OptionTable> {
  options: OptionValues<O>
  globals: OptionValues<G>
  args: readonly string[]
  /** Names of options and globals that were typed, as opposed to defaults. */
  explicit: ReadonlySet<string>
  path: readonly string[]
  host: Host
}

export interface Command {
  name: string
  summary: string
  description?: string
  options: OptionTable
  arguments: readonly ArgumentSpec[]
  examples: readonly Example[]
  commands: readonly Command[]
  /** Headings of the help for a long list of commands, and the names of the commands below each. */
  groups?: CommandGroups
  /** Replaces the generated arguments in the usage line (`-- command...`). */
  usage?: string
  hidden?: boolean
  run?(call: Call): Promise<number>
}

export interface Program extends Command {
  version: string
}

interface CommandInput<O extends OptionTable, G extends OptionTable> {
  name: string
  summary: string
  description?: string
  options?: O
  arguments?: readonly ArgumentSpec[]
  examples?: readonly Example[]
  commands?: readonly Command[]
  groups?: CommandGroups
  usage?: string
  hidden?: boolean
  run?: (call: Call<O, G>) => Promise<number>
}

/** Returns a `command` function whose handlers have the types of the program's global options. */
export function commandFor<const G extends OptionTable>(_globals: G) {
  return <const O extends OptionTable = Record<never, OptionSpec>>(
    input: CommandInput<O, G>,
  ): Command => withDefaults(input)
}

/** Builds the root of a tree and adds the `completion` command. */
export function program<const G extends OptionTable>(
  input: CommandInput<G, G> & { version: string },
): Program {
  const root = withDefaults(input)
  const commands = [...root.commands]
  const tree: Program = { ...root, commands, version: input.version }
  commands.push(completionCommand(tree))
  return tree
}

/** The names of an option: `-p` and `--prompt`. */
export function flagNames({ flags }: OptionSpec): string[] {
  return flags.split(/[ ,]+/).filter((word) => word.startsWith('-'))
}

/** Whether the option has a value; false for a switch. */
export function takesValue({ flags }: OptionSpec): boolean {
  return flags.includes('<')
}

/** A parser for options such as `--timeout-ms <n>`: a whole number from `min` to `max`. */
export function wholeNumber(min = 0, max = Infinity): (text: string) => number {
  const range = max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= min && value <= max))
      throw usageError(`'${text}' is not a whole number ${range}`)
    return value
  }
}

function withDefaults<O extends OptionTable, G extends OptionTable>(
  input: CommandInput<O, G>,
): Command {
  // The parser builds each call from this table, so the handler's narrower type is correct.
  const run = input.run as ((call: Call) => Promise<number>) | undefined
  return { options: {}, arguments: [], examples: [], commands: [], ...input, run }
}

function completionCommand(tree: Program): Command {
  return withDefaults({
    name: 'completion',
    summary: 'Print a completion script for a shell',
    arguments: [
      { name: 'shell', summary: 'the shell', required: true, choices: ['bash', 'zsh', 'fish'] },
    ],
    examples: [
      {
        line: `${tree.name} completion bash > ~/.local/share/bash-completion/completions/${tree.name}`,
        note: 'complete commands and flags in new bash shells',
      },
      {
        line: `${tree.name} completion fish > ~/.config/fish/completions/${tree.name}.fish`,
        note: 'the same for fish',
      },
    ],
    run: async ({ args, host }) => {
      const { completionScript } = await import('./completion.ts')
      host.stdout.write(completionScript(tree, args[0] ?? ''))
      return 0
    },
  })
}
