// All expectations of a suite for an attempt: the checks of the report, plus the hook, which a
// report does not run.
import type { ExpectationResult } from '../checks/checks.ts'
import { readRunBackground, type AttemptLocation, type AttemptReport } from '../report/report.ts'
import { hookFailures } from './hook.ts'
import { findMission } from '../suite/suite.ts'

export type { ExpectationFailure } from '../checks/checks.ts'
export { checkMeaning } from './meaning.ts'
export { readSemanticRules } from './rules.ts'
export type { SemanticRules } from './rules.ts'

/** The checks of a report and the mission's hook. */
export async function expectAttempt(
  location: AttemptLocation,
  made: Pick<AttemptReport, 'report' | 'expectations'>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ExpectationResult> {
  const { evaluated, failures } = made.expectations
  if (!evaluated) return made.expectations
  const { suite } = readRunBackground(location.runFolder)
  const semantic = findMission(suite, made.report.missionId)?.expects?.semantic
  const more = await hookFailures(semantic, { folder: location.folder, report: made.report, env })
  const all = [...failures, ...more]
  return { evaluated, ok: all.length === 0, failures: all }
}
