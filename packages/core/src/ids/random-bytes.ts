// Random bytes from the system without node:crypto, which adds 3 to 5 ms to a start.
import { closeSync, openSync, readSync } from 'node:fs'

/** Bytes that one read takes: `zcl run` needs four random values, and each read opens the device. */
const poolBytes = 128
let pool: Buffer = Buffer.alloc(0)

/** `count` unpredictable bytes as lower-case hex. */
export function randomHex(count: number): string {
  if (pool.length < count) {
    const size = Math.max(count, poolBytes)
    pool = fromSystem(size) ?? process.getBuiltinModule('node:crypto').randomBytes(size)
  }
  const hex = pool.toString('hex', 0, count)
  pool = pool.subarray(count)
  return hex
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
