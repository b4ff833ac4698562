// A short name for a text, the same on every run: not a secret and not a proof, only an identity
// (64-bit FNV-1a).

const start = 0xcbf29ce484222325n
const prime = 0x100000001b3n

/** 16 lower-case hex digits. */
export function fingerprint(text: string): string {
  let hash = start
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * prime)
  return hash.toString(16).padStart(16, '0')
}
