// How a command ended: the exit code of zcl, the result of the event, a line for what the command cannot say.
import { oneLine } from '@zee/core/errors'
import { shellExitCode, type ProcessResult } from '@zee/core/process'

/** The command's exit code, or 1 when it succeeded but its output could not be written. */
export function finalExitCode(result: ProcessResult): number {
  const exitCode = shellExitCode(result)
  return exitCode === 0 && lostOutput(result) !== undefined ? 1 : exitCode
}

/** Why a write to stdout or stderr failed; a closed reader (EPIPE) does not count. */
export function lostOutput({ stdout, stderr }: ProcessResult): string | undefined {
  return stdout.writeError ?? stderr.writeError
}

export function resultOf(result: ProcessResult): { ok: boolean; code?: string; exitCode?: number } {
  const exitCode = shellExitCode(result)
  if (result.timedOut) return { ok: false, code: 'ZCL_E_TIMEOUT', exitCode }
  if (result.outcome !== 'exited' && result.outcome !== 'signalled') {
    return { ok: false, code: 'ZCL_E_SPAWN' }
  }
  if (exitCode === 0) return { ok: true, exitCode }
  return { ok: false, code: 'ZCL_E_TOOL_FAILED', exitCode }
}

/** A line for failures that the command itself cannot report. */
export function diagnosticFor(result: ProcessResult): string | undefined {
  if (result.timedOut) return 'ZCL_E_TIMEOUT: the deadline of the attempt ended the command'
  if (result.error !== undefined) return `ZCL_E_SPAWN: ${oneLine(result.error)}`
  const reason = lostOutput(result)
  return reason === undefined ? undefined : `ZCL_E_IO: output could not be passed on: ${reason}`
}
