// Answers in which hits are JSON already: an engine may write them straight from the bytes of files, and then
// they are put into the answer as they are. Nobody else sees the difference.
import { asciiJson } from './ascii-json.ts'
import type { Result } from './engine.ts'

/** An answer without its metrics, as ASCII JSON. */
export function bodyOf(result: Result): string {
  const { metrics: _, written, ...fields } = result
  const body = asciiJson(fields)
  if (!Array.isArray(written) || !body.startsWith(noHits)) return body
  const hits = written.map((piece: unknown) =>
    typeof piece === 'string' ? piece : asciiJson(piece),
  )
  return `{"hits":[${hits.join(',')}]${body.slice(noHits.length)}`
}

const noHits = '{"hits":[]'

/** The answer with its hits as objects. */
export function wholeResult(result: Result): Result {
  const { written, ...fields } = result
  if (!Array.isArray(written)) return result
  const hits = written.flatMap((piece: unknown) =>
    typeof piece === 'string' ? (JSON.parse(`[${piece}]`) as unknown[]) : [piece],
  )
  return { ...fields, hits }
}

/** How long a list of an answer is; undefined when it is none. */
export function countIn(result: Result, list: string): number | undefined {
  const { hits } = result.metrics
  if (list === 'hits' && result.written !== undefined && typeof hits === 'number') return hits
  const value = result[list]
  return Array.isArray(value) ? value.length : undefined
}
