// A word as UTF-8 bytes with its hash (FNV-1a).

/** Receives a word as UTF-8 bytes and their hash; the bytes are valid during the call only. */
export type OnWord = (bytes: Uint8Array, start: number, end: number, hash: number) => void

/** Longer words (keys, encoded data) are cut to this length. */
export const maxWordBytes = 64

export const firstHash = 0x811c9dc5
export const prime = 0x01000193

/** Emits the word at the start of `bytes`. */
export function emitBytes(bytes: Uint8Array, length: number, onWord: OnWord): void {
  let hash = firstHash
  for (let at = 0; at < length; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), prime)
  onWord(bytes, 0, length, mixHash(hash))
}

/** Mixes high bits into the low bits, which select the table slot. */
export function mixHash(hash: number): number {
  return (hash ^ (hash >>> 15)) >>> 0
}
