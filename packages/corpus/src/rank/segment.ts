// The terms of some hundred documents as postings: for each term the documents that have it. A segment never changes.
import { fields } from './documents.ts'
import type { Field, FieldVectors } from './documents.ts'

/** For each of the sorted hashes, documents and counts from its offset to the next one. */
interface Postings {
  hashes: Uint32Array
  offsets: Uint32Array
  documents: Uint16Array
  counts: Uint16Array
}

export const segmentDocuments = 512

export class Segment {
  readonly bytes: number
  readonly #postings: Readonly<Record<Field, Postings>>

  constructor(vectors: readonly FieldVectors[]) {
    const postings = fields.map((field) => postingsOf(vectors, field))
    this.#postings = Object.fromEntries(
      fields.map((field, at) => [field, postings[at]]),
    ) as Readonly<Record<Field, Postings>>
    this.bytes = postings.reduce(
      (sum, { hashes, documents }) => sum + hashes.length * 8 + documents.length * 4,
      0,
    )
  }

  /** Calls `use` with each document that has a term, by its number in the segment. */
  each(field: Field, hash: number, use: (document: number, count: number) => void): void {
    const { hashes, offsets, documents, counts } = this.#postings[field]
    const term = positionOf(hashes, hash)
    if (term === -1) return
    const end = offsets[term + 1] as number
    for (let at = offsets[term] as number; at < end; at++) {
      use(documents[at] as number, counts[at] as number)
    }
  }

  has(field: Field, hash: number, document: number): boolean {
    const { hashes, offsets, documents } = this.#postings[field]
    const term = positionOf(hashes, hash)
    if (term === -1) return false
    return documents.subarray(offsets[term], offsets[term + 1]).includes(document)
  }
}

function postingsOf(vectors: readonly FieldVectors[], field: Field): Postings {
  let size = 0
  for (const each of vectors) size += each[field].hashes.length
  // One number holds the hash and the document, so that a plain sort orders by both.
  const keys = new Float64Array(size)
  let at = 0
  for (const [document, each] of vectors.entries()) {
    for (const hash of each[field].hashes) keys[at++] = hash * segmentDocuments + document
  }
  keys.sort()
  const [documents, counts] = [new Uint16Array(size), new Uint16Array(size)]
  const [hashes, offsets] = [new Uint32Array(size), new Uint32Array(size + 1)]
  const cursors = new Uint32Array(vectors.length)
  let terms = 0
  for (const [index, key] of keys.entries()) {
    const document = key % segmentDocuments
    const hash = (key - document) / segmentDocuments
    if (hashes[terms - 1] !== hash) {
      hashes[terms] = hash
      offsets[terms++] = index
    }
    documents[index] = document
    // The vector of a document is sorted, too, so its counts come in this order.
    const cursor = cursors[document] as number
    cursors[document] = cursor + 1
    counts[index] = vectors[document]?.[field].counts[cursor] as number
  }
  offsets[terms] = size
  return { hashes: hashes.slice(0, terms), offsets: offsets.slice(0, terms + 1), documents, counts }
}

function positionOf(hashes: Uint32Array, hash: number): number {
  let [low, high] = [0, hashes.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((hashes[middle] as number) < hash) low = middle + 1
    else high = middle
  }
  return hashes[low] === hash ? low : -1
}
