// Records whose whole text follows from their id, so that a test can tell a fragment from damage.

/** Sizes from 20 bytes to 200 KB; `bigShare` of them large enough to be torn by a kill. */
export function recordText(id: string, bigShare: number): string {
  const hash = hashOf(id)
  const share = (hash % 1000) / 1000
  const room = share < bigShare ? 20_000 + (hash % 180_000) : hash % 400
  return JSON.stringify({ id, pad: padding(hash, room) })
}

export function idOf(text: string): string | undefined {
  return /^\{"id":"([\w-]+)"/.exec(text)?.[1]
}

/** Some paddings have characters of two bytes, so that a tear can split one. */
function padding(hash: number, bytes: number): string {
  const letter = String.fromCharCode(0x61 + (hash % 26))
  return hash % 3 === 0 ? 'ü'.repeat(bytes / 2) : letter.repeat(bytes)
}

function hashOf(text: string): number {
  let hash = 2_166_136_261
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 16_777_619) >>> 0
  return hash >>> 4
}
