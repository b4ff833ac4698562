// Hashes of slices. The module is loaded when the first hash is asked for: a server that is never asked
// for one starts without it.

/** As evidence carries it: `sha256:` and the hexadecimal digest of the text in UTF-8. */
export function sha256(text: string): string {
  return `sha256:${sha256Hex(text)}`
}

export function sha256Hex(text: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto')
  return createHash('sha256').update(text).digest('hex')
}
