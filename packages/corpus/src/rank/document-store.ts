// Documents by path and content stamp, within a limit of memory.
import { DocumentGroup } from './document-group.ts'
import type { FileDocument } from './document-group.ts'
import { sizeOf, termsOfFile } from './documents.ts'
import type { FileTerms } from './documents.ts'
import { segmentDocuments } from './segment.ts'

/** Binary files that are remembered, so that they are not read again. */
const maxBinary = 50_000

export class DocumentStore {
  readonly #maxBytes: number
  readonly #known = new Map<string, FileDocument>()
  readonly #binary = new Set<string>()
  readonly #groups = new Set<DocumentGroup>()
  #open = new DocumentGroup()
  /** Documents without a stamp, which only the current request may use. */
  #passing = new DocumentGroup(true)
  #bytes = 0
  #request = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Ends the previous request: documents that it used may be evicted. */
  startRequest(): void {
    this.#request++
    for (const group of this.#groups) if (group.isPassing) this.#evict(group)
    this.#passing = new DocumentGroup(true)
  }

  /** The document of a file; `stamp` changes with its content, undefined where that is unknown. */
  document(
    path: string,
    stamp: string | undefined,
    read: () => Buffer | undefined,
  ): FileDocument | undefined {
    const key = stamp === undefined ? undefined : `${stamp} ${path}`
    const known = key === undefined ? undefined : this.#known.get(key)
    if (known !== undefined) {
      known.group.request = this.#request
      return known
    }
    if (key !== undefined && this.#binary.has(key)) return undefined
    const bytes = read()
    if (bytes === undefined) return undefined
    const terms = termsOfFile(path, bytes, this.#makeRoom(bytes.length))
    if (terms !== undefined) return this.#add(key, terms)
    if (this.#binary.size >= maxBinary) this.#binary.clear()
    if (key !== undefined) this.#binary.add(key)
    return undefined
  }

  #add(key: string | undefined, terms: FileTerms): FileDocument {
    const group = key === undefined ? this.#passing : this.#open
    const document = group.add(key, terms)
    this.#bytes += sizeOf(terms)
    this.#groups.add(group)
    group.request = this.#request
    if (key !== undefined) this.#known.set(key, document)
    if (group.documents.length === segmentDocuments) {
      this.#bytes += group.seal()
      if (group.isPassing) this.#passing = new DocumentGroup(true)
      else this.#open = new DocumentGroup()
    }
    return document
  }

  /** Evicts groups that the current request has not used. False if the terms of another file do not fit. */
  #makeRoom(fileBytes: number): boolean {
    // The terms of a small file need about as much memory as the file, those of a large one much less.
    const needed = Math.min(fileBytes, 64 << 10)
    if (this.#bytes + needed <= this.#maxBytes) return true
    const unused = [...this.#groups].filter(({ request }) => request !== this.#request)
    for (const group of unused.sort((a, b) => a.request - b.request)) {
      this.#evict(group)
      if (this.#bytes + needed <= this.#maxBytes) return true
    }
    return false
  }

  #evict(group: DocumentGroup): void {
    for (const key of group.keys) if (key !== undefined) this.#known.delete(key)
    this.#groups.delete(group)
    this.#bytes -= group.bytes
    if (group === this.#open) this.#open = new DocumentGroup()
  }
}
