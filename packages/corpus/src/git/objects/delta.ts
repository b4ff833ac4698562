// Applies a delta of a pack to its base: copies of ranges of the base, and inserted bytes.

/** The target of a delta; undefined if the delta is damaged. */
export function applyDelta(base: Buffer, delta: Buffer): Buffer | undefined {
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = delta[at++] ?? 0
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
  }
  if (varint() !== base.length) return undefined
  const size = varint()
  if (size > 2 ** 31) return undefined
  const target = Buffer.allocUnsafe(size)
  let written = 0
  while (at < delta.length) {
    const code = delta[at++] as number
    if (code === 0) return undefined
    if (code < 0x80) {
      if (at + code > delta.length || written + code > size) return undefined
      delta.copy(target, written, at, at + code)
      at += code
      written += code
      continue
    }
    let offset = 0
    let length = 0
    for (let bit = 0; bit < 4; bit++)
      if (code & (1 << bit)) offset += (delta[at++] ?? 0) * 256 ** bit
    for (let bit = 0; bit < 3; bit++) {
      if (code & (0x10 << bit)) length += (delta[at++] ?? 0) * 256 ** bit
    }
    if (length === 0) length = 0x10000
    if (offset + length > base.length || written + length > size) return undefined
    base.copy(target, written, offset, offset + length)
    written += length
  }
  return written === size ? target : undefined
}
