// Strict decoding: text is UTF-8 or it is not text. A byte order mark stays where it is.

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}
