// Creates and validates the identifiers of the zcl contract: run ids, kebab ids, UUIDs.
import { ZeeError } from '../errors/errors.ts'
import { randomHex } from './random-bytes.ts'

export { fingerprint } from './fingerprint.ts'
export { randomHex } from './random-bytes.ts'

/** Creates a run id, `20260215-180012Z-09c5a6`: the UTC second and three random bytes. */
export function newRunId(now: Date): string {
  const year = now.getUTCFullYear()
  if (!(year >= 0 && year <= 9999)) {
    throw new ZeeError('invalid_time', 'a run id needs a time within the years 0000 to 9999')
  }
  const [day = '', time = ''] = now.toISOString().replace(/[-:]/g, '').split('T')
  return `${day}-${time.slice(0, 6)}Z-${randomHex(3)}`
}

export function isRunId(text: string): boolean {
  return /^[0-9]{8}-[0-9]{6}Z-[0-9a-f]{6}$/.test(text)
}

/**
 * The canonical form of a suite or mission id: lower case, each run of characters outside `a-z0-9`
 * replaced by one `-`, no `-` at the ends, cut to `maxBytes`. May be empty.
 */
export function kebabId(text: string, maxBytes = 64): string {
  // After lower-casing, one replacement covers trimming, `_` to `-` and collapsing.
  const dashed = text.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  const id = dashed.startsWith('-') ? dashed.slice(1) : dashed
  const cut = id.slice(0, Math.max(0, maxBytes))
  return cut.endsWith('-') ? cut.slice(0, -1) : cut
}

/** Checks the pattern only: ids written by other programs may exceed our length limit. */
export function isKebabId(text: string): boolean {
  return /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text)
}

/** A random (version 4) UUID in lower case. */
export function newUuid(): string {
  const hex = randomHex(16)
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 3)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-')
}
