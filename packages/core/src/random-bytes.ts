// Random bytes from the system without node:crypto, which costs a start three to five milliseconds.
import { closeSync, openSync, readSync } from 'node:fs'

/** `count` unpredictable bytes as lower-case hex. */
export function randomBytesHex(count: number): string {
  return (fromSystem(count) ?? process.getBuiltinModule('node:crypto').randomBytes(count)).toString(
    'hex',
  )
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
