// How much of a text is copied from another, estimated from hashes of their lines as git does.

export const maxScore = 60_000
/** Score from which two files count as a rename: half of the larger one is equal. */
export const minScore = 30_000

/** Bytes of a text by hash of its lines, or of pieces of 64 bytes of long lines. */
export type Spans = ReadonlyMap<number, number>

const hashBase = 107_927
const maxSpan = 64
const checkedBytes = 8000

export function spansOf(bytes: Buffer): Spans {
  const spans = new Map<number, number>()
  const isText = !bytes.subarray(0, checkedBytes).includes(0)
  let [count, one, two] = [0, 0, 0]
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (isText && byte === 0x0d && bytes[at + 1] === 0x0a) continue
    const previous = one
    one = (one << 7) ^ (two >>> 25)
    two = (two << 7) ^ (previous >>> 25)
    one = (one + byte) | 0
    if (++count < maxSpan && byte !== 0x0a) continue
    const hash = ((one + Math.imul(two, 0x61)) >>> 0) % hashBase
    spans.set(hash, (spans.get(hash) ?? 0) + count)
    count = one = two = 0
  }
  // Git before 2.44 leaves out a last line without a line feed.
  return spans
}

/** The score of two files, 0 to `maxScore`; 0 if their sizes alone rule out `least`. */
export function similarity(
  one: { bytes: number; spans(): Spans },
  two: { bytes: number; spans(): Spans },
  least: number,
): number {
  const larger = Math.max(one.bytes, two.bytes)
  const difference = larger - Math.min(one.bytes, two.bytes)
  if (larger * (maxScore - least) < difference * maxScore) return 0
  if (two.bytes === 0) return 0
  const target = two.spans()
  let copied = 0
  for (const [hash, count] of one.spans()) copied += Math.min(count, target.get(hash) ?? 0)
  return Math.floor((copied * maxScore) / larger)
}
