// Revisions of the repository that contains the root. The reader is loaded by the first request that needs it.
import type { RevisionReader } from './revision/revision.ts'
import type { CorpusRoot } from './root/root.ts'

export interface LazyRevisions {
  /** Throws a ZeeError if the root is not in a repository. */
  open(): Promise<RevisionReader>
  close(): void
}

/** `maxBytes` limits the memory for contents of blobs. */
export function createLazyRevisions(root: CorpusRoot, maxBytes: number): LazyRevisions {
  let reader: RevisionReader | undefined
  return {
    async open() {
      const module = await import('./revision/revision.ts')
      if (reader?.repository.isStale() === true) {
        reader.close()
        reader = undefined
      }
      reader ??= new module.RevisionReader(root, maxBytes)
      return reader
    },
    close: () => reader?.close(),
  }
}
