// Hashes the prompt, the expectations and the graders of a mission. Attempts are grouped and compared only if
// both the mission id and this hash are equal.
import { createHash } from 'node:crypto'
import { canonicalJson } from '@zee/core/canonical-json'
import { readPrompt, type EvidenceFolder } from '../artifact/artifact.ts'
import { findMission, gradersOf, type Suite } from '../suite/suite.ts'

const hexDigits = 16

/** The content hashes of the missions of a run, cached. */
export class ContentHashes {
  readonly #suite: Suite | undefined
  readonly #cache = new Map<string, string>()

  constructor(suite: Suite | undefined) {
    this.#suite = suite
  }

  /** The hash of a mission; uses the prompt of the attempt if the suite has none. */
  of(missionId: string, attempt: EvidenceFolder): string {
    const mission = findMission(this.#suite, missionId)
    const prompt = mission?.prompt ?? readPrompt(attempt)
    const key = `${missionId}\n${prompt ?? ''}\n${prompt === undefined}`
    const cached = this.#cache.get(key)
    if (cached !== undefined) return cached
    const graders = gradersOf(this.#suite, missionId)
    const hash = contentHash({ missionId, prompt, expects: mission?.expects, graders })
    this.#cache.set(key, hash)
    return hash
  }
}

export interface MissionContent {
  missionId: string
  prompt?: string
  expects?: unknown
  /** Verifiers, scorers and the judge. */
  graders?: unknown
}

/** The first 16 hex digits of the SHA-256 of the canonical JSON, without absent fields. */
export function contentHash({ missionId, prompt, expects, graders }: MissionContent): string {
  const content = {
    missionId,
    ...(prompt === undefined ? {} : { prompt }),
    ...(expects === undefined ? {} : { expects }),
    ...(graders === undefined ? {} : { graders }),
  }
  return createHash('sha256').update(canonicalJson(content)).digest('hex').slice(0, hexDigits)
}
