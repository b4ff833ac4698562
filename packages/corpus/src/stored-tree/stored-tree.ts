// A corpus over files that are stored elsewhere, for example in a database: the tree of a commit as a list of paths,
// and the contents that the caller has loaded. Answers equal those at the same revision of the repository.
import { systemClock } from '@zee/core/clock'
import { ZeeError } from '@zee/core/errors'
import type { DenyRules } from '../deny/deny.ts'
import { createOperations } from '../operations/operations.ts'
import type { OperationRunner, Operations } from '../operations/operations.ts'
import type { Revision, RevisionReader } from '../revision/revision.ts'
import { openCorpusRoot } from '../root/root.ts'
import type { CorpusRoot } from '../root/root.ts'
import { runSteps } from '../steps.ts'
import type { CorpusThreads } from '../threads.ts'
import { storedRepository } from './stored-repository.ts'

export { repositoryFiles } from './repository-files.ts'
export type { RepositoryFile, RepositoryFiles } from './repository-files.ts'
export { requiredTexts } from './required-texts.ts'
export type { RequiredTexts } from './required-texts.ts'

export interface StoredFile {
  path: string
  /** Identifies the content. */
  object: string
}

export interface StoredTree {
  /** Name of the commit, for citations. */
  commit: string
  /** Seconds since 1970. */
  time: number
  files: readonly StoredFile[]
  /** The content of a loaded file; undefined if it is not stored. */
  read(object: string): Buffer | undefined
}

export interface StoredTreeOptions {
  threads: CorpusThreads
  deny?: DenyRules | undefined
  regexMs?: number
}

const defaultRegexMs = 10_000
/** Contents are in memory already. */
const cacheBytes = 1 << 20

/** Operations need the argument `rev` with the name of the commit, so that their results cite it. */
export async function openStoredTree(
  tree: StoredTree,
  options: StoredTreeOptions,
): Promise<Operations> {
  const monotonicMs = (): number => systemClock.monotonicMs()
  const root: CorpusRoot = { ...openCorpusRoot('/'), deny: options.deny }
  const reader = await readerOf(root, tree)
  const revisions = { open: () => Promise.resolve(reader), close: () => {} }
  const { regexWorker } = options.threads
  const regexMs = options.regexMs ?? defaultRegexMs
  const run: OperationRunner = async (steps, { signal } = {}) => {
    const request = { startedMs: monotonicMs(), monotonicMs, signal, writesHits: false }
    const { source } = reader.at(tree.commit)
    const engine = { root, source, revisions, regexWorker, regexMs, ...request }
    return await runSteps(steps(engine), { monotonicMs, signal })
  }
  return createOperations(run)
}

/** A reader with one revision. Loaded lazily, as for other revisions. */
async function readerOf(root: CorpusRoot, tree: StoredTree): Promise<RevisionReader> {
  const module = await import('../revision/revision.ts')
  const { commit } = tree
  return new (class extends module.RevisionReader {
    override at(revision: string): Revision {
      if (revision === commit) return new module.Revision(this, this.repository.commit(commit))
      throw new ZeeError('git', `unknown revision: ${revision}`)
    }
  })(root, cacheBytes, storedRepository(tree))
}
