// `zcl run -- command`: runs a command unchanged and appends one trace event. Loads Node built-ins only,
// because it wraps every action of an agent.
import { errorAfter, reasonOf } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { forwardSignals, preparePipes, runProcess } from '@zee/core/process'
import type { PendingPipes, ProcessResult, SignalForwarder } from '@zee/core/process'
import { attemptFromEnvironment, namesAttempt, timeLeft } from '@zee/evidence/attempt'
import type { AttemptContext } from '@zee/evidence/attempt'
import {
  appendBegin,
  checkTraceWritable,
  findParentId,
  newCallId,
  noOutput,
  prepareInput,
  prepareTraceAppend,
  previewCaptureBytes,
  traceEvent,
  type ObservedCall,
  type TraceEvent,
} from '@zee/evidence/trace'
import { recordedNow } from '../clock/clock.ts'
import { redactorFor } from '../redaction/redaction.ts'
import { zclError } from '../errors/errors.ts'
import type { StoredCapture } from './capture.ts'
import type { Fault } from './inject.ts'
import { readRunOptions, type RunOptions } from './options.ts'
import { diagnosticFor, finalExitCode, lostOutput, resultOf } from './outcome.ts'
import { excessiveStreak, refuseExpired, refuseRepeated } from './refusals.ts'
import { appendEvent, tool, writeFully, type Run } from './traced-run.ts'

export async function runEntry(words: string[], host: Host): Promise<number> {
  const options = readRunOptions(words)
  // The pipes are created while the attempt is checked.
  const pipes = preparePipes(['out', 'out'])
  try {
    return await runTraced(options, pipes, host)
  } finally {
    pipes.cancel()
  }
}

async function runTraced(options: RunOptions, pipes: PendingPipes, host: Host): Promise<number> {
  const env = { ...host.env }
  const plan = options.serveTrace ?? env.ZCL_SERVE_TRACE
  if (options.serveTrace !== undefined && options.attempt === undefined && !namesAttempt(env)) {
    return serveOutsideAttempt(options, options.serveTrace, host)
  }
  const context = attemptFromEnvironment(env, host.cwd, options.attempt)
  if (options.captureRaw) refuseRawCapture(context, env)
  const redactor = redactorFor({ env, cwd: host.cwd, config: options.config })
  const input = prepareInput({ argv: [options.command, ...options.args] }, redactor)
  checkTraceWritable(context.folder)
  const startedAt = host.clock.now()
  const ids = { id: newCallId(), parentId: findParentId(context.folder, env) }
  const isIgnored = options.ignoreArgv.length > 0 && isIgnoredCall(options)
  const run = { host, env, options, context, redactor, input, pipes, startedAt, ...ids, isIgnored }
  const leftMs = await timeLeft(context, { recorded: recordedNow(host), real: startedAt })
  if (leftMs !== undefined && leftMs <= 0) return refuseExpired(run)
  if (plan !== undefined && plan !== '') {
    const exitCode = await serveFrom(plan, run)
    if (exitCode !== undefined) return exitCode
  }
  const streak = await excessiveStreak(run)
  if (streak !== undefined) return refuseRepeated(run, streak)
  const faults = hasInjection(run) ? await faultsOf(run) : undefined
  if (faults?.isError === true) return refuseByFault(run, faults)
  // Forward signals from before the child starts until the end, so that none loses the event.
  const signals = forwardSignals()
  await appendBeginLine(run)
  return runCommand(run, leftMs, signals, faults)
}

/** The injected faults of a call. */
interface Faults {
  list: readonly Fault[]
  /** Without those that change the answer. */
  besidesAnswer: readonly Fault[]
  isError: boolean
  changesAnswer: boolean
  /** The faulty output; undefined if the output stays. */
  apply(stdout: Buffer): Promise<Buffer | undefined>
}

function hasInjection({ options, env }: Run): boolean {
  return options.inject.length > 0 || (env.ZCL_INJECT ?? '') !== ''
}

async function faultsOf({ context, options, env }: Run): Promise<Faults | undefined> {
  const inject = await import('./inject.ts')
  const list = await inject.nextFaults(context, options, env)
  if (list.length === 0) return undefined
  const delayMs = inject.delayOf(list)
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
  return {
    list,
    besidesAnswer: inject.withoutAnswerFaults(list),
    isError: inject.isError(list),
    changesAnswer: inject.changesAnswer(list),
    apply: (stdout) => inject.faultyOutput(context, options.command, list, stdout),
  }
}

