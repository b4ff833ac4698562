// The blobs of a repository in memory: contents up to a limit in bytes, and facts of every blob that was read. A blob
// is identified by its content, so revisions share what they have in common.
import { countChars } from '../text/text.ts'
import { ByteCache } from '../git/git.ts'
import type { Repository } from '../git/git.ts'
import { mayContain, signatureOf } from './signature.ts'
import type { Signature } from './signature.ts'

export interface BlobFacts {
  bytes: number
  chars: number
  signature: Signature
}

export class BlobStore {
  readonly #repository: Repository
  readonly #contents: ByteCache<Buffer>
  readonly #facts: ByteCache<BlobFacts>

  constructor(repository: Repository, maxBytes: number) {
    this.#repository = repository
    this.#contents = new ByteCache(maxBytes * 0.75)
    this.#facts = new ByteCache(maxBytes * 0.25)
  }

  /** Starts a request that may read more blobs than the store can hold. */
  startPass(): void {
    this.#contents.startPass()
    this.#facts.startPass()
  }

  read(object: string): Buffer {
    const cached = this.#contents.get(object)
    if (cached !== undefined) return cached
    const bytes = this.#repository.blob(object)
    this.#contents.set(object, bytes, bytes.length)
    return bytes
  }

  /** False if a blob does not contain a text with these trigrams; reads only blobs that were never read. */
  mayContain(object: string, hashes: Uint32Array): boolean {
    return mayContain(this.facts(object).signature, hashes)
  }

  facts(object: string): BlobFacts {
    const cached = this.#facts.get(object)
    if (cached !== undefined) return cached
    const content = this.read(object)
    const facts = {
      bytes: content.length,
      chars: countChars(content),
      signature: signatureOf(content),
    }
    this.#facts.set(object, facts, facts.signature.length)
    return facts
  }
}
