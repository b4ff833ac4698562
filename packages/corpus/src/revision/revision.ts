// A corpus at a revision: the tree of a commit as a source of files, read from the object database.
import path from 'node:path'
import { ZeeError } from '@zee/core/errors'
import { denyingRule } from '../deny/deny.ts'
import { Repository, resolveCommit } from '../git/git.ts'
import type { Commit, TreeEntry } from '../git/git.ts'
import { outsideError, pathError } from '../root/root.ts'
import type { CorpusRoot } from '../root/root.ts'
import type { Source } from '../source.ts'
import { BlobStore } from './blob-store.ts'
import { BlobSearch } from './blob-search.ts'
import { planRevisionSearch, SearchLists } from './search.ts'
import { RevisionWalk } from './walk.ts'

export type { BlobStore } from './blob-store.ts'
export { trigramHashes } from './signature.ts'

export interface RevisionFile {
  /** Relative to the root, after links were followed. */
  path: string
  bytes: Buffer
}

export interface RevisionEntry {
  path: string
  kind: 'file' | 'folder'
  object: string
}

const maxLinks = 40

/** Its memory is large, and searches take turns, so that all readers share one. */
let blobSearch: { shared: BlobSearch | undefined } | undefined

function sharedSearch(): BlobSearch | undefined {
  blobSearch ??= { shared: BlobSearch.create() }
  return blobSearch.shared
}

let readers = 0

/** Reads revisions of the repository that contains the root. */
export class RevisionReader {
  /** Unique in the process. */
  readonly number = ++readers
  readonly root: CorpusRoot
  readonly repository: Repository
  readonly blobs: BlobStore
  readonly lists: SearchLists
  /** Undefined if the system has no memory for a kernel. */
  readonly search: BlobSearch | undefined
  /** Path of the root in the repository, with a slash; empty for its top. */
  readonly prefix: string

  /** Throws a ZeeError if the root is not in a repository. */
  constructor(
    root: CorpusRoot,
    maxBytes: number,
    repository: Repository = new Repository(root.folder.path),
  ) {
    this.root = root
    this.repository = repository
    this.blobs = new BlobStore(this.repository, maxBytes)
    this.lists = new SearchLists()
    this.search = sharedSearch()
    const top = this.repository.layout.topFolder
    const relative = top === undefined ? '' : path.relative(top, root.folder.path)
    this.prefix = relative === '' ? '' : `${relative}/`
  }

  /** Throws a ZeeError if the revision names no commit. */
  at(revision: string): Revision {
    return new Revision(this, this.repository.commit(resolveCommit(this.repository, revision)))
  }

  /** A client's path as a path in the repository, without following links; it need not exist. */
  repositoryPath(requested: string): string {
    const { folder } = this.root
    const relative = path.posix.normalize(
      path.posix.relative(folder.path, path.posix.resolve(folder.path, requested)),
    )
    if (relative === '..' || relative.startsWith('../')) throw outsideError()
    return relative === '.' ? this.prefix.slice(0, -1) : this.prefix + relative
  }

  close(): void {
    this.repository.close()
  }
}

export class Revision {
  readonly commit: Commit
  readonly reader: RevisionReader
  /** The tree at the root; undefined if the root did not exist. */
  readonly tree: string | undefined
  readonly source: Source

  constructor(reader: RevisionReader, commit: Commit) {
    this.reader = reader
    this.commit = commit
    const { repository, prefix, root, blobs } = reader
    const tree =
      prefix === '' ? commit.tree : folderAt(repository, commit.tree, prefix.slice(0, -1))
    this.tree = tree
    const readBlob = (object: string): Buffer => blobs.read(object)
    this.source = {
      walk: (options) => new RevisionWalk(repository, { root, tree, readBlob }, options),
      planSearch: (task) => planRevisionSearch(reader, this, task),
    }
  }

  /** Reads a file by a client's path. */
  read(requested: string): RevisionFile {
    const found = this.entryAt(requested)
    if (found.kind === 'folder') throw this.#failed(requested, 'is_directory')
    return { path: found.path, bytes: this.reader.blobs.read(found.object) }
  }

  /** The file or folder of a client's path. Links are followed inside the root. */
  entryAt(requested: string): RevisionEntry {
    const found = this.#resolve(requested)
    const { deny } = this.reader.root
    const asked = path.posix.normalize(this.#relative(requested))
    const rule = denyingRule(deny, found.path) ?? denyingRule(deny, asked)
    if (rule !== undefined && found.kind === 'file') {
      throw new ZeeError('denied', `denied by rule: ${rule}`)
    }
    return found
  }

  #resolve(requested: string): RevisionEntry {
    if (requested.includes('\0'))
      throw pathError(this.reader.root, requested, { failure: 'invalid' })
    const parts = this.#relative(requested).split('/')
    const done: string[] = []
    let entry: TreeEntry | undefined
    let [isMissing, isInFile, links] = [this.tree === undefined, false, 0]
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      if (part === '' || part === '.') continue
      if (part === '..') {
        if (done.pop() === undefined) throw outsideError()
        entry = this.#entry(done)
        continue
      }
      // A submodule is a folder whose files are in another repository.
      isInFile ||= entry?.kind === 'file'
      done.push(part)
      entry = this.#entry(done)
      isMissing ||= entry === undefined
      if (entry?.kind !== 'link') continue
      if (++links > maxLinks) throw this.#failed(requested, 'loop')
      const target = this.reader.blobs.read(entry.object).toString()
      if (target.startsWith('/')) throw outsideError()
      done.pop()
      parts.unshift(...target.split('/'))
      entry = this.#entry(done)
    }
    const { onlyFile } = this.reader.root
    if (onlyFile !== undefined && done.length > 0 && done.join('/') !== onlyFile)
      throw outsideError()
    if (onlyFile !== undefined && done.length === 0) return this.#resolve(onlyFile)
    if (isMissing) throw this.#failed(requested, isInFile ? 'not_a_directory' : 'not_found')
    const kind = entry === undefined || entry.kind !== 'file' ? 'folder' : 'file'
    return { path: done.join('/') || '.', kind, object: entry?.object ?? (this.tree as string) }
  }

  #relative(requested: string): string {
    const { folder } = this.reader.root
    if (!requested.startsWith('/')) return requested
    if (requested === folder.path) return '.'
    if (!requested.startsWith(folder.prefix)) throw outsideError()
    return requested.slice(folder.prefix.length)
  }

  #entry(parts: readonly string[]): TreeEntry | undefined {
    if (parts.length === 0 || this.tree === undefined) return undefined
    return this.reader.repository.entryAt(this.tree, parts.join('/'))
  }

  #failed(
    requested: string,
    failure: 'is_directory' | 'loop' | 'not_found' | 'not_a_directory',
  ): ZeeError {
    return pathError(this.reader.root, requested, { failure })
  }
}

function folderAt(repository: Repository, tree: string, path: string): string | undefined {
  const entry = repository.entryAt(tree, path)
  return entry?.kind === 'folder' ? entry.object : undefined
}
