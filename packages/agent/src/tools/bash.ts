// Runs a shell command in the working folder. A non-zero exit code is a successful result.
import { maxTimerMs } from '@zee/core/clock'
import type { ProcessOutput, ProcessResult, ProcessSpec } from '@zee/core/process'
import type { Envelope } from '../envelope/envelope.ts'
import { failure, success } from '../envelope/envelope.ts'
import type { BuiltInTool, ToolContext, ToolInput } from './tool.ts'
import { invalidInput } from './tool.ts'

/** Captured bytes per stream; further output is only counted, to bound memory. */
const captureBytes = 64 * 1024 * 1024

export const bash: BuiltInTool = {
  name: 'bash',
  description: 'Run a shell command.',
  schema: {
    type: 'object',
    properties: { command: { type: 'string' }, timeout_secs: { type: 'integer' } },
    required: ['command'],
  },
  run: runBash,
}

async function runBash(input: ToolInput, context: ToolContext): Promise<Envelope> {
  const limit = timeLimit(input.timeout_secs, context.timeoutMs)
  if (limit === 'invalid') return invalidInput(bash, "'timeout_secs' must be at least 1")
  const command = String(input.command)
  const { callId, signal } = context
  const decision = await context.beforeCommand?.({ callId, command, signal })
  if (decision?.ok === false)
    return failure('not_recorded', `The command did not run: ${decision.reason}`)
  const { runProcess } = await import('@zee/core/process')
  const result = await runProcess({
    command: 'sh',
    args: ['-c', command],
    cwd: context.root,
    env: context.env,
    isMarked: true,
    stdin: 'null',
    captureBytes,
    signal,
    killGraceMs: 100,
    ...outputListener(context),
    ...(context.onCommand === undefined ? {} : { onStart: context.onCommand }),
    ...(limit === undefined ? {} : { deadlineMs: limit.ms }),
  })
  if (result.aborted) return failure('cancelled', 'Interrupted by the user')
  if (result.timedOut && limit !== undefined) return timeoutResult(result, limit)
  if (result.outcome !== 'exited' && result.outcome !== 'signalled') {
    return failure('spawn_error', spawnMessage(result, context.root))
  }
  return success({
    stdout: outputText(result.stdout),
    stderr: outputText(result.stderr),
    exit_code: result.outcome === 'exited' ? (result.exitCode ?? -1) : -1,
    timed_out: false,
  })
}

function outputListener({
  onOutput,
  callId,
}: ToolContext): Pick<ProcessSpec, 'onOutput'> | undefined {
  return onOutput === undefined
    ? undefined
    : { onOutput: (_stream, chunk) => onOutput(callId, chunk) }
}

interface TimeLimit {
  ms: number
  /** How to raise the limit, for the model. */
  hint: string
}

/** The smaller of the call's limit and the configured one; undefined if neither is set. */
function timeLimit(
  seconds: ToolInput[string],
  configuredMs: number | undefined,
): TimeLimit | 'invalid' | undefined {
  const requested = seconds === undefined ? undefined : Number(seconds)
  if (requested !== undefined && requested < 1) return 'invalid'
  // Longer timers fire at once.
  const requestedMs = Math.min((requested ?? Infinity) * 1000, maxTimerMs)
  if (configuredMs !== undefined && configuredMs <= requestedMs) {
    const hint =
      'The limit is tool_timeout_secs of the configuration. The user can raise it; 0 removes it.'
    return { ms: configuredMs, hint }
  }
  if (requested === undefined) return undefined
  const hint = 'The limit is timeout_secs of this call. Repeat the call with a larger value.'
  return { ms: requestedMs, hint }
}

function timeoutResult(result: ProcessResult, { ms, hint }: TimeLimit): Envelope {
  return success({
    stdout: outputText(result.stdout),
    stderr: `Command timed out after ${ms / 1000} seconds`,
    exit_code: -1,
    timed_out: true,
    hint,
  })
}

function outputText(output: ProcessOutput): string {
  return output.text((omitted) => `\n[${omitted} more bytes were not captured]`)
}

function spawnMessage(result: ProcessResult, root: string): string {
  if (result.outcome === 'cwd_missing') return `The working folder does not exist: ${root}`
  return `Cannot start the shell: ${result.error ?? result.outcome}`
}
