// The prompt of an attempt, as every reader of evidence sees it: a regular file of the run, bounded.
import { closeSync } from 'node:fs'
import { openArtifact, readAll, type EvidenceFolder } from './artifact-file.ts'
import { artifactName } from './layout.ts'

/** Beyond this a prompt counts with its beginning. */
const longestPrompt = 16 * 1024 * 1024

/** Undefined without a prompt, and for one that is no file of the run. */
export function readPrompt(attempt: EvidenceFolder): string | undefined {
  const opened = openArtifact(attempt, artifactName.prompt)
  if (opened.failure !== undefined) return undefined
  try {
    const size = Math.min(opened.size, longestPrompt)
    return readAll({ ...opened, size }).toString('utf8')
  } finally {
    closeSync(opened.descriptor)
  }
}
