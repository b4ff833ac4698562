// File names are bytes; as text, a byte that is no UTF-8 is the lone surrogate U+DC00 + byte, so
// that every name has one text and every such text leads back to its name.

const pairOrLone = /[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g

/** The text of a name, from the bytes that the system gave. */
export function nameText(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  // Only then was something replaced, or the name really holds that character.
  if (!text.includes('\ufffd')) return text
  let escaped = ''
  for (let at = 0; at < bytes.length;) {
    const length = characterLength(bytes, at)
    escaped +=
      length === 0
        ? String.fromCharCode(0xdc00 + (bytes[at] as number))
        : bytes.toString('utf8', at, at + length)
    at += length || 1
  }
  return escaped
}

/** What to give to the system for a text; undefined when the text is no name. */
export function systemName(text: string): string | Buffer | undefined {
  if (text.includes('\0')) return undefined
  if (text.isWellFormed()) return text
  const bytes: Buffer[] = []
  let done = 0
  for (const match of text.matchAll(pairOrLone)) {
    if (match[0].length === 2) continue
    const code = match[0].charCodeAt(0)
    if (code < 0xdc80 || code > 0xdcff) return undefined
    bytes.push(Buffer.from(text.slice(done, match.index)), Buffer.of(code - 0xdc00))
    done = match.index + 1
  }
  return Buffer.concat([...bytes, Buffer.from(text.slice(done))])
}

/** Bytes of the well-formed character at a place, 0 when there is none. */
function characterLength(bytes: Buffer, at: number): number {
  const lead = bytes[at] as number
  if (lead < 0x80) return 1
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
  if (lead < 0xc2 || lead > 0xf4 || at + length > bytes.length) return 0
  const character = bytes.subarray(at, at + length)
  return Buffer.from(character.toString('utf8')).equals(character) ? length : 0
}
