// The hash chain over the lines of a journal. Each line carries the hash of the previous line, which
// exposes edited, removed and inserted lines.
import type * as crypto from 'node:crypto'
import { sha256Hex } from './sha256.ts'

/** The chain value of the first line: SHA-256 of no bytes. */
export const chainStart = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** Below this total of hashed bytes, loading `node:crypto` costs more time than it saves. */
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
