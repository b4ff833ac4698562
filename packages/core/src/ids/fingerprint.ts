// A short name for a text, the same on every run: not a secret and not a proof, only an identity
// (64-bit FNV-1a). In halves of 32 bits, because a start runs this in the interpreter, where big
// integers cost several times as much.

const startHigh = 0xcbf29ce4
const startLow = 0x84222325
/** The prime is 2^40 + this. */
const primeLow = 0x1b3

/** 16 lower-case hex digits. */
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
