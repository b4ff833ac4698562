// Random bytes from the system without node:crypto, which adds 3 to 5 ms to a start.
import { closeSync, openSync, readSync } from 'node:fs'

/** Bytes per read of the device; a start needs several small pieces. */
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

/** Undefined where /dev/urandom does not exist. */
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
