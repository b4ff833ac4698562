// A repository as its readers see it: objects, refs, parsed commits and trees, and commits in the order of `git log`.
// Everything that a name identifies is immutable, so it is cached by its name.
import { parseCommit, tagTarget } from './commits.ts'
import type { Commit } from './commits.ts'
import { CommitQueue } from './commit-queue.ts'
import { findRepository, objectFolders, ShallowCommits } from './layout.ts'
import type { RepositoryLayout } from './layout.ts'
import { ByteCache, Objects } from './objects/objects.ts'
import type { ObjectType } from './objects/objects.ts'
import { Refs, Replacements } from './refs/refs.ts'
import { parseTree } from './trees.ts'
import type { TreeEntry } from './trees.ts'

const commitCacheBytes = 64 << 20
const treeCacheBytes = 64 << 20

export class Repository {
  readonly layout: RepositoryLayout
  readonly objects: Objects
  readonly refs: Refs
  readonly #replacements: Replacements
  readonly #shallow: ShallowCommits
  readonly #commits = new ByteCache<Commit>(commitCacheBytes)
  readonly #trees = new ByteCache<readonly TreeEntry[]>(treeCacheBytes)

  /** Opens the repository that contains a folder. Throws a ZeeError if there is none. */
  constructor(folder: string) {
    this.layout = findRepository(folder)
    const { nameBytes, isPartial } = this.layout
    this.objects = new Objects({ folders: objectFolders(this.layout), nameBytes, isPartial })
    this.refs = new Refs(this.layout)
    this.#replacements = new Replacements(this.layout, this.refs)
    this.#shallow = new ShallowCommits(this.layout)
  }

  /** Digits of a full object name. */
  get nameDigits(): number {
    return this.layout.nameBytes * 2
  }

  /** Objects were replaced since the repository was opened, so that cached ones may be wrong. */
  isStale(): boolean {
    return new Replacements(this.layout, this.refs).stamp !== this.#replacements.stamp
  }

  close(): void {
    this.objects.close()
  }

  /** A commit; those at the end of a shallow clone have no parents. */
  commit(name: string): Commit {
    const cached = this.#commits.get(name)
    if (cached !== undefined) return cached
    const bytes = this.objects.readAs(this.#replacements.object(name), 'commit')
    const read = parseCommit(name, bytes)
    const parsed = { ...read, parents: this.#replacements.parents(name) ?? read.parents }
    const isShallow = parsed.parents.length > 0 && this.#shallow.has(name)
    const commit = isShallow ? { ...parsed, parents: [] } : parsed
    this.#commits.set(name, commit, bytes.length * 2 + 400)
    return commit
  }

  tree(name: string): readonly TreeEntry[] {
    const cached = this.#trees.get(name)
    if (cached !== undefined) return cached
    const bytes = this.objects.readAs(this.#replacements.object(name), 'tree')
    const entries = parseTree(name, bytes, this.layout.nameBytes)
    // Readers keep what they know about a blob by its name, so they get the name of its replacement.
    for (const entry of entries) {
      if (entry.kind !== 'submodule') entry.object = this.#replacements.object(entry.object)
    }
    this.#trees.set(name, entries, bytes.length * 2 + entries.length * 120)
    return entries
  }

  blob(name: string): Buffer {
    return this.objects.readAs(name, 'blob')
  }

  /** Follows tags to an object of a type, or to the first object that is not a tag. */
  peel(name: string, type?: ObjectType): string | undefined {
    let at = name
    for (;;) {
      const object = this.objects.read(this.#replacements.object(at))
      if (object.type === type || (type === undefined && object.type !== 'tag')) return at
      if (object.type !== 'tag') return undefined
      at = tagTarget(at, object.bytes)
    }
  }

  /** The entry of a path below a tree; undefined if it does not exist. */
  entryAt(tree: string, path: string): TreeEntry | undefined {
    let found: TreeEntry | undefined
    let at: string | undefined = tree
    for (const part of path.split('/')) {
      if (at === undefined) return undefined
      found = this.tree(at).find(({ name }) => name === part)
      at = found?.kind === 'folder' ? found.object : undefined
    }
    return found
  }

  /** Commits and their ancestors, newest first by the time of the committer. */
  *byDate(starts: readonly string[]): Generator<Commit> {
    const queue = new CommitQueue()
    const seen = new Set<string>(starts)
    for (const name of seen) queue.add(this.commit(name))
    for (let commit = queue.take(); commit !== undefined; commit = queue.take()) {
      yield commit
      for (const parent of commit.parents) {
        if (seen.has(parent)) continue
        seen.add(parent)
        queue.add(this.commit(parent))
      }
    }
  }
}
