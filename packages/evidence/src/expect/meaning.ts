// Whether the result of an attempt means anything, by rules that may come from elsewhere than its suite.
import { readJsonArtifact } from '../artifact/artifact.ts'
import { semanticFailures, type ExpectationFailure } from '../checks/checks.ts'
import { artifactName } from '../layout/layout.ts'
import { makeReport, readRunBackground, type AttemptLocation } from '../report/report.ts'
import type { FeedbackFile } from '../schema/schema.ts'
import { hookFailures } from './hook.ts'
import type { SemanticExpectations } from '../suite/suite.ts'
import { summariseTrace } from '../summary/summary.ts'

export async function checkMeaning(
  place: AttemptLocation,
  rules: SemanticExpectations,
  env: Readonly<Record<string, string | undefined>>,
  computedAt: string,
): Promise<ExpectationFailure[]> {
  const from = { path: place.folder, within: place.runFolder ?? place.folder }
  const read = readJsonArtifact(from, artifactName.feedback)
  const feedback = read.failure === undefined ? (read.value as unknown as FeedbackFile) : undefined
  const trace = summariseTrace(from, artifactName.trace, false)
  const observed = { feedback, trace: trace.lines === 0 ? undefined : trace.metrics }
  const background = readRunBackground(place.runFolder)
  const { report } = makeReport(place, background, { strictness: 'lenient', computedAt })
  const hook = await hookFailures(rules, { folder: place.folder, report, env })
  return [...semanticFailures(rules, observed), ...hook]
}
