// The start and end of every program: help and version without the parser, hot commands without the
// command tree, and the one place that turns an error into one line on stderr and an exit code.
import { fstatSync, readFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import type { Clock } from '../clock/clock.ts'
import { sleepSync, systemClock } from '../clock/clock.ts'
import { errnoOf, fileError, messageOf, oneLine, reasonOf, ZeeError } from '../errors/errors.ts'
import type { PrerenderedTexts } from './prerendered-text.ts'
import { isTextRequest, findPrerenderedText } from './prerendered-text.ts'

export type { PrerenderedTexts } from './prerendered-text.ts'

/** The environment of a program. Only this file reads it from `process`. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  readonly clock: Clock
}

export interface DescribedError {
  line: string
  exitCode: number
}

export interface ProgramEntry {
  name: string
  /** Folder of the bundle and of `texts.json`, the texts rendered at build time. Undefined: it has no own texts. */
  folder?: string
  /** What the program does without arguments: print help, or run the command tree's default. */
  withoutArguments: 'help' | 'run'
  /** Commands that skip the parser, by first word. They receive the arguments after it. */
  hotCommands?: Readonly<Record<string, (args: string[], host: Host) => Promise<number>>>
  /** Rewrites spellings that the parser does not support (`-ch`) before anything else runs. */
  rewrite?: (args: string[]) => string[]
  /** Loads the command tree; the result parses the arguments and runs the command. */
  load: () => Promise<(args: string[], host: Host) => Promise<number>>
  describe?: (error: unknown) => DescribedError
  /** Nothing runs after a command has returned: the program exits without taking Node's heap apart. */
  isDoneAtReturn?: boolean
}

/** Runs a program and sets `process.exitCode`. */
export async function startProgram(entry: ProgramEntry): Promise<void> {
  const rawArgs = process.argv.slice(2)
  const args = entry.rewrite === undefined ? rawArgs : entry.rewrite(rawArgs)
  const text = readPrerendered(entry, args)
  if (text !== undefined) {
    const failure = tryWrite(1, text)
    if (failure !== undefined) process.exitCode = exitCodeForWriteFailure(entry, failure)
    return
  }
  process.on('uncaughtException', (error) => {
    // A service has its own handler.
    if (process.listenerCount('uncaughtException') > 1) return
    process.exit(reportError(entry, error))
  })
  try {
    process.exitCode = await dispatch(entry, args, systemHost(entry))
  } catch (error) {
    process.exitCode = reportError(entry, error, await loadFit())
  }
  if (entry.isDoneAtReturn === true && isFlushed()) process.exit()
}

/** The default line and exit code for an error: `zdx: cannot read x: ...`. */
export function describeError(name: string, error: unknown): DescribedError {
  if (error instanceof ZeeError) {
    return { line: `${name}: ${oneLine(messageOf(error))}`, exitCode: error.exitCode }
  }
  if (errnoOf(error) !== undefined) {
    const file = error instanceof Error && 'path' in error ? error.path : undefined
    const prefix = typeof file === 'string' ? `${oneLine(file)}: ` : ''
    return { line: `${name}: ${prefix}${reasonOf(error)}`, exitCode: 1 }
  }
  return {
    line: `${name}: unexpected error: ${reasonOf(error)} (ZEE_DEBUG=1 shows where)`,
    exitCode: 1,
  }
}

/** Time for output to reach its reader after a signal. */
const flushMs = 1000

/**
 * Ends a program that a signal has stopped even if its reader does not read: otherwise the pending output
 * would keep the process alive. Call it when the work is done.
 */
export function limitFlush(): void {
  setTimeout(() => process.exit(), flushMs).unref()
}

function readPrerendered(entry: ProgramEntry, args: readonly string[]): string | undefined {
  const { folder, withoutArguments } = entry
  if (folder === undefined || !isTextRequest(args, withoutArguments === 'help')) return undefined
  try {
    const texts = readFileSync(path.join(folder, 'texts.json'), 'utf8')
    return findPrerenderedText(args, JSON.parse(texts) as PrerenderedTexts)
  } catch {
    // Missing or damaged: the parser renders the text from the command tree.
    return undefined
  }
}

async function dispatch(entry: ProgramEntry, args: string[], host: Host): Promise<number> {
  const word = args[0]
  if (
    word !== undefined &&
    entry.hotCommands !== undefined &&
    Object.hasOwn(entry.hotCommands, word)
  ) {
    const run = entry.hotCommands[word]
    if (run !== undefined) return run(args.slice(1), host)
  }
  const run = await entry.load()
  return run(args, host)
}

/** A failed write is reported by its caller and by the stream; only the first is printed. */
let hasReported = false

/** Fits an error line into the terminal; a pipe gets one line. */
async function loadFit(): Promise<(line: string) => string> {
  if (!isTerminal(2)) return (line) => line
  const { fitError } = await import('./fit-error.ts')
  return (line) => fitError(line, process.stderr)
}

function isTerminal(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice()
  } catch {
    return false
  }
}

function reportError(
  entry: ProgramEntry,
  error: unknown,
  fit = (line: string): string => line,
): number {
  hasReported = true
  const described = (entry.describe ?? ((e) => describeError(entry.name, e)))(error)
  if (process.env.ZEE_DEBUG === '1' && error instanceof Error) tryWrite(2, `${error.stack}\n`)
  if (described.line !== '') tryWrite(2, `${fit(described.line)}\n`)
  return described.exitCode
}

/** Opens streams lazily: each adds some milliseconds to a start. */
function systemHost(entry: ProgramEntry): Host {
  return {
    // A copy, so that a variable erased from the process stays known to the program.
    env: { ...process.env },
    cwd: workingFolder(),
    clock: systemClock,
    get stdin() {
      return process.stdin
    },
    get stdout() {
      return exitOnStreamError(entry, process.stdout)
    },
    get stderr() {
      return exitOnStreamError(entry, process.stderr)
    },
  }
}

function workingFolder(): string {
  try {
    return process.cwd()
  } catch (error) {
    throw fileError('use', 'the working folder', error)
  }
}

const guarded = new Set<NodeJS.WriteStream>()

/**
 * Whether the system has all output: a slow reader of a pipe leaves some of it in the stream. The error of a
 * failed write is emitted, and reported, a moment later.
 */
function isFlushed(): boolean {
  for (const stream of guarded) {
    if (stream.writableLength > 0 || stream.errored !== null) return false
  }
  return true
}

function exitOnStreamError(entry: ProgramEntry, stream: NodeJS.WriteStream): NodeJS.WriteStream {
  if (guarded.has(stream)) return stream
  guarded.add(stream)
  stream.on('error', (error) => {
    if (stream.listenerCount('error') > 1) return
    process.exit(exitCodeForWriteFailure(entry, error))
  })
  return stream
}

/** A closed pipe (`zdx sessions list | head -1`) is not a failure: the program ends silently. */
function exitCodeForWriteFailure(entry: ProgramEntry, failure: unknown): typeof process.exitCode {
  if (errnoOf(failure) === 'EPIPE' || hasReported) return process.exitCode
  return reportError(entry, fileError('write to', 'standard output', failure))
}

/** Writes the text and returns the error if that failed. */
function tryWrite(descriptor: number, text: string): unknown {
  let rest = Buffer.from(text)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest))
    } catch (error) {
      if (errnoOf(error) !== 'EAGAIN') return error
      // A full non-blocking pipe: sleep so that its reader gets the processor.
      sleepSync(1)
    }
  }
  return undefined
}
