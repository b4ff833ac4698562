// What verification can say of one piece of evidence, and how a citation is read.
import { createHash } from 'node:crypto'
import { ZeeError } from '@zee/core/errors'

export interface Verdict {
  status: 'ok' | 'moved' | 'changed' | 'missing' | 'invalid'
  /** What was cited: `src/a.ts:3-9`. */
  at?: string
  detail?: string
  /** With `moved`: the lines where the text is now. */
  lines?: [start: number, end: number]
}

/** The digest of `sha256:<hex>` or of bare hex; undefined for no hash, null for what is none. */
export function parseDigest(hash: unknown): string | undefined | null {
  if (hash === undefined || hash === null || hash === '') return undefined
  if (typeof hash !== 'string') return null
  return /^(?:sha256:)?([0-9a-f]{64})$/i.exec(hash)?.[1]?.toLowerCase() ?? null
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Why a file could not be read, as a verdict. */
export function unreadableVerdict(error: unknown, at: string): Verdict {
  if (!(error instanceof ZeeError)) throw error
  const gone = error.code === 'enoent' || error.code === 'enotdir'
  return { status: gone ? 'missing' : 'invalid', at, detail: error.message }
}
