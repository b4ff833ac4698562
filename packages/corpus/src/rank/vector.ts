// The terms of a text in compact form: sorted hashes and how often each occurs.
import { eachTerm } from './tokens.ts'

export interface TermVector {
  hashes: Uint32Array
  counts: Uint16Array
  /** Terms in total. */
  length: number
}

const maxCount = 0xffff

export function vectorOf(texts: Iterable<string>): TermVector {
  const counts = new Map<number, number>()
  let length = 0
  for (const text of texts) {
    eachTerm(text, ({ hash }) => {
      counts.set(hash, (counts.get(hash) ?? 0) + 1)
      length++
    })
  }
  const hashes = Uint32Array.from(counts.keys()).sort()
  const sorted = Uint16Array.from(hashes, (hash) => Math.min(maxCount, counts.get(hash) ?? 0))
  return { hashes, counts: sorted, length }
}

/** How often a term occurs. */
export function countOf({ hashes, counts }: TermVector, hash: number): number {
  let [low, high] = [0, hashes.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((hashes[middle] as number) < hash) low = middle + 1
    else high = middle
  }
  return hashes[low] === hash ? (counts[low] as number) : 0
}

export function bytesOf({ hashes }: TermVector): number {
  return hashes.length * 6
}
