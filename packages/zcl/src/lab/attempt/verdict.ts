// The verdict on a finished attempt: its report is written, its evidence validated, its mission's
// expectations checked. The first thing that is wrong names the verdict.
import { ZeeError } from '@zee/core/errors'
import { expectAttempt } from '@zee/evidence/expect'
import { reportAttempt, type AttemptLocation } from '@zee/evidence/report'
import type { ReportFile } from '@zee/evidence/schema'
import { validate } from '@zee/evidence/validate'
import type { Code } from '../../codes/codes.ts'

export interface Verdict {
  ok: boolean
  code?: Code
  message?: string
  report?: ReportFile
}

export interface JudgeOptions {
  /** RFC 3339. */
  computedAt: string
  strict?: boolean
  /** A mission without expectations is a failure. */
  strictExpect?: boolean
  env: Readonly<Record<string, string | undefined>>
}

export async function judgeAttempt(
  place: AttemptLocation,
  options: JudgeOptions,
): Promise<Verdict> {
  const strict = options.strict === true
  const settings = {
    strictness: strict ? ('strict' as const) : ('by_mode' as const),
    computedAt: options.computedAt,
  }
  try {
    const made = await reportAttempt(place, settings)
    const validation = validate(place.name, place.folder, { strict })
    const [error] = validation.errors
    if (error !== undefined) return bad(error.code, `${error.path}: ${error.message}`, made.report)
    const expected = await expectAttempt(place, made, options.env)
    const [failure] = expected.failures
    if (failure !== undefined) return bad(failure.code, failure.message, made.report)
    if (options.strictExpect === true && !expected.evaluated) {
      const message = 'the suite expects nothing of this mission'
      return bad('ZCL_E_EXPECTATION_FAILED', message, made.report)
    }
    return { ok: made.report.ok === true, report: made.report }
  } catch (error) {
    // A strict reading refuses what is incomplete: that is a verdict, a full disk is not.
    if (!(error instanceof ZeeError) || error.exitCode === 1) throw error
    return bad(error.code as Code, error.message, undefined)
  }
}

function bad(code: Code, message: string, report: ReportFile | undefined): Verdict {
  return { ok: false, code, message, ...(report === undefined ? {} : { report }) }
}
