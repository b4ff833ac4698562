// Runs a command of a program in the process of the test, through the same `Host` that the program uses:
// a start of Node costs 20 times as much. Commands that are about processes (signals, kills, children,
// prerendered help) and all commands with `ZEE_TEST_BUILT=1` run as built programs.
import { Readable, Writable } from 'node:stream'
import { systemClock } from '@zee/core/clock'
import { runCommandLine } from '@zee/core/command-line'
import type { DescribedError, Host } from '@zee/core/exit'
import { describeError } from '@zee/core/exit'
import type { Ran, RunOptions } from '../support/run-program.ts'
import { runProgram } from '../support/run-program.ts'

type Tree = Parameters<typeof runCommandLine>[0]

interface ProgramHere {
  /** Commands by their first one or two words. */
  commands: ReadonlySet<string>
  /** Variables that the entry of the program reads. */
  entryVariable?: string
  load(): Promise<{ tree: Tree; describe(error: unknown): DescribedError }>
}

const programs: Readonly<Record<'zcl' | 'zdx' | 'zeno' | 'zino', ProgramHere>> = {
  zcl: {
    commands: new Set([
      ...[
        'attempt',
        'compare',
        'contract',
        'doctor',
        'enrich',
        'expect',
        'export',
        'feedback',
        'gc',
        'hooks',
      ],
      ...['lint', 'publish-check', 'report', 'status'].map((name) => `campaign ${name}`),
      ...[
        'init',
        'mission',
        'note',
        'pin',
        'plan',
        'query',
        'report',
        'runs',
        'stats',
        'suite',
        'validate',
      ],
    ]),
    entryVariable: 'ZCL_MIN_VERSION',
    load: async () => ({
      tree: (await import('../../packages/zcl/src/cli/cli.ts')).tree,
      describe: (await import('../../packages/zcl/src/describe-error.ts')).describe,
    }),
  },
  zdx: {
    commands: new Set([
      ...['list', 'show', 'fork', 'rename', 'delete', 'search', 'export', 'stats', 'import'].map(
        (name) => `sessions ${name}`,
      ),
      ...['bill', 'verify', 'diff'].map((name) => `sessions ${name}`),
      ...['config', 'exec', 'models', 'skills', 'trust', 'verify'],
    ]),
    load: async () => ({
      tree: (await import('../../packages/zdx/src/cli/cli.ts')).tree,
      describe: (await import('../../packages/zdx/src/describe-error.ts')).describe,
    }),
  },
  zeno: {
    commands: new Set([...['bridge', 'lint', 'persist', 'plan', 'rotate', 'skill', 'tail']]),
    load: async () => ({
      tree: (await import('../../packages/zeno/src/cli/cli.ts')).tree,
      describe: (error) => describeError('zeno', error),
    }),
  },
  zino: {
    commands: new Set([
      ...['approve', 'doctor', 'inbox', 'init', 'logs', 'memory', 'receipts', 'replay', 'status'],
      ...['timers', 'trust'],
    ]),
    load: async () => ({
      tree: (await import('../../packages/zino/src/cli/cli.ts')).tree,
      describe: (error) => describeError('zino', error),
    }),
  },
}

/** For tests of several processes at once. */
export const asProcess = { ZEE_TEST_BUILT: '1' } as const

/** Like runProgram; runs the command here where that makes no difference. */
export async function runCommand(
  name: keyof typeof programs,
  args: string[],
  options: RunOptions = {},
): Promise<Ran> {
  if (!runsHere(programs[name], args, options)) return runProgram(name, args, options)
  return runCommandHere(name, args, options)
}

/** Runs the command here whatever it is: for help, and for commands that fail before they serve. */
export async function runCommandHere(
  name: keyof typeof programs,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Ran> {
  const { tree, describe } = await programs[name].load()
  const [stdout, stderr] = [new Output(), new Output()]
  const host: Host = {
    env: definedOf({ ...process.env, ...options.env }),
    cwd: options.cwd ?? process.cwd(),
    clock: systemClock,
    stdin: Readable.from([Buffer.from(options.input ?? '')]) as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
  }
  let code: number
  try {
    code = await runCommandLine(tree, [...args], host)
  } catch (error) {
    const { line, exitCode } = describe(error)
    if (line !== '') stderr.write(`${line}\n`)
    code = exitCode
  }
  return { code, signal: null, stdout: stdout.text(), stderr: stderr.text() }
}

function runsHere(
  { commands, entryVariable }: ProgramHere,
  args: readonly string[],
  { env }: RunOptions,
): boolean {
  if ([process.env, env].some((each) => each?.ZEE_TEST_BUILT === '1')) return false
  if (env?.NODE_OPTIONS !== undefined) return false
  if (entryVariable !== undefined && env?.[entryVariable] !== undefined) return false
  if (args.some((word) => /^(?:--help|-h|--version|--serve|--open|--shim|--run|html)$/.test(word)))
    return false
  const [first = '', second = ''] = args[0]?.startsWith('-') ? afterOptions(commands, args) : args
  return commands.has(first) || commands.has(`${first} ${second}`)
}

/** The words from the command on, for global options before it. */
function afterOptions(commands: ReadonlySet<string>, args: readonly string[]): readonly string[] {
  return args.slice(args.findIndex((word) => commands.has(word)))
}

function definedOf(env: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined))
}

class Output extends Writable {
  readonly #pieces: Buffer[] = []

  override _write(piece: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#pieces.push(piece)
    done()
  }

  text(): string {
    return Buffer.concat(this.#pieces).toString()
  }
}
