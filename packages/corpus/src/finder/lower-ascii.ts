// Lower case of ASCII bytes, four at a time.

let scratch = Buffer.alloc(0)

/** The lower case of bytes that are all below 0x80, in a buffer that the next call overwrites. */
export function lowerAscii(bytes: Buffer): Buffer {
  if (scratch.length < bytes.length) {
    scratch = Buffer.allocUnsafeSlow(Math.max(bytes.length, 1 << 16, scratch.length * 2))
  }
  // The copy is aligned, so that it can be read as words.
  bytes.copy(scratch)
  const words = new Int32Array(scratch.buffer, 0, bytes.length >> 2)
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as number
    // Sets the top bit of each byte that is between 'A' and 'Z'.
    const upper = (word + 0x3f3f3f3f) & ~(word + 0x25252525) & 0x80808080
    words[at] = word | (upper >>> 2)
  }
  for (let at = words.length * 4; at < bytes.length; at++) {
    const byte = scratch[at] as number
    if (byte >= 0x41 && byte <= 0x5a) scratch[at] = byte | 0x20
  }
  return scratch.subarray(0, bytes.length)
}
