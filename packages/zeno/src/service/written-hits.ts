// Results whose hits are already serialized. The engine may write hits as JSON bytes directly from file
// contents; these bytes are inserted into the answer unchanged, which saves parsing and serializing them.
import type { Certificate, WrittenHits } from '@zee/corpus'
import { asciiJson } from '../json/json.ts'
import { certificateJson } from './certificate.ts'
import type { Result } from '../engine/engine.ts'

/** ASCII text in consecutive pieces. */
export type AsciiPieces = (string | Uint8Array)[]

/** Serializes a result without its metrics as ASCII JSON. */
export function bodyPieces(result: Result): AsciiPieces {
  const { metrics: _, written: __, certificate, ...fields } = result
  const body = withCertificate(asciiJson(fields), certificate)
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

/** Inserts the certificate of a search before the closing bracket of its other fields. */
function withCertificate(fields: string, certificate: unknown): string {
  if (certificate === undefined) return fields
  return `${fields.slice(0, -1)},"certificate":${certificateJson(certificate as Certificate)}}`
}

/** Concatenates pieces into a string. */
export function joinPieces(pieces: AsciiPieces): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : decodeAscii(piece))).join('')
}

/** Returns the result with its serialized hits parsed into objects. */
export function withParsedHits(result: Result): Result {
  const { written: _, ...fields } = result
  const written = writtenHits(result)
  if (written === undefined) return result
  const hits = written.pieces.flatMap((piece: unknown) =>
    piece instanceof Uint8Array ? (JSON.parse(`[${decodeAscii(piece)}]`) as unknown[]) : [piece],
  )
  return { ...fields, hits }
}

/** Returns the length of a list in the result, undefined if there is no such list. */
export function countListItems(result: Result, list: string): number | undefined {
  const { hits } = result.metrics
  const isElsewhere = result.written !== undefined || typeof result.text === 'string'
  if (list === 'hits' && isElsewhere && typeof hits === 'number') return hits
  const value = result[list]
  return Array.isArray(value) ? value.length : undefined
}

/** Returns the serialized hits of a result, undefined if its hits are plain objects. */
export function writtenHits(result: Result): WrittenHits | undefined {
  return result.written as WrittenHits | undefined
}

function decodeAscii(ascii: Uint8Array): string {
  return Buffer.from(ascii.buffer, ascii.byteOffset, ascii.length).toString('latin1')
}
