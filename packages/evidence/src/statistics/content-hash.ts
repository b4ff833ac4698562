// What a mission was when it was attempted: a hash of its prompt and expectations. Attempts are only
// put together, and only compared, when both the mission's name and this hash are the same.
import { createHash } from 'node:crypto'
import { canonicalJson } from '@zee/core/canonical-json'
import { readPrompt, type EvidenceFolder } from '../artifact/artifact.ts'
import { findMission, type Suite } from '../suite/suite.ts'

const hexDigits = 16

/** The hashes of a run's missions; what the suite says is read once. */
export class ContentHashes {
  readonly #suite: Suite | undefined
  readonly #cache = new Map<string, string>()

  constructor(suite: Suite | undefined) {
    this.#suite = suite
  }

  /** The suite's snapshot says; where it has no prompt, the prompt of the attempt counts. */
  of(missionId: string, attempt: EvidenceFolder): string {
    const mission = findMission(this.#suite, missionId)
    const prompt = mission?.prompt ?? readPrompt(attempt)
    const key = `${missionId}\n${prompt ?? ''}\n${prompt === undefined}`
    const known = this.#cache.get(key)
    if (known !== undefined) return known
    const hash = contentHash({ missionId, prompt, expects: mission?.expects })
    this.#cache.set(key, hash)
    return hash
  }
}

export interface MissionContent {
  missionId: string
  prompt?: string
  expects?: unknown
}

/** The first 16 hex digits of the SHA-256 of the canonical JSON of what is there. */
export function contentHash({ missionId, prompt, expects }: MissionContent): string {
  const content = {
    missionId,
    ...(prompt === undefined ? {} : { prompt }),
    ...(expects === undefined ? {} : { expects }),
  }
  return createHash('sha256').update(canonicalJson(content)).digest('hex').slice(0, hexDigits)
}
