// Decodes UTF-8 strictly and keeps a byte order mark.

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Undefined if the bytes are not valid UTF-8. */
export function decodeStrictUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(bytes)
  } catch {
    return undefined
  }
}
