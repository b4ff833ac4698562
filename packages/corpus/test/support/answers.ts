// Assertions on results: hits as short lines, the message of a failure, the hash of a text.
import { createHash } from 'node:crypto'
import type { Corpus, GrepArgs } from '../../src/corpus.ts'

/** Hits as `path:line:text`. */
export async function foundBy(corpus: Corpus, args: GrepArgs): Promise<string[]> {
  const { hits } = await corpus.grep(args)
  return hits.map((hit) => ('line' in hit ? `${hit.path}:${hit.line}:${hit.text}` : hit.path))
}

export async function messageOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    return (error as Error).message
  }
  return 'no error'
}

export const sha256 = (text: string): string =>
  `sha256:${createHash('sha256').update(text).digest('hex')}`
