// Ranks the files of a corpus for a text in natural language, without a model. Documents are cached by content, and
// examples from the history by commit.
import type { CorpusRoot } from '../root/root.ts'
import { ByteCache } from '../git/git.ts'
import { Examples } from './commits.ts'
import { documentOf } from './documents.ts'
import type { FileDocument } from './documents.ts'

export type { Example } from './commits.ts'
export type { FileDocument } from './documents.ts'
export { rankFiles } from './score.ts'
export type { Ranked } from './score.ts'
export { bestSpans } from './spans.ts'
export { hashOf, termsOf } from './tokens.ts'
export { countOf } from './vector.ts'

/** Memory for documents; 10,000 files of usual size need a third. */
const documentBytes = 128 << 20

interface CachedDocument {
  stamp: string
  document: FileDocument | undefined
}

/** What ranking remembers between requests. */
export class RankMemory {
  readonly examples = new Examples()
  readonly #documents = new ByteCache<CachedDocument>(documentBytes)

  /** The document of a file; `stamp` changes with its content, undefined where that is unknown. */
  document(
    path: string,
    stamp: string | undefined,
    read: () => Buffer | undefined,
  ): FileDocument | undefined {
    const cached = stamp === undefined ? undefined : this.#documents.get(path)
    if (cached !== undefined && cached.stamp === stamp) return cached.document
    const bytes = read()
    const document = bytes === undefined ? undefined : documentOf(path, bytes)
    if (stamp !== undefined && bytes !== undefined) {
      this.#documents.set(path, { stamp, document }, document?.bytes ?? 0)
    }
    return document
  }
}

const memories = new WeakMap<CorpusRoot, RankMemory>()

export function rankMemory(root: CorpusRoot): RankMemory {
  const known = memories.get(root)
  if (known !== undefined) return known
  const created = new RankMemory()
  memories.set(root, created)
  return created
}
