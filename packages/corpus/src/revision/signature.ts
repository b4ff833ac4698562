// A Bloom filter over the trigrams of a blob, in which ASCII letters have no case. It tells which blobs cannot
// contain a text, so that a search over history reads few of them.

/** Its length in bits is a power of two. */
export type Signature = Uint8Array

const minBits = 128
const maxBits = 1 << 18
/** At least this many bits for each trigram: then a wrong candidate for a word of five letters is one in 100. */
const bitsPerTrigram = 3

/** Bits of the blob that is signed, at the largest size. */
const scratch = new Uint8Array(maxBits >> 3)

/** Its size follows from the number of trigrams: 6 % of the text of a history on average. */
export function signatureOf(bytes: Buffer): Signature {
  const { length } = bytes
  if (length < 3) return new Uint8Array(minBits >> 3)
  let bits = minBits
  while (bits < length * 2 && bits < maxBits) bits *= 2
  const mask = bits - 1
  const signature = scratch.fill(0, 0, bits >> 3)
  let count = 0
  let window = (lower[bytes[0] as number] as number) << 8
  window |= lower[bytes[1] as number] as number
  for (let at = 2; at < length; at++) {
    window = ((window << 8) | (lower[bytes[at] as number] as number)) & 0xffffff
    const bit = (Math.imul(window, 0x9e3779b1) >>> 12) & mask
    const known = signature[bit >> 3] as number
    const set = known | (1 << (bit & 7))
    if (set === known) continue
    count++
    signature[bit >> 3] = set
  }
  while (bits > minBits && bits >> 1 >= count * bitsPerTrigram) bits = fold(signature, bits)
  return signature.slice(0, bits >> 3)
}

/** Joins the halves: a hash keeps its lower bits. Returns the new number of bits. */
function fold(signature: Uint8Array, bits: number): number {
  const half = bits >> 4
  for (let at = 0; at < half; at++) {
    signature[at] = (signature[at] as number) | (signature[at + half] as number)
  }
  return bits >> 1
}

/** The hashes of a text's trigrams; empty for a short text, which any blob may contain. */
export function trigramHashes(text: Uint8Array): Uint32Array {
  const hashes = new Uint32Array(Math.max(0, text.length - 2))
  for (let at = 0; at + 2 < text.length; at++) {
    const window =
      ((lower[text[at] as number] as number) << 16) |
      ((lower[text[at + 1] as number] as number) << 8) |
      (lower[text[at + 2] as number] as number)
    hashes[at] = Math.imul(window, 0x9e3779b1) >>> 12
  }
  return hashes
}

/** False if a blob with this signature does not contain a text with these hashes. */
export function mayContain(signature: Signature, hashes: Uint32Array): boolean {
  const mask = signature.length * 8 - 1
  for (const hash of hashes) {
    const bit = hash & mask
    if (((signature[bit >> 3] as number) & (1 << (bit & 7))) === 0) return false
  }
  return true
}

const lower = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte,
)