/** An injected error: the command does not run. */
async function refuseByFault(run: Run, { list }: Faults): Promise<number> {
  const text = 'injected by zcl\n'
  const err = Buffer.from(text)
  const call: ObservedCall = {
    ...tool,
    startedAt: run.startedAt,
    input: run.input,
    result: { ok: false, code: 'ZCL_E_TOOL_FAILED', exitCode: 1, durationMs: 0 },
    out: noOutput,
    err: { bytes: err.length, head: err },
    enrichment: { injected: list, notStarted: true },
    id: run.id,
    parentId: run.parentId,
  }
  await appendEvent(run.context, traceEvent(run.context.identity, call, run.redactor))
  await writeFully(run.host.stderr, text)
  return 1
}

/** The exit code of the recorded answer; undefined if the command must run. */
async function serveFrom(plan: string, run: Run): Promise<number | undefined> {
  const { host, redactor, input, context, startedAt, id, parentId, options } = run
  const { serveCall } = await import('./serve.ts')
  const recorded = { context, startedAt, id, parentId }
  return serveCall({ host, redactor, input, plan, state: options.serveState, recorded })
}

async function serveOutsideAttempt(
  { command, args, serveState: state, config }: RunOptions,
  plan: string,
  host: Host,
): Promise<number> {
  const redactor = redactorFor({ ...host, config })
  const input = prepareInput({ argv: [command, ...args] }, redactor)
  const { serveCall } = await import('./serve.ts')
  const code = await serveCall({ host, redactor, input, plan, state, recorded: undefined })
  if (code !== undefined) return code
  throw zclError('ZCL_E_USAGE', 'a live call needs an attempt; see zcl attempt start')
}

/** The command may end zcl itself, so its begin line is on disk before it starts. */
async function appendBeginLine(run: Run): Promise<void> {
  const { context, startedAt, input, id, parentId } = run
  try {
    await appendBegin(context.folder, context.identity, { ...tool, startedAt, input, id, parentId })
  } catch (error) {
    const message = `the command was not started, because it cannot be recorded: ${reasonOf(error)}`
    throw zclError('ZCL_E_IO', message, error)
  }
}

const maxMatchedChars = 4096

/** Whether a pattern matches the command line, with or without the name of the command. */
function isIgnoredCall({ command, args, ignoreArgv }: RunOptions): boolean {
  const words = args.join(' ').slice(0, maxMatchedChars)
  const name = command.slice(command.lastIndexOf('/') + 1)
  return ignoreArgv.some((pattern) => {
    let expression: RegExp
    try {
      expression = new RegExp(pattern)
    } catch (error) {
      throw zclError(
        'ZCL_E_USAGE',
        `--ignore-argv ${pattern} is not a regular expression: ${reasonOf(error)}`,
      )
    }
    return expression.test(words) || expression.test(`${name} ${words}`)
  })
}

/** Output above this size is printed without its fault. */
const maxFaultyBytes = 64 * 1024 * 1024

async function runCommand(
  run: Run,
  leftMs: number | undefined,
  signals: SignalForwarder,
  faults: Faults | undefined,
): Promise<number> {
  const { host, options } = run
  const isHeld = faults?.changesAnswer === true
  const ended = await runProcess({
    command: options.command,
    args: options.args,
    env: run.env,
    stdin: 'inherit',
    pipes: run.pipes,
    passthrough: !options.envelope && !isHeld,
    captureBytes: isHeld
      ? maxFaultyBytes
      : previewCaptureBytes + (options.capture ? options.captureMaxBytes : 0),
    deadlineMs: leftMs,
    onStart: (child) => {
      signals.attach(child)
      prepareTraceAppend(run.context.folder)
    },
  })
  const { result, injected } = isHeld
    ? await printFaulty(run, ended, faults)
    : { result: ended, injected: faults?.list ?? [] }
  const capture = options.capture ? await captureOrFailure(run, result) : undefined
  const stored = capture instanceof Error ? undefined : capture
  const call = observedCall(run, result, stored, injected)
  const event = traceEvent(run.context.identity, call, run.redactor)
  await appendEvent(run.context, event)
  if (capture instanceof Error)
    throw errorAfter('the call was recorded without its capture', capture)
  const exitCode = finalExitCode(result)
  if (options.envelope) await printEnvelope(run, call, event, exitCode, stored)
  const diagnostic = diagnosticFor(result)
  if (diagnostic !== undefined) await writeFully(host.stderr, `${diagnostic}\n`)
  return exitCode
}

