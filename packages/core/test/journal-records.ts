// Records whose text is a function of their id, so that a test can tell a fragment from damage.

/** Sizes range from 20 bytes to 200 KB; the share `bigShare` is large enough for a kill to tear it. */
export function recordText(id: string, bigShare: number): string {
  const hash = hashOf(id)
  const share = (hash % 1000) / 1000
  const bytes = share < bigShare ? 20_000 + (hash % 180_000) : hash % 400
  return JSON.stringify({ id, pad: padding(hash, bytes) })
}

export function idOf(text: string): string | undefined {
  return /^\{"id":"([\w-]+)"/.exec(text)?.[1]
}

/** A third of the paddings has two-byte characters, so that a tear can split one. */
function padding(hash: number, bytes: number): string {
  const letter = String.fromCharCode(0x61 + (hash % 26))
  return hash % 3 === 0 ? 'ü'.repeat(bytes / 2) : letter.repeat(bytes)
}

function hashOf(text: string): number {
  let hash = 2_166_136_261
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 16_777_619) >>> 0
  return hash >>> 4
}
