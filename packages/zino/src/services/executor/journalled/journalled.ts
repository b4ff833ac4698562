// Runs the scripts of turns. A script is started at most once per call of a turn and survives a crash of
// exc: a repeated request waits for the running script, or returns the result of the finished one.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { decodeUtf8 } from '@zee/core/bounded'
import { ZeeError } from '@zee/core/errors'
import type { Logger } from '@zee/core/log'
import { attachSession, startProcess } from '@zee/core/process'
import type { Tool } from '../../../definitions/definitions.ts'
import { executionFolderOf, executionFolders } from '../../../turns/turns.ts'
import type { ExecutionResult } from '../execute.ts'
import { appendLine, captureBytes, failedResult, killGraceMs } from '../execute.ts'
import type { ScriptRuntime } from '../run-script.ts'
import type { CapturedOutput } from './execution.ts'
import { Execution } from './execution.ts'
import { runnerScript } from './runner-script.ts'

export interface JournalledCall {
  turn: string
  /** Number of the call within its turn. */
  call: number
}

const firstPollMs = 1
const maxPollMs = 50
/** Background processes that hold the pipes delay the result by at most this. */
const drainMs = 400
/** The runner ends its script by itself this long after the time limit, should exc be gone. */
const backstopSeconds = 5
/** Exit codes above 128 with which a shell reports these signals: ILL ABRT BUS FPE KILL SEGV TERM XCPU. */
const signalCodes: ReadonlySet<number> = new Set([4, 6, 7, 8, 9, 11, 15, 24])

export class JournalledScripts {
  readonly #folder: string
  readonly #log: Logger
  /** By folder: the executions that may run, also those whose request was aborted. */
  readonly #running = new Map<string, Execution>()

  /** `folder` is the folder of turns. */
  constructor(folder: string, log: Logger) {
    this.#folder = folder
    this.#log = log
  }

  /** Whether a request for this call would start the script. */
  isNew(call: JournalledCall): boolean {
    return this.#executionOf(call).state() === 'new'
  }

  /** Resolves to the result; an abort leaves the script running. */
  async run(
    tool: Tool,
    code: string,
    call: JournalledCall,
    signal: AbortSignal,
    runtime: ScriptRuntime,
  ): Promise<ExecutionResult> {
    const execution = this.#executionOf(call)
    this.#running.set(execution.folder, execution)
    try {
      if (execution.state() === 'new') {
        await execution.prepare(code, tool.fileExtension, Date.now())
      } else {
        this.#log.info(`call ${call.call} of turn ${call.turn}: attached to its execution`)
      }
      if (execution.state() === 'prepared') await startRunner(execution, tool, runtime)
      return await result(execution, signal, runtime)
    } finally {
      if (!signal.aborted) this.#running.delete(execution.folder)
    }
  }

  /** Ends the running scripts of a turn, and keeps those not yet claimed from starting. */
  async cancel(turn: string): Promise<void> {
    const executions = executionFolders(this.#folder, turn).map((each) => new Execution(each))
    await Promise.all(executions.map((execution) => endExecution(execution)))
  }

  /** Ends all scripts that requests of this process have begun or waited for. */
  async close(): Promise<void> {
    await Promise.all([...this.#running.values()].map((execution) => endExecution(execution)))
  }

  #executionOf({ turn, call }: JournalledCall): Execution {
    return new Execution(executionFolderOf(this.#folder, turn, call))
  }
}

async function startRunner(
  execution: Execution,
  tool: Tool,
  { sandbox, timeoutSeconds, env }: ScriptRuntime,
): Promise<void> {
  const script = execution.request()?.script ?? ''
  const line = sandbox.wrap({ command: tool.executor, args: [script] })
  const limit = String(Math.ceil(timeoutSeconds) + backstopSeconds)
  const { process: runner, failure } = await startProcess({
    command: '/bin/sh',
    args: [
      ...['-c', runnerScript, 'sh', execution.folder, limit, String(captureBytes)],
      ...[line.command, ...line.args],
    ],
    env,
    pipes: 'sockets',
    stdin: 'null',
    stdout: 'null',
    stderr: 'null',
  })
  if (runner === undefined) {
    throw new ZeeError('no_runner', failure.error ?? 'the script could not be started')
  }
  // Reaps the runner; the result comes from the folder.
  void runner.exited.then(() => runner.release())
}

async function result(
  execution: Execution,
  signal: AbortSignal,
  { timeoutSeconds, sandbox }: ScriptRuntime,
): Promise<ExecutionResult> {
  const startedMs = execution.request()?.startedMs ?? Date.now()
  // At least a moment for an execution whose limit passed while exc was away.
  const limitMs = Math.max(100, startedMs + timeoutSeconds * 1000 - Date.now())
  const state = await waitForEnd(execution, limitMs, signal)
  if (state === 'running') {
    await endExecution(execution)
    return collect(execution, -1, `Execution timed out after ${timeoutSeconds}s.`)
  }
  if (state === 'lost') {
    const notice = 'The execution was interrupted. It is not known how far it came.'
    return collect(execution, -1, notice)
  }
  await waitUntil(() => execution.isDrained(), drainMs, signal)
  return collect(execution, signalAware(sandbox.exitCode(execution.exitCode())))
}

function collect(execution: Execution, exitCode: number, notice?: string): ExecutionResult {
  const stderr = outputText(execution.output('err'))
  return {
    ...failedResult(notice === undefined ? stderr : appendLine(stderr, notice)),
    exit_code: exitCode,
    stdout: outputText(execution.output('out')),
  }
}

async function waitForEnd(
  execution: Execution,
  limitMs: number,
  signal: AbortSignal,
): Promise<'ended' | 'lost' | 'running'> {
  let state = execution.state()
  await waitUntil(
    () => {
      state = execution.state()
      return state === 'ended' || state === 'lost'
    },
    limitMs,
    signal,
  )
  return state === 'ended' || state === 'lost' ? state : 'running'
}

async function waitUntil(
  isDone: () => boolean,
  limitMs: number,
  signal: AbortSignal,
): Promise<void> {
  const end = performance.now() + limitMs
  for (let ms = firstPollMs; !isDone(); ms = Math.min(ms * 1.4, maxPollMs)) {
    if (performance.now() > end) return
    await pause(ms, undefined, { signal }).catch(() => {})
    signal.throwIfAborted()
  }
}

async function endExecution(execution: Execution): Promise<void> {
  const state = execution.state()
  if (state !== 'prepared' && state !== 'running') return
  try {
    // Claiming the execution keeps a runner that is just starting from running the script.
    mkdirSync(path.join(execution.folder, 'claim'))
    return
  } catch {
    // A runner has claimed it.
  }
  const pid = execution.pid()
  if (pid !== undefined) await attachSession(pid).stop(killGraceMs)
}

function signalAware(code: number): number {
  return signalCodes.has(code - 128) ? 128 - code : code
}

function outputText({ bytes, dropped }: CapturedOutput): string {
  const text = decodeUtf8(bytes)
  if (dropped === 0) return text
  return appendLine(text, `[cut: the first ${bytes.length} of ${bytes.length + dropped} bytes]`)
}
