// Finds superseded tries. A planned attempt may have several tries, which share an index. The first
// try with an answer counts, or else the latest. The others are kept and counted nowhere.
import path from 'node:path'
import { validArtifact, type EvidenceFolder } from '../artifact/artifact.ts'
import { asObject } from '../json/json.ts'
import { artifactName, attemptsFolder, parseAttemptId } from '../layout/layout.ts'
import { infraFailureKind, isAnswer, readOutcome } from '../outcome/outcome.ts'

/** Of these attempts of a run, the tries that do not count. */
export function supersededTries(runFolder: string, names: readonly string[]): Set<string> {
  const tries = new Map<string, { name: string; retry: number }[]>()
  for (const name of names) {
    const parts = parseAttemptId(name)
    if (parts === undefined) continue
    const key = `${parts.index} ${parts.missionId}`
    const group = tries.get(key)
    if (group === undefined) tries.set(key, [{ name, retry: parts.retry }])
    else group.push({ name, retry: parts.retry })
  }
  const superseded = new Set<string>()
  for (const group of tries.values()) {
    if (group.length < 2) continue
    group.sort((a, b) => a.retry - b.retry)
    const counted = group.find(({ name }) => isAnswered(runFolder, name)) ?? group.at(-1)
    for (const { name } of group) if (name !== counted?.name) superseded.add(name)
  }
  return superseded
}

function isAnswered(runFolder: string, name: string): boolean {
  const from: EvidenceFolder = {
    path: path.join(attemptsFolder(runFolder), name),
    within: runFolder,
  }
  const outcome = readOutcome(from)
  if (outcome !== undefined) return isAnswer(outcome.outcome)
  const feedback = validArtifact(from, artifactName.feedback)
  if (feedback === undefined) return false
  return asObject(feedback.resultJson).kind !== infraFailureKind
}
