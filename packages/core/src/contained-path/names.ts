// Converts file names between bytes and text. A byte that is not UTF-8 becomes the lone surrogate
// U+DC00 + byte (as in Python's surrogateescape), so the conversion is reversible.

const surrogates = /[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g

/** The text of a name, from the bytes that the system returned. */
export function nameText(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  // U+FFFD means that the decoder replaced a byte, or that the name contains it.
  if (!text.includes('\ufffd')) return text
  let escaped = ''
  for (let index = 0; index < bytes.length;) {
    const length = characterLength(bytes, index)
    escaped +=
      length === 0
        ? String.fromCharCode(0xdc00 + (bytes[index] as number))
        : bytes.toString('utf8', index, index + length)
    index += length || 1
  }
  return escaped
}

/** The name to pass to system calls for a text; undefined if the text encodes no name. */
export function systemName(text: string): string | Buffer | undefined {
  if (text.includes('\0')) return undefined
  if (text.isWellFormed()) return text
  const bytes: Buffer[] = []
  let done = 0
  for (const match of text.matchAll(surrogates)) {
    if (match[0].length === 2) continue
    const code = match[0].charCodeAt(0)
    if (code < 0xdc80 || code > 0xdcff) return undefined
    bytes.push(Buffer.from(text.slice(done, match.index)), Buffer.of(code - 0xdc00))
    done = match.index + 1
  }
  return Buffer.concat([...bytes, Buffer.from(text.slice(done))])
}

/** Length in bytes of the UTF-8 character at an index, 0 if it is malformed. */
function characterLength(bytes: Buffer, index: number): number {
  const lead = bytes[index] as number
  if (lead < 0x80) return 1
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
  if (lead < 0xc2 || lead > 0xf4 || index + length > bytes.length) return 0
  const character = bytes.subarray(index, index + length)
  return Buffer.from(character.toString('utf8')).equals(character) ? length : 0
}
