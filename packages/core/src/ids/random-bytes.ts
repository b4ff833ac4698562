// Random bytes from the system without node:crypto, which costs a start three to five milliseconds.
import { closeSync, openSync, readSync } from 'node:fs'

/** The device is asked for some bytes more: a start needs several small pieces. */
const poolBytes = 64
let pool: Buffer = Buffer.alloc(0)

/** `count` unpredictable bytes as lower-case hex. */
export function randomHex(count: number): string {
  if (pool.length < count) pool = freshBytes(Math.max(poolBytes, count))
  const bytes = pool.subarray(0, count)
  pool = pool.subarray(count)
  return bytes.toString('hex')
}

function freshBytes(count: number): Buffer {
  return fromSystem(count) ?? process.getBuiltinModule('node:crypto').randomBytes(count)
}

/** Undefined where there is no such device. */
function fromSystem(count: number): Buffer | undefined {
  try {
    const descriptor = openSync('/dev/urandom', 'r')
    try {
      const bytes = Buffer.alloc(count)
      return readSync(descriptor, bytes, 0, count, null) === count ? bytes : undefined
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return undefined
  }
}
