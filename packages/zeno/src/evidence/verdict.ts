// The verdict on one piece of evidence, and the hash format of citations.
import { createHash } from 'node:crypto'
import { ZeeError } from '@zee/core/errors'

export interface Verdict {
  status: 'ok' | 'moved' | 'changed' | 'missing' | 'unhashed' | 'invalid'
  /** The citation: `src/a.ts:3-9`. */
  at?: string
  detail?: string
  /** With `moved`: the current lines of the text. */
  lines?: [start: number, end: number]
  /** With `moved`: the current file of the text. */
  path?: string
}

/** Evidence without a hash proves nothing about the text; `problem` is set if the lines do not exist. */
export function unhashedVerdict(at: string, problem: string | undefined): Verdict {
  if (problem !== undefined) return { status: 'changed', at, detail: problem }
  return { status: 'unhashed', at, detail: 'has no hash' }
}

export function movedVerdict(
  at: string,
  found: { path: string; lines: [number, number] } | undefined,
): Verdict | undefined {
  if (found === undefined) return undefined
  const { path, lines } = found
  return { status: 'moved', at, detail: `moved: ${path}:${lines.join('-')}`, lines, path }
}

/** Returns the digest of `sha256:<hex>` or bare hex; undefined without a hash, null for an invalid one. */
export function parseDigest(hash: unknown): string | undefined | null {
  if (hash === undefined || hash === null || hash === '') return undefined
  if (typeof hash !== 'string') return null
  return /^(?:sha256:)?([0-9a-f]{64})$/i.exec(hash)?.[1]?.toLowerCase() ?? null
}

/** The revision of a row; undefined without one, null for an invalid one. */
export function revOf({ rev }: Record<string, unknown>): string | undefined | null {
  if (rev === undefined || rev === null || rev === '') return undefined
  return typeof rev === 'string' ? rev : null
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
