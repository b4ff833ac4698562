// Names that are no UTF-8 as text: such a byte becomes the lone surrogate U+DC00 + byte, the form in
// which clients get these names and send them back.

/** Bytes as text that leads back to the same bytes. */
export function escapedText(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  if (Buffer.from(text).equals(bytes)) return text
  let escaped = ''
  for (let at = 0; at < bytes.length;) {
    const length = [1, 2, 3, 4].find((count) => isOneCharacter(bytes.subarray(at, at + count)))
    escaped +=
      length === undefined
        ? String.fromCharCode(0xdc00 + (bytes[at] as number))
        : bytes.toString('utf8', at, at + length)
    at += length ?? 1
  }
  return escaped
}

function isOneCharacter(bytes: Buffer): boolean {
  const text = bytes.toString('utf8')
  return Array.from(text).length === 1 && Buffer.from(text).equals(bytes)
}
