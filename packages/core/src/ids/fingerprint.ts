// A 64-bit FNV-1a hash: a short, stable name for a text, not a cryptographic digest. Hot commands run it in
// the interpreter, where BigInt is several times slower and every number above 31 bits is an object of its
// own; so the hash is four numbers of 16 bits.

/** The FNV prime is 2^40 + primeLow. */
const primeLow = 0x1b3

/** The hash of the text's UTF-8 bytes as 16 lower-case hex digits. */
export function fingerprint(text: string): string {
  const bytes = Buffer.from(text)
  let [a, b, c, d] = [0xcbf2, 0x9ce4, 0x8422, 0x2325]
  for (let at = 0; at < bytes.length; at++) {
    const low = d ^ (bytes[at] ?? 0)
    const third = c
    let sum = low * primeLow
    d = sum & 0xffff
    sum = (sum >>> 16) + c * primeLow
    c = sum & 0xffff
    // 2^40 moves the two lower numbers up by two places and eight bits.
    sum = (sum >>> 16) + b * primeLow + (low << 8)
    b = sum & 0xffff
    sum = (sum >>> 16) + a * primeLow + (third << 8)
    a = sum & 0xffff
  }
  return hex(a) + hex(b) + hex(c) + hex(d)
}

function hex(quarter: number): string {
  return quarter.toString(16).padStart(4, '0')
}
