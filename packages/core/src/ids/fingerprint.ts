// A 64-bit FNV-1a hash: a short, stable name for a text, not a cryptographic digest. Computed in 32-bit
// halves because hot commands run it in the interpreter, where BigInt is several times slower.

const startHigh = 0xcbf29ce4
const startLow = 0x84222325
/** The FNV prime is 2^40 + primeLow. */
const primeLow = 0x1b3

/** The hash of the text's UTF-8 bytes as 16 lower-case hex digits. */
export function fingerprint(text: string): string {
  let [high, low] = [startHigh, startLow]
  for (const byte of Buffer.from(text)) {
    const mixed = (low ^ byte) >>> 0
    // Both products stay far below 2^53, so they are exact.
    const product = mixed * primeLow
    low = product >>> 0
    high = (high * primeLow + mixed * 0x100 + (product - low) / 2 ** 32) >>> 0
  }
  return hex(high) + hex(low)
}

function hex(half: number): string {
  return half.toString(16).padStart(8, '0')
}
