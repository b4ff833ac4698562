// SHA-256 of texts. `node:crypto` is loaded lazily: most requests need no hash.

/** `sha256:` and the hexadecimal digest of the text in UTF-8, as evidence records it. */
export function sha256(text: string): string {
  return `sha256:${sha256Hex(text)}`
}

export function sha256Hex(text: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto')
  return createHash('sha256').update(text).digest('hex')
}
