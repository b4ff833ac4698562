// Ranks the files of a corpus for a text in natural language, without a model. Documents are cached by content, and
// examples from the history by commit.
import type { CorpusRoot } from '../root/root.ts'
import { Examples } from './commits.ts'
import { DocumentStore } from './document-store.ts'

export { ExampleList } from './commits.ts'
export type { DocumentStore } from './document-store.ts'
export type { FileDocument } from './document-group.ts'
export { questionOf } from './question.ts'
export { rankFiles } from './score.ts'
export type { Ranked } from './score.ts'
export { bestSpans } from './spans.ts'

/** Memory for documents; 10,000 files of usual size need a third. */
const documentBytes = 128 << 20

/** What ranking remembers between requests. */
export interface RankMemory {
  examples: Examples
  documents: DocumentStore
}

const memories = new WeakMap<CorpusRoot, RankMemory>()

export function rankMemory(root: CorpusRoot): RankMemory {
  const known = memories.get(root)
  if (known !== undefined) return known
  const created = { examples: new Examples(), documents: new DocumentStore(documentBytes) }
  memories.set(root, created)
  return created
}
