// Answers in which hits are JSON already: an engine may write them straight from the bytes of files, and then
// they are put into the answer as they are. Nobody else sees the difference.
import type { WrittenHits } from '@zee/corpus'
import { asciiJson } from '../json/json.ts'
import type { Result } from '../engine/engine.ts'

/** Pieces of ASCII that make a text one after the other. */
export type AsciiPieces = (string | Uint8Array)[]

/** An answer without its metrics, as ASCII JSON. */
export function bodyPieces(result: Result): AsciiPieces {
  const { metrics: _, written: __, ...fields } = result
  const body = asciiJson(fields)
  const written = writtenHits(result)
  if (written === undefined || !body.startsWith(emptyHitsPrefix)) return [body]
  const pieces: AsciiPieces = ['{"hits":[']
  for (const [index, piece] of written.pieces.entries()) {
    const comma = index === 0 ? '' : ','
    if (piece instanceof Uint8Array) pieces.push(...(comma === '' ? [] : [comma]), piece)
    else pieces.push(comma + asciiJson(piece))
  }
  return [...pieces, `]${body.slice(emptyHitsPrefix.length)}`]
}

const emptyHitsPrefix = '{"hits":[]'

export function joinPieces(pieces: AsciiPieces): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : decodeAscii(piece))).join('')
}

/** The answer with its hits as objects. */
export function withParsedHits(result: Result): Result {
  const { written: _, ...fields } = result
  const written = writtenHits(result)
  if (written === undefined) return result
  const hits = written.pieces.flatMap((piece: unknown) =>
    piece instanceof Uint8Array ? (JSON.parse(`[${decodeAscii(piece)}]`) as unknown[]) : [piece],
  )
  return { ...fields, hits }
}

/** How long a list of an answer is; undefined when it is none. */
export function countListItems(result: Result, list: string): number | undefined {
  const { hits } = result.metrics
  if (list === 'hits' && result.written !== undefined && typeof hits === 'number') return hits
  const value = result[list]
  return Array.isArray(value) ? value.length : undefined
}

/** The hits of an answer where they are JSON already. */
export function writtenHits(result: Result): WrittenHits | undefined {
  return result.written as WrittenHits | undefined
}

function decodeAscii(ascii: Uint8Array): string {
  return Buffer.from(ascii.buffer, ascii.byteOffset, ascii.length).toString('latin1')
}
