// Draws a sample of the missions of a suite. The same seed draws the same missions on every machine.
import { Random } from '@zee/evidence/statistics'
import type { Suite } from '@zee/evidence/suite'

/** The suite with `size` of its missions, in their order. */
export function sampleMissions(suite: Suite, size: number, seed: number): Suite {
  const { missions } = suite
  if (size >= missions.length) return suite
  const random = new Random(seed)
  const left = missions.map((_, index) => index)
  const kept = new Set<number>()
  while (kept.size < size) {
    const [index = 0] = left.splice(random.below(left.length), 1)
    kept.add(index)
  }
  return { ...suite, missions: missions.filter((_, index) => kept.has(index)) }
}
