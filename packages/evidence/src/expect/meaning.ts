// Checks the meaning of a result against given rules, which need not come from the suite of the
// attempt.
import { readJsonArtifact } from '../artifact/artifact.ts'
import { semanticFailures, type ExpectationFailure } from '../checks/checks.ts'
import { artifactName } from '../layout/layout.ts'
import { makeReport, readRunBackground, type AttemptLocation } from '../report/report.ts'
import type { FeedbackFile } from '../schema/schema.ts'
import { hookFailures } from './hook.ts'
import type { SemanticExpectations } from '../suite/suite.ts'
import { summariseTrace } from '../summary/summary.ts'

/** The failures of the rules and of their hook. */
export async function checkMeaning(
  location: AttemptLocation,
  rules: SemanticExpectations,
  env: Readonly<Record<string, string | undefined>>,
  computedAt: string,
): Promise<ExpectationFailure[]> {
  const from = { path: location.folder, within: location.runFolder ?? location.folder }
  const read = readJsonArtifact(from, artifactName.feedback)
  const feedback = read.failure === undefined ? (read.value as unknown as FeedbackFile) : undefined
  const trace = summariseTrace(from, artifactName.trace, {
    strict: false,
    level: 'action',
  })
  const observed = { feedback, trace: trace.lines === 0 ? undefined : trace.metrics }
  const background = readRunBackground(location.runFolder)
  const { report } = makeReport(location, background, { strictness: 'lenient', computedAt })
  const hook = await hookFailures(rules, { folder: location.folder, report, env })
  return [...semanticFailures(rules, observed), ...hook]
}
