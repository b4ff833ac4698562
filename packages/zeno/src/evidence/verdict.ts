// The verdict on one piece of evidence, and the hash format of citations.
import { createHash } from 'node:crypto'
import { ZeeError } from '@zee/core/errors'

export interface Verdict {
  status: 'ok' | 'moved' | 'changed' | 'missing' | 'invalid'
  /** The citation: `src/a.ts:3-9`. */
  at?: string
  detail?: string
  /** With `moved`: the current lines of the text. */
  lines?: [start: number, end: number]
}

/** Returns the digest of `sha256:<hex>` or bare hex; undefined without a hash, null for an invalid one. */
export function parseDigest(hash: unknown): string | undefined | null {
  if (hash === undefined || hash === null || hash === '') return undefined
  if (typeof hash !== 'string') return null
  return /^(?:sha256:)?([0-9a-f]{64})$/i.exec(hash)?.[1]?.toLowerCase() ?? null
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Turns a read error into a verdict; rethrows unexpected errors. */
export function unreadableVerdict(error: unknown, at: string): Verdict {
  if (!(error instanceof ZeeError)) throw error
  const isMissing = error.code === 'enoent' || error.code === 'enotdir'
  return { status: isMissing ? 'missing' : 'invalid', at, detail: error.message }
}
