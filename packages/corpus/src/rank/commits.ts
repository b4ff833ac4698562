// The last commits as examples: what their messages say, and which files they changed together.
import { treeChanges } from '../history/history.ts'
import type { Commit } from '../git/git.ts'
import type { RevisionReader } from '../revision/revision.ts'
import type { Steps } from '../steps.ts'
import { titleAndBody } from './question.ts'
import { vectorOf } from './vector.ts'
import type { TermVector } from './vector.ts'

export interface Example {
  title: TermVector
  body: TermVector
  /** Relative to the root. */
  files: readonly string[]
}

/** The examples before one commit, newest first, with the postings of their terms. */
export class ExampleList {
  readonly examples: readonly Example[]
  readonly #postings = new Map<number, Posting[]>()

  constructor(examples: readonly Example[]) {
    this.examples = examples
    for (const [at, { title, body }] of examples.entries()) {
      this.#addAll(at, title, 'title')
      this.#addAll(at, body, 'body')
    }
  }

  /** The examples with a term, in order. */
  having(hash: number): readonly Posting[] {
    return this.#postings.get(hash) ?? []
  }

  #addAll(at: number, { hashes, counts }: TermVector, part: 'title' | 'body'): void {
    for (const [index, hash] of hashes.entries()) {
      let postings = this.#postings.get(hash)
      if (postings === undefined) this.#postings.set(hash, (postings = []))
      let last = postings.at(-1)
      if (last?.example !== at) postings.push((last = { example: at, title: 0, body: 0 }))
      last[part] = counts[index] as number
    }
  }
}

interface Posting {
  /** Position in the list. */
  example: number
  /** How often the term occurs. */
  title: number
  body: number
}

/** Commits to read. */
const maxCommits = 1500
/** A commit that changes more files is no example: it is a move, a format run or an import. */
const maxFiles = 40
/** Commits whose examples stay in memory. */
const maxCached = 20_000

/** Examples by commit; a commit never changes. */
export class Examples {
  readonly #known = new Map<string, Example | undefined>()
  #last: { start: string; list: ExampleList } | undefined;

  /** Without merges. */
  *before(reader: RevisionReader, start: Commit): Steps<ExampleList> {
    if (this.#last?.start === start.name) return this.#last.list
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
    const list = new ExampleList(examples)
    this.#last = { start: start.name, list }
    return list
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
  const [title, body] = titleAndBody(commit.message)
  return { title: vectorOf([title]), body: vectorOf([body]), files }
}
