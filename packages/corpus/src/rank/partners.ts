// Files that belong to the best ones: those that changed together with them, and their tests by name.
import type { FileDocument } from './document-group.ts'
import type { PlacedExamples } from './history-scores.ts'

export interface Partner {
  path: string
  kind: 'changes with' | 'named like'
  gain: number
}

/** Best files whose partners move up. */
const seeds = 5
/** Commits in which a partner changed together with the file. */
const minShared = 2
/** Keeps one or two shared commits of a rarely changed file from counting as always. */
const shrinkage = 2

/** Gains by position of the document. */
export function partnersOf(
  documents: readonly FileDocument[],
  placed: PlacedExamples,
  scores: Float64Array,
  weights: { together: number; named: number },
): Map<number, Partner> {
  const best = bestPositions(scores, seeds)
  const top = scores[best[0] ?? 0] ?? 0
  const partners = new Map<number, Partner>()
  const offer = (at: number, partner: Partner): void => {
    if (partner.gain > (partners.get(at)?.gain ?? 0)) partners.set(at, partner)
  }
  for (const seed of best) {
    const { path } = documents[seed] as FileDocument
    // Weaker files pull their partners much less.
    const strength = (scores[seed] as number) ** 1.5 / Math.sqrt(top)
    for (const [at, share] of sharedChanges(placed, seed)) {
      offer(at, { path, kind: 'changes with', gain: weights.together * strength * share })
    }
    const { testedName } = documents[seed] as FileDocument
    for (const [at, document] of documents.entries()) {
      if (document.testedName !== testedName || testedName.length < 3 || at === seed) continue
      offer(at, { path, kind: 'named like', gain: weights.named * strength })
    }
  }
  return partners
}

/** Positions of the highest scores above 0, best first; ties in order. */
export function bestPositions(scores: Float64Array, max: number): number[] {
  const best: number[] = []
  for (const [at, score] of scores.entries()) {
    if (score <= 0) continue
    const last = best.at(-1)
    if (best.length === max && score <= (scores[last as number] as number)) continue
    let place = best.length
    while (place > 0 && (scores[best[place - 1] as number] as number) < score) place--
    best.splice(place, 0, at)
    if (best.length > max) best.pop()
  }
  return best
}

/** The share of a file's commits that changed another file, too. */
function sharedChanges(placed: PlacedExamples, seed: number): Map<number, number> {
  const shared = new Map<number, number>()
  let own = 0
  for (const files of placed.files) {
    if (!files.includes(seed)) continue
    own++
    for (const file of files) if (file !== seed) shared.set(file, (shared.get(file) ?? 0) + 1)
  }
  for (const [file, count] of shared) {
    if (count < minShared) shared.delete(file)
    else shared.set(file, count / (own + shrinkage))
  }
  return shared
}
