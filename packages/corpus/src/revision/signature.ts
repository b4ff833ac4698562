// A Bloom filter over the trigrams of a blob, in which ASCII letters have no case. It tells which blobs cannot
// contain a text, so that a search over history reads few of them.

/** Its length in bits is a power of two. */
export type Signature = Uint8Array

const minBits = 256
const maxBits = 1 << 18

export function signatureOf(bytes: Buffer): Signature {
  let bits = minBits
  while (bits < bytes.length * 2 && bits < maxBits) bits *= 2
  const signature = new Uint8Array(bits >> 3)
  const mask = bits - 1
  const { length } = bytes
  if (length < 3) return signature
  let window = (lower[bytes[0] as number] as number) << 8
  window |= lower[bytes[1] as number] as number
  for (let at = 2; at < length; at++) {
    window = ((window << 8) | (lower[bytes[at] as number] as number)) & 0xffffff
    const bit = (Math.imul(window, 0x9e3779b1) >>> 12) & mask
    signature[bit >> 3] = (signature[bit >> 3] as number) | (1 << (bit & 7))
  }
  return signature
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
