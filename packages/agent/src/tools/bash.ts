// Runs a shell command in the working folder. A non-zero exit code is a successful result.
import type { ProcessOutput, ProcessResult, ProcessSpec } from '@zee/core/process'
import type { Envelope } from '../envelope/envelope.ts'
import { failure, success } from '../envelope/envelope.ts'
import type { BuiltInTool, ToolContext, ToolInput } from './tool.ts'

/** Captured bytes per stream; further output is only counted, to bound memory. */
const captureBytes = 64 * 1024 * 1024

export const bash: BuiltInTool = {
  name: 'bash',
  description: 'Run a shell command.',
  schema: {
    type: 'object',
    properties: { command: { type: 'string' } },
    required: ['command'],
  },
  run: runBash,
}

async function runBash(input: ToolInput, context: ToolContext): Promise<Envelope> {
  const { runProcess } = await import('@zee/core/process')
  const result = await runProcess({
    command: 'sh',
    args: ['-c', String(input.command)],
    cwd: context.root,
    env: context.env,
    stdin: 'null',
    captureBytes,
    signal: context.signal,
    killGraceMs: 100,
    ...outputListener(context),
    ...(context.onCommand === undefined ? {} : { onStart: context.onCommand }),
    ...(context.timeoutMs === undefined ? {} : { deadlineMs: context.timeoutMs }),
  })
  if (result.aborted) return failure('cancelled', 'Interrupted by the user')
  if (result.timedOut) return timeoutResult(result, context.timeoutMs ?? 0)
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

function timeoutResult(result: ProcessResult, timeoutMs: number): Envelope {
  return success({
    stdout: outputText(result.stdout),
    stderr: `Command timed out after ${timeoutMs / 1000} seconds`,
    exit_code: -1,
    timed_out: true,
  })
}

function outputText(output: ProcessOutput): string {
  return output.text((omitted) => `\n[${omitted} more bytes were not captured]`)
}

function spawnMessage(result: ProcessResult, root: string): string {
  if (result.outcome === 'cwd_missing') return `The working folder does not exist: ${root}`
  return `Cannot start the shell: ${result.error ?? result.outcome}`
}
