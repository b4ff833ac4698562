// Up to 512 documents that are stored and evicted together. A full group holds its terms as postings; before that,
// its documents keep their vectors.
import { bareNameOf, sizeOf, testedNameOf } from './documents.ts'
import type { Field, FieldVectors, FileTerms } from './documents.ts'
import { Segment } from './segment.ts'
import { countOf } from './vector.ts'

export interface FileDocument {
  path: string
  /** The file name without its extension, as written and without the marks of a test. */
  bareName: string
  testedName: string
  weight: number
  isNamesOnly: boolean
  /** Terms in total, by field. */
  lengths: Readonly<Record<Field, number>>
  group: DocumentGroup
  /** Its number in the group. */
  number: number
}

/** Memory of a document besides its terms. */
const documentBytes = 500

export class DocumentGroup {
  readonly documents: FileDocument[] = []
  readonly keys: (string | undefined)[] = []
  /** Its documents have no stamp. */
  readonly isPassing: boolean
  /** The last request that used a document of the group. */
  request = 0
  bytes = 0
  #vectors: FieldVectors[] = []
  #segment: Segment | undefined

  constructor(isPassing = false) {
    this.isPassing = isPassing
  }

  add(key: string | undefined, terms: FileTerms): FileDocument {
    const { path, vectors } = terms
    const name = path.slice(path.lastIndexOf('/') + 1)
    const lengths = {
      content: vectors.content.length,
      symbols: vectors.symbols.length,
      file: vectors.file.length,
      folder: vectors.folder.length,
    }
    const number = this.documents.length
    const document = {
      path,
      bareName: bareNameOf(name),
      testedName: testedNameOf(name),
      weight: terms.weight,
      isNamesOnly: terms.isNamesOnly,
      lengths,
      group: this,
      number,
    }
    this.documents.push(document)
    this.keys.push(key)
    this.#vectors.push(vectors)
    this.bytes += sizeOf(terms)
    return document
  }

  /** Calls `use` with each document that has a term, by its number in the group. */
  each(field: Field, hash: number, use: (document: number, count: number) => void): void {
    if (this.#segment !== undefined) return this.#segment.each(field, hash, use)
    for (const [number, vectors] of this.#vectors.entries()) {
      const count = countOf(vectors[field], hash)
      if (count > 0) use(number, count)
    }
  }

  has(field: Field, hash: number, number: number): boolean {
    if (this.#segment !== undefined) return this.#segment.has(field, hash, number)
    const vectors = this.#vectors[number]
    return vectors !== undefined && countOf(vectors[field], hash) > 0
  }

  /** Replaces the vectors by postings. Returns the change of memory. */
  seal(): number {
    const before = this.bytes
    this.#segment = new Segment(this.#vectors)
    this.#vectors = []
    this.bytes = this.#segment.bytes + this.documents.length * documentBytes
    return this.bytes - before
  }
}
