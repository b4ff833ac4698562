// Compares the trace and the outcome of an attempt with the harness's own record of them: evidence that
// changed after the attempt, or that no funnel wrote, is forged.
import { closeSync } from 'node:fs'
import { openArtifact, readJsonArtifact, type EvidenceFolder } from '../artifact/artifact.ts'
import { artifactName, labArtifactName } from '../layout/layout.ts'
import { hashOfFile } from './captures.ts'
import type { Scope } from './findings.ts'

const recorded = [
  ['traceSha256', artifactName.trace],
  ['feedbackSha256', artifactName.feedback],
] as const

export function checkHarnessRecord(from: EvidenceFolder, scope: Scope): void {
  const read = readJsonArtifact(from, labArtifactName.harnessRecord)
  // Attempts outside the lab have none; a broken one is reported as a file that does not parse.
  if (read.failure !== undefined) return
  const record = read.value
  for (const [key, name] of recorded) {
    const hash = record[key]
    if (hash !== null && typeof hash !== 'string') continue
    if (hash === currentHash(from, name)) continue
    scope.error('ZCL_E_FORGED_EVIDENCE', 'it is not what the harness recorded', name)
  }
  if (record.trusted === true) return
  const { added, removed, feedbackForged, changed } = record
  const isForged =
    [added, removed].some((count) => typeof count === 'number' && count > 0) ||
    feedbackForged === true ||
    (Array.isArray(changed) && changed.length > 0)
  if (!isForged) return
  const message = 'the evidence of the attempt differed from what its funnels reported'
  scope.error('ZCL_E_FORGED_EVIDENCE', message, labArtifactName.harnessRecord)
}

/** Null if the file is not there or cannot be read. */
function currentHash(from: EvidenceFolder, name: string): string | null {
  const opened = openArtifact(from, name)
  if (opened.failure !== undefined) return null
  try {
    return hashOfFile(opened.descriptor)
  } finally {
    closeSync(opened.descriptor)
  }
}
