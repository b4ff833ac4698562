// Runs one script until it ends, times out or the caller disconnects, and builds the result.
import { decodeUtf8 } from '@zee/core/bounded'
import type { ProcessOutput, ProcessResult } from '@zee/core/process'
import type { Tool } from '../../definitions/definitions.ts'
import { isOnPath } from './on-path.ts'
import type { ScriptRuntime } from './run-script.ts'
import { runScript } from './run-script.ts'

export interface ExecutionResult {
  type: 'result'
  exit_code: number
  stdout: string
  stderr: string
}

export const captureBytes = 2 * 1024 * 1024
export const killGraceMs = 300
/** Background processes that hold the pipes delay the result by at most twice this. */
const drainMs = 200

export async function execute(
  runtime: ScriptRuntime,
  tool: Tool,
  code: string,
  signal: AbortSignal,
): Promise<ExecutionResult> {
  const missing = missingCommand(tool, runtime)
  if (missing !== undefined) return missing
  const { sandbox, timeoutSeconds } = runtime
  const { executor, fileExtension } = tool
  const commandLine = (file: string) => sandbox.wrap({ command: executor, args: [file] })
  const limits = { deadlineMs: timeoutSeconds * 1000, captureBytes, killGraceMs, drainMs }
  const result = await runScript(runtime, { code, fileExtension, commandLine }, limits, signal)
  return toResult(result, runtime)
}

/** Checked first, because a sandbox wrapper would report a missing command in its own words. */
export function missingCommand(
  { executor }: Tool,
  { env }: ScriptRuntime,
): ExecutionResult | undefined {
  if (isOnPath(executor, env.PATH)) return undefined
  return failedResult(`${executor}: command not found`)
}

export function failedResult(reason: string): ExecutionResult {
  return { type: 'result', exit_code: -1, stdout: '', stderr: reason }
}

function toResult(
  result: ProcessResult,
  { sandbox, timeoutSeconds }: ScriptRuntime,
): ExecutionResult {
  const stdout = outputText(result.stdout)
  const stderr = outputText(result.stderr)
  if (result.timedOut) {
    const notice = `Execution timed out after ${timeoutSeconds}s.`
    return { type: 'result', exit_code: -1, stdout, stderr: appendLine(stderr, notice) }
  }
  if (result.outcome === 'exited') {
    const exitCode = sandbox.exitCode(result.exitCode ?? -1)
    return { type: 'result', exit_code: exitCode, stdout, stderr }
  }
  if (result.outcome === 'signalled') {
    return { type: 'result', exit_code: -(result.signalNumber ?? 1), stdout, stderr }
  }
  return failedResult(result.error ?? 'the script could not be started')
}

function outputText(output: ProcessOutput): string {
  const text = decodeUtf8(output.capture)
  if (!output.truncated) return text
  return appendLine(text, `[cut: the first ${output.capture.length} of ${output.bytes} bytes]`)
}

export function appendLine(text: string, line: string): string {
  return text === '' || text.endsWith('\n') ? text + line : `${text}\n${line}`
}
