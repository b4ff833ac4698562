// The last commits as examples: what their messages say, and which files they changed together.
import { treeChanges } from '../history/history.ts'
import type { Commit } from '../git/git.ts'
import type { RevisionReader } from '../revision/revision.ts'
import type { Steps } from '../steps.ts'
import { vectorOf } from './vector.ts'
import type { TermVector } from './vector.ts'

export interface Example {
  message: TermVector
  /** Relative to the root. */
  files: readonly string[]
}

/** Commits to read. */
const maxCommits = 1500
/** A commit that changes more files is no example: it is a move, a format run or an import. */
const maxFiles = 40
/** Commits whose examples stay in memory. */
const maxCached = 20_000

/** Examples by commit; a commit never changes. */
export class Examples {
  readonly #known: Map<string, Example | undefined>

  constructor() {
    this.#known = new Map()
  }

  /** Newest first, without merges. */
  *before(reader: RevisionReader, start: Commit): Steps<Example[]> {
    const examples: Example[] = []
    let count = 0
    for (const commit of reader.repository.byDate([start.name])) {
      if (count++ === maxCommits) break
      if (!this.#known.has(commit.name)) {
        yield
        if (this.#known.size >= maxCached) this.#known.clear()
        this.#known.set(commit.name, exampleOf(reader, commit))
      }
      const example = this.#known.get(commit.name)
      if (example !== undefined) examples.push(example)
    }
    return examples
  }
}

function exampleOf({ repository, prefix }: RevisionReader, commit: Commit): Example | undefined {
  const [parent, ...others] = commit.parents
  if (others.length > 0) return undefined
  const before = parent === undefined ? undefined : repository.commit(parent).tree
  const under = prefix === '' ? undefined : prefix.slice(0, -1)
  const changes = treeChanges(repository, before, commit.tree, under)
  if (changes.length === 0 || changes.length > maxFiles) return undefined
  const files = changes
    .filter(({ before: one, after }) => (after ?? one)?.kind === 'file')
    .map(({ path }) => path.slice(prefix.length))
  return { message: vectorOf([commit.message]), files }
}
