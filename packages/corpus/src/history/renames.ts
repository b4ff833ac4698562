// Finds renames among the changes of a commit as git does: equal contents first, then unique names, then the most
// similar pairs of deleted and added files.
import type { TreeEntry } from '../git/git.ts'
import type { BlobStore } from '../revision/revision.ts'
import { maxScore, minScore, similarity, spansOf } from './similarity.ts'
import type { Spans } from './similarity.ts'
import type { FileChange } from './tree-changes.ts'

interface Side {
  path: string
  name: string
  entry: TreeEntry
  isUsed: boolean
  content?: { bytes: number; spans(): Spans }
}

interface Candidate {
  source: Side
  target: Side
  score: number
  isSameName: boolean
}

/** Product of the numbers of deleted and added files above which only equal contents count. */
const maxPairs = 1000 * 1000
const candidatesPerTarget = 4

/** Old paths by new path. `only` limits the search to one new path. */
export function findRenames(
  changes: readonly FileChange[],
  blobs: BlobStore,
  only?: string,
): Map<string, string> {
  const sources = changes.flatMap(({ path, before, after }) =>
    before !== undefined && after === undefined ? [sideOf(path, before)] : [],
  )
  const targets = changes.flatMap(({ path, before, after }) =>
    before === undefined && after !== undefined && (only === undefined || path === only)
      ? [sideOf(path, after)]
      : [],
  )
  const renames = new Map<string, string>()
  if (sources.length === 0 || targets.length === 0) return renames
  const pair = (source: Side, target: Side): void => {
    source.isUsed = true
    target.isUsed = true
    renames.set(target.path, source.path)
  }
  pairEqual(sources, targets, pair)
  const score = (source: Side, target: Side, least: number): number =>
    source.entry.kind === 'file' && target.entry.kind === 'file'
      ? similarity(contentOf(source, blobs), contentOf(target, blobs), least)
      : 0
  pairUniqueNames(sources, targets, score, pair)
  pairSimilar(sources, targets, score, pair)
  return renames
}

type Pair = (source: Side, target: Side) => void
type Score = (source: Side, target: Side, least: number) => number

function pairEqual(sources: Side[], targets: Side[], pair: Pair): void {
  const byObject = groupBy(sources, ({ entry }) => entry.object)
  for (const target of targets) {
    const equal = (byObject.get(target.entry.object) ?? []).filter(
      ({ isUsed, entry }) => !isUsed && entry.kind === target.entry.kind,
    )
    const source = equal.find(({ name }) => name === target.name) ?? equal[0]
    if (source !== undefined) pair(source, target)
  }
}

function pairUniqueNames(sources: Side[], targets: Side[], score: Score, pair: Pair): void {
  const least = minScore + (maxScore - minScore) / 2
  const byName = groupBy(unused(targets), ({ name }) => name)
  const sourcesByName = groupBy(unused(sources), ({ name }) => name)
  for (const [name, [source, ...others]] of sourcesByName) {
    const [target, ...more] = byName.get(name) ?? []
    if (source === undefined || target === undefined || others.length + more.length > 0) continue
    if (score(source, target, least) >= least) pair(source, target)
  }
}

function pairSimilar(allSources: Side[], allTargets: Side[], score: Score, pair: Pair): void {
  const [sources, targets] = [unused(allSources), unused(allTargets)]
  if (sources.length * targets.length > maxPairs) return
  const candidates: Candidate[] = []
  for (const target of targets) {
    const best: Candidate[] = []
    for (const source of sources) {
      const isSameName = source.name === target.name
      keepBest(best, { source, target, score: score(source, target, minScore), isSameName })
    }
    candidates.push(...best)
  }
  for (const { source, target, score: found } of candidates.sort(compare)) {
    if (found < minScore) return
    if (!source.isUsed && !target.isUsed) pair(source, target)
  }
}

/** Replaces the worst of four candidates by a better one, in its place. */
function keepBest(best: Candidate[], candidate: Candidate): void {
  if (best.length < candidatesPerTarget) {
    best.push(candidate)
    return
  }
  let worst = 0
  for (let at = 1; at < best.length; at++) {
    if (compare(best[at] as Candidate, best[worst] as Candidate) > 0) worst = at
  }
  if (compare(best[worst] as Candidate, candidate) > 0) best[worst] = candidate
}

function compare(a: Candidate, b: Candidate): number {
  return b.score - a.score || Number(b.isSameName) - Number(a.isSameName)
}

function groupBy(sides: readonly Side[], key: (side: Side) => string): Map<string, Side[]> {
  const groups = new Map<string, Side[]>()
  for (const side of sides) {
    const group = groups.get(key(side))
    if (group === undefined) groups.set(key(side), [side])
    else group.push(side)
  }
  return groups
}

function unused(sides: Side[]): Side[] {
  return sides.filter(({ isUsed }) => !isUsed)
}

function sideOf(path: string, entry: TreeEntry): Side {
  return { path, name: path.slice(path.lastIndexOf('/') + 1), entry, isUsed: false }
}

function contentOf(side: Side, blobs: BlobStore): { bytes: number; spans(): Spans } {
  if (side.content !== undefined) return side.content
  const content = blobs.read(side.entry.object)
  let spans: Spans | undefined
  side.content = { bytes: content.length, spans: () => (spans ??= spansOf(content)) }
  return side.content
}
