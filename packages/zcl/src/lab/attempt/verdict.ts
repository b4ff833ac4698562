// Judges a finished attempt: writes its report, validates its evidence and checks the mission's
// expectations. The first problem gives the verdict its code.
import { ZeeError } from '@zee/core/errors'
import { expectAttempt } from '@zee/evidence/expect'
import { reportAttempt, type AttemptLocation } from '@zee/evidence/report'
import type { ReportFile } from '@zee/evidence/schema'
import { validate } from '@zee/evidence/validate'
import { costOf } from '../../cost/cost.ts'
import type { Code } from '../../codes/codes.ts'
import type { Grade } from '../grading/grading.ts'

export interface Verdict {
  ok: boolean
  code?: Code
  message?: string
  report?: ReportFile | undefined
}

export interface JudgeOptions {
  /** RFC 3339. */
  computedAt: string
  strict?: boolean | undefined
  /** A mission without expectations fails. */
  strictExpect?: boolean | undefined
  /** An attempt that never calls one of its shims fails. */
  requireShim?: boolean | undefined
  env: Readonly<Record<string, string | undefined>>
  /** The grade of the exam, if the mission has one. */
  grade?: Grade | undefined
  /** The grade counts, whatever the agent claims. */
  isDecidedByExam?: boolean
}

export async function judgeAttempt(
  location: AttemptLocation,
  options: JudgeOptions,
): Promise<Verdict> {
  const strict = options.strict === true
  const settings = {
    strictness: strict ? ('strict' as const) : ('by_mode' as const),
    computedAt: options.computedAt,
    costOf,
  }
  try {
    const reported = await reportAttempt(location, settings)
    const validation = validate(location.name, location.folder, { strict })
    const [error] = validation.errors
    if (error !== undefined)
      return failedVerdict(error.code, `${error.path}: ${error.message}`, reported.report)
    if (reported.report.unproven === true) {
      const message = 'unproven: the agent claims success without a recorded action'
      return failedVerdict('ZCL_E_UNPROVEN', message, reported.report)
    }
    const unused = (reported.report.warnings ?? []).find(({ code }) => code === 'ZCL_W_SHIM_UNUSED')
    if (options.requireShim === true && unused !== undefined) {
      return failedVerdict('ZCL_E_SHIM', unused.message, reported.report)
    }
    const { grade } = options
    if (grade?.ok === false) {
      return failedVerdict(
        grade.code ?? 'ZCL_E_VERIFY_FAILED',
        grade.message ?? '',
        reported.report,
      )
    }
    const expected = await expectAttempt(location, reported, options.env)
    const [failure] = expected.failures
    if (failure !== undefined) return failedVerdict(failure.code, failure.message, reported.report)
    if (options.strictExpect === true && !expected.evaluated) {
      const message = 'the suite has no expectations for this mission'
      return failedVerdict('ZCL_E_EXPECTATION_FAILED', message, reported.report)
    }
    const isDecided = options.isDecidedByExam === true && grade !== undefined
    return { ok: isDecided || reported.report.ok === true, report: reported.report }
  } catch (error) {
    // Incomplete evidence under strict is a verdict; a failure of the harness (exit code 1) is not.
    if (!(error instanceof ZeeError) || error.exitCode === 1) throw error
    return failedVerdict(error.code as Code, error.message, undefined)
  }
}

function failedVerdict(code: Code, message: string, report: ReportFile | undefined): Verdict {
  return { ok: false, code, message, report }
}
