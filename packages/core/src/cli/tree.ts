// A program's commands as data: the one source for parsing, help, completions and the reference in
// the docs. Handlers load what they need when they run.
import { usageError } from '../errors/errors.ts'
import type { Host } from '../exit/exit.ts'

export interface OptionSpec {
  /** As people type it: `-p, --prompt <text>`; without `<...>` it is a switch. */
  flags: string
  summary: string
  default?: string
  required?: boolean
  choices?: readonly string[]
  /** May be given several times; the value is the list. */
  repeatable?: boolean
  /** Turns the text into a value, or throws a usage error. */
  parse?: (text: string) => unknown
  complete?: 'file' | 'folder'
  /** Understood, but shown neither in help nor in completions. */
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

export interface Example {
  line: string
  note: string
}

type ValueOf<O extends OptionSpec> = O extends { parse: (text: string) => infer T }
  ? T
  : O['flags'] extends `${string}<${string}`
    ? string
    : boolean

type GivenValueOf<O extends OptionSpec> = O extends { repeatable: true }
  ? readonly ValueOf<O>[]
  : O extends { default: string } | { required: true }
    ? ValueOf<O>
    : O['flags'] extends `${string}<${string}`
      ? ValueOf<O> | undefined
      : boolean

export type OptionValues<T extends OptionTable> = { readonly [K in keyof T]: GivenValueOf<T[K]> }

/** What a handler is given: everything that was typed, and the outside. */
export interface Call<O extends OptionTable = OptionTable, G extends OptionTable = OptionTable> {
  options: OptionValues<O>
  globals: OptionValues<G>
  args: readonly string[]
  /** Names of options and globals that the user typed, as opposed to defaults. */
  given: ReadonlySet<string>
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
  /** How the arguments are written, when the parts alone do not say it (`-- command...`). */
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
  usage?: string
  hidden?: boolean
  run?: (call: Call<O, G>) => Promise<number>
}

/** Makes a `command` function whose handlers know the program's global options by type. */
export function commandFor<const G extends OptionTable>(_globals: G) {
  return <const O extends OptionTable = Record<never, OptionSpec>>(
    input: CommandInput<O, G>,
  ): Command => whole(input)
}

/** The root of a tree; `completion` comes with it. */
export function program<const G extends OptionTable>(
  input: CommandInput<G, G> & { version: string },
): Program {
  const root = whole(input)
  const commands = [...root.commands]
  const tree: Program = { ...root, commands, version: input.version }
  commands.push(completionCommand(tree))
  return tree
}

/** `-p` and `--prompt` of an option. */
export function flagNames({ flags }: OptionSpec): string[] {
  return flags.split(/[ ,]+/).filter((word) => word.startsWith('-'))
}

/** As opposed to a switch. */
export function takesValue({ flags }: OptionSpec): boolean {
  return flags.includes('<')
}

/** `--timeout-ms <n>` and the like: a whole number of at least `least`. */
export function wholeNumber(least = 0): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= least)) throw usageError(`'${text}' is not a whole number of at least ${least}`)
    return value
  }
}

function whole<O extends OptionTable, G extends OptionTable>(input: CommandInput<O, G>): Command {
  const { run, ...rest } = input
  const command: Command = {
    options: {},
    arguments: [],
    examples: [],
    commands: [],
    ...rest,
  }
  // The parser builds each call from this very table, so the handler's narrower type holds.
  if (run !== undefined) command.run = run as unknown as (call: Call) => Promise<number>
  return command
}

function completionCommand(tree: Program): Command {
  return whole({
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
