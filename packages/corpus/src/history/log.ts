// The history of a path or of a text, in the order and with the simplification of `git log`.
import type { Commit, Repository, TreeEntry } from '../git/git.ts'
import { CommitQueue } from '../git/git.ts'
import { trigramHashes } from '../revision/revision.ts'
import type { RevisionReader } from '../revision/revision.ts'
import { findRenames } from './renames.ts'
import { isSame, treeChanges } from './tree-changes.ts'
import type { FileChange } from './tree-changes.ts'

export interface LogRequest {
  start: Commit
  /** A file or folder of the repository; empty for everything. */
  path: string
  /** Only commits that change how often this text occurs. */
  text: Buffer | undefined
  /** Files whose contents are not searched. */
  isDenied(path: string): boolean
}

/** Commits, newest first; undefined for a commit that does not belong to the log. */
export function* logOf(reader: RevisionReader, request: LogRequest): Generator<Commit | undefined> {
  const { repository } = reader
  const pickaxe =
    request.text === undefined ? undefined : new Pickaxe(reader, request, request.text)
  for (const { commit, isChanged } of simplified(repository, request)) {
    const isShown = isChanged && pickaxe?.matches(commit) !== false
    yield isShown ? commit : undefined
  }
}

/** Follows only parents that explain the path: one with the same content, or else all. */
function* simplified(
  repository: Repository,
  { start, path }: LogRequest,
): Generator<{ commit: Commit; isChanged: boolean }> {
  const queue = new CommitQueue()
  const seen = new Set([start.name])
  queue.add(start)
  for (let commit = queue.take(); commit !== undefined; commit = queue.take()) {
    const { parents, isChanged } = followed(repository, commit, path)
    for (const parent of parents) {
      if (seen.has(parent)) continue
      seen.add(parent)
      queue.add(repository.commit(parent))
    }
    yield { commit, isChanged }
  }
}

function followed(
  repository: Repository,
  commit: Commit,
  path: string,
): { parents: readonly string[]; isChanged: boolean } {
  const { parents } = commit
  if (path === '') return { parents, isChanged: true }
  const entryIn = (tree: string): TreeEntry | undefined => repository.entryAt(tree, path)
  const own = entryIn(commit.tree)
  if (parents.length === 0) return { parents, isChanged: own !== undefined }
  const same = parents.find((parent) => isSame(entryIn(repository.commit(parent).tree), own))
  return same === undefined ? { parents, isChanged: true } : { parents: [same], isChanged: false }
}

/** Finds commits that change the number of occurrences of a text in some file. Merges never do, as in git. */
class Pickaxe {
  readonly #reader: RevisionReader
  readonly #request: LogRequest
  readonly #text: Buffer
  readonly #hashes: Uint32Array
  /** By blob: a revision shares most blobs with the next. */
  readonly #counts = new Map<string, number>()

  constructor(reader: RevisionReader, request: LogRequest, text: Buffer) {
    this.#reader = reader
    this.#request = request
    this.#text = text
    this.#hashes = trigramHashes(text)
  }

  matches({ tree, parents }: Commit): boolean {
    if (parents.length > 1) return false
    const { repository } = this.#reader
    const [parent] = parents
    const before = parent === undefined ? undefined : repository.commit(parent).tree
    const { path, isDenied } = this.#request
    const changes = treeChanges(repository, before, tree, path === '' ? undefined : path).filter(
      (change) => !isDenied(change.path),
    )
    const differing = changes.filter(({ before: one, after: two }) => this.#differs(one, two))
    return differing.length > 0 && this.#hasUnexplained(changes, differing)
  }

  /** Whether a difference remains when renamed files are compared with their old contents. */
  #hasUnexplained(changes: readonly FileChange[], differing: readonly FileChange[]): boolean {
    const renames = findRenames(changes, this.#reader.blobs)
    if (renames.size === 0) return true
    const byPath = new Map(changes.map((change) => [change.path, change]))
    const sources = new Set(renames.values())
    return (
      differing.some(({ path, before, after }) => {
        if (after === undefined) return !sources.has(path)
        const source = renames.get(path)
        if (source === undefined) return this.#differs(before, after)
        return this.#differs(byPath.get(source)?.before, after)
      }) ||
      [...renames].some(([path, source]) =>
        this.#differs(byPath.get(source)?.before, byPath.get(path)?.after),
      )
    )
  }

  #differs(before: TreeEntry | undefined, after: TreeEntry | undefined): boolean {
    return this.#count(before) !== this.#count(after)
  }

  #count(entry: TreeEntry | undefined): number {
    if (entry === undefined) return 0
    const known = this.#counts.get(entry.object)
    if (known !== undefined) return known
    const count = this.#countIn(entry)
    this.#counts.set(entry.object, count)
    return count
  }

  #countIn({ kind, object }: TreeEntry): number {
    const { blobs } = this.#reader
    const isSubmodule = kind === 'submodule'
    if (!isSubmodule && !blobs.mayContain(object, this.#hashes)) return 0
    const content = isSubmodule ? Buffer.from(`Subproject commit ${object}\n`) : blobs.read(object)
    const text = this.#text
    let count = 0
    for (let at = content.indexOf(text); at !== -1; at = content.indexOf(text, at + text.length)) {
      count++
    }
    return count
  }
}