/** Prints the held output with its fault; returns the result as the agent saw it, and its faults. */
async function printFaulty(
  { host, options }: Run,
  ended: ProcessResult,
  faults: Faults,
): Promise<{ result: ProcessResult; injected: readonly Fault[] }> {
  const { stdout, stderr } = ended
  const faulty = stdout.bytes > maxFaultyBytes ? undefined : await faults.apply(stdout.capture)
  const shown = faulty ?? stdout.capture
  if (!options.envelope) {
    await writeFully(host.stdout, shown)
    await writeFully(host.stderr, stderr.capture)
  }
  const result = { ...ended, stdout: { ...stdout, bytes: shown.length, capture: shown } }
  return { result, injected: faulty === undefined ? faults.besidesAnswer : faults.list }
}

function refuseRawCapture({ mode }: AttemptContext, env: Host['env']): void {
  if (env.ZCL_ALLOW_UNSAFE_CAPTURE === '1') return
  const inCi = env.CI !== undefined && !['', '0', 'false'].includes(env.CI)
  if (mode !== 'ci' && !inCi) return
  const message = '--capture-raw is refused in ci (ZCL_ALLOW_UNSAFE_CAPTURE=1 allows it)'
  throw zclError('ZCL_E_UNSAFE_EVIDENCE', message)
}

function observedCall(
  run: Run,
  result: ProcessResult,
  capture: StoredCapture | undefined,
  injected: readonly Fault[],
): ObservedCall {
  const { stdout, stderr } = result
  const reason = lostOutput(result)
  const details = {
    signal: result.signal,
    error: result.error,
    lostOutput: reason,
    ...(capture === undefined ? {} : { capture: capture.summary }),
    ...(injected.length === 0 ? {} : { injected }),
  }
  return {
    ...tool,
    startedAt: run.startedAt,
    input: run.input,
    result: { ...resultOf(result), durationMs: result.durationMs },
    out: { bytes: stdout.bytes, head: stdout.capture.subarray(0, previewCaptureBytes) },
    err: { bytes: stderr.bytes, head: stderr.capture.subarray(0, previewCaptureBytes) },
    enrichment: details,
    id: run.id,
    parentId: run.parentId,
    isIgnored: run.isIgnored,
  }
}

/** Returns an error instead of throwing it: the event is appended before a capture failure is reported. */
async function captureOrFailure(run: Run, result: ProcessResult): Promise<StoredCapture | Error> {
  const { storeCapture } = await import('./capture.ts')
  try {
    return await storeCapture({
      context: run.context,
      input: run.input,
      redactor: run.redactor,
      startedAt: run.startedAt,
      raw: run.options.captureRaw,
      maxBytes: run.options.captureMaxBytes,
      stdout: result.stdout,
      stderr: result.stderr,
    })
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function printEnvelope(
  run: Run,
  call: ObservedCall,
  event: TraceEvent,
  exitCode: number,
  capture: StoredCapture | undefined,
): Promise<void> {
  const { runId, suiteId, missionId, attemptId } = run.context.identity
  const envelope = {
    ok: call.result.ok,
    code: call.result.code,
    exitCode,
    durationMs: Math.round(call.result.durationMs),
    outBytes: call.out.bytes,
    errBytes: call.err.bytes,
    outPreview: event.out.text === '' ? undefined : event.out.text,
    errPreview: event.err.text === '' ? undefined : event.err.text,
    outTruncated: event.out.truncated ? true : undefined,
    errTruncated: event.err.truncated ? true : undefined,
    ...capture?.envelope,
    runId,
    suiteId,
    missionId,
    attemptId,
  }
  const { terminalSafeText } = await import('@zee/core/colour')
  const stdout = run.host.stdout
  await writeFully(stdout, terminalSafeText(stdout)(`${JSON.stringify(envelope, undefined, 2)}\n`))
}
