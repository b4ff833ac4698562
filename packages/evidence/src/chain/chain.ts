// The hash chain over a trace: each line names the hash of the line before it, so that an edit, a
// removal or an insertion shows later, and which line it was.
import type * as crypto from 'node:crypto'
import { sha256Hex } from './sha256.ts'

/** What the first line of a trace carries: the hash of nothing. */
export const chainStart = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** Below this many bytes in all, loading Node's crypto costs more than it saves. */
const nativeThresholdBytes = 16_384

let hashedBytes = 0
let nativeCrypto: typeof crypto | undefined

/** SHA-256 of a line's bytes without its newline, in hex. */
export function lineHash(line: Uint8Array): string {
  hashedBytes += line.length
  if (nativeCrypto === undefined && hashedBytes < nativeThresholdBytes) return sha256Hex(line)
  nativeCrypto ??= process.getBuiltinModule('node:crypto')
  return nativeCrypto.hash('sha256', line)
}
