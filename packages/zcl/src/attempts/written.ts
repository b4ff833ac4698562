// What `zcl feedback` and `zcl note` print: the written file, or a usage error.
import type { Host } from '@zee/core/exit'
import type { AttemptContext } from '@zee/evidence/attempt'
import { printJson, printLines } from '../output/output.ts'
import { zclError } from '../errors/errors.ts'

export function wrongOptions(what: string): Error {
  return zclError('ZCL_E_USAGE', `give ${what}`)
}

export function printWritten(
  host: Host,
  json: boolean,
  file: string,
  context: AttemptContext,
): number {
  const { runId, suiteId, missionId, attemptId } = context.identity
  if (json) printJson(host, { ok: true, path: file, runId, suiteId, missionId, attemptId })
  else printLines(host, [`${file} written for ${attemptId}`])
  return 0
}
