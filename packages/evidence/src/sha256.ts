// SHA-256 in plain JavaScript. Loading Node's crypto takes a start two to three milliseconds; hashing
// a usual trace line here takes a fraction of one. Long input is for the native one.

const roundConstants = constantsOf(64, 1 / 3)
const initialState = constantsOf(8, 1 / 2)
const schedule = new Int32Array(64)

/** SHA-256 of the bytes, in hex. */
export function sha256Hex(bytes: Uint8Array): string {
  const state = Int32Array.from(initialState)
  const padded = paddedMessage(bytes)
  for (let at = 0; at < padded.byteLength; at += 64) compress(state, padded, at)
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

/** The first 32 bits of the fractional parts of roots of the first primes. */
function constantsOf(count: number, exponent: number): Int32Array {
  const words = new Int32Array(count)
  for (let candidate = 2, found = 0; found < count; candidate++) {
    let divisor = 2
    while (divisor * divisor <= candidate && candidate % divisor !== 0) divisor++
    if (divisor * divisor <= candidate) continue
    words[found++] = ((candidate ** exponent % 1) * 2 ** 32) | 0
  }
  return words
}

/** The message, a one bit, zeros, and its length in bits. */
function paddedMessage(bytes: Uint8Array): DataView {
  const size = ((bytes.length + 8) >> 6) * 64 + 64
  const padded = new Uint8Array(size)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(size - 8, Math.floor(bytes.length / 2 ** 29))
  view.setUint32(size - 4, bytes.length << 3)
  return view
}

function compress(state: Int32Array, block: DataView, start: number): void {
  const w = schedule
  for (let t = 0; t < 16; t++) w[t] = block.getInt32(start + t * 4)
  for (let t = 16; t < 64; t++) {
    const x = w[t - 15] as number
    const y = w[t - 2] as number
    const s0 = rotated(x, 7) ^ rotated(x, 18) ^ (x >>> 3)
    const s1 = rotated(y, 17) ^ rotated(y, 19) ^ (y >>> 10)
    w[t] = ((w[t - 16] as number) + s0 + (w[t - 7] as number) + s1) | 0
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let t = 0; t < 64; t++) {
    const s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
    const choice = (e & f) ^ (~e & g)
    const first = (h + s1 + choice + (roundConstants[t] as number) + (w[t] as number)) | 0
    const s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + s0 + majority) | 0
  }
  for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) {
    state[at] = ((state[at] as number) + word) | 0
  }
}

function rotated(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by))
}
