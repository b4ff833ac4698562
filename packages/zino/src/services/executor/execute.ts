// Runs one script to its end, its timeout or the caller's leaving, and says how it went.
import { decodeUtf8 } from '@zee/core/bounded'
import type { ProcessOutput, ProcessResult } from '@zee/core/process'
import type { Tool } from '../../definitions/definitions.ts'
import { isOnPath } from './on-path.ts'
import type { Workshop } from './run-script.ts'
import { runScript } from './run-script.ts'

export interface ExecutionResult {
  type: 'result'
  exit_code: number
  stdout: string
  stderr: string
}

const captureBytes = 2 * 1024 * 1024
const killGraceMs = 300
/** Twice this after the script's own end, what it left running no longer holds the answer up. */
const drainMs = 200

export async function execute(
  workshop: Workshop,
  tool: Tool,
  code: string,
  signal: AbortSignal,
): Promise<ExecutionResult> {
  // Inside a sandbox a missing command would be reported by the wrapper, in its words.
  if (!isOnPath(tool.executor, workshop.env.PATH)) {
    return failed(`${tool.executor}: command not found`)
  }
  const { sandbox, timeoutSeconds } = workshop
  const { executor, fileExtension } = tool
  const commandLine = (file: string) => sandbox.wrap({ command: executor, args: [file] })
  const limits = { deadlineMs: timeoutSeconds * 1000, captureBytes, killGraceMs, drainMs }
  const result = await runScript(workshop, { code, fileExtension, commandLine }, limits, signal)
  return asResult(result, workshop)
}

export function failed(reason: string): ExecutionResult {
  return { type: 'result', exit_code: -1, stdout: '', stderr: reason }
}

function asResult(result: ProcessResult, { sandbox, timeoutSeconds }: Workshop): ExecutionResult {
  const stdout = textOf(result.stdout)
  const stderr = textOf(result.stderr)
  if (result.timedOut) {
    const notice = `Execution timed out after ${timeoutSeconds}s.`
    return { type: 'result', exit_code: -1, stdout, stderr: withLine(stderr, notice) }
  }
  if (result.outcome === 'exited') {
    const exitCode = sandbox.exitCode(result.exitCode ?? -1)
    return { type: 'result', exit_code: exitCode, stdout, stderr }
  }
  if (result.outcome === 'signalled') {
    return { type: 'result', exit_code: -(result.signalNumber ?? 1), stdout, stderr }
  }
  return failed(result.error ?? 'the script could not be started')
}

function textOf(output: ProcessOutput): string {
  const text = decodeUtf8(output.capture)
  if (!output.truncated) return text
  return withLine(text, `[cut: the first ${output.capture.length} of ${output.bytes} bytes]`)
}

function withLine(text: string, line: string): string {
  return text === '' || text.endsWith('\n') ? text + line : `${text}\n${line}`
}
