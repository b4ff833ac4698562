// Walks the tree of a revision in path order, with the same rules as a walk of the disk. Committed files are never
// ignored, so `.gitignore` has no effect. Submodules are left out: their files are in another repository.
import type { Repository, TreeEntry } from '../git/git.ts'
import { denyingRule } from '../deny/deny.ts'
import type { CorpusRoot } from '../root/root.ts'
import { comparePaths, ExcludedCount, hidingRule } from '../walk/walk.ts'
import type { Walk, WalkOptions } from '../walk/walk.ts'

interface Level {
  prefix: string
  entries: readonly TreeEntry[]
  next: number
}

export class RevisionWalk implements Walk {
  readonly excluded: ExcludedCount
  entry: TreeEntry | undefined
  /** The current file is listed but never read. */
  isDenied = false
  #prefix = ''
  readonly #levels: Level[] = []
  readonly #repository: Repository
  readonly #root: CorpusRoot
  readonly #options: WalkOptions
  readonly #readBlob: (object: string) => Buffer

  constructor(
    repository: Repository,
    {
      root,
      tree,
      readBlob,
    }: { root: CorpusRoot; tree: string | undefined; readBlob(object: string): Buffer },
    options: WalkOptions,
  ) {
    this.#repository = repository
    this.#root = root
    this.#options = options
    this.#readBlob = readBlob
    this.excluded = new ExcludedCount(options)
    if (tree !== undefined)
      this.#levels.push({ prefix: '', entries: repository.tree(tree), next: 0 })
  }

  get path(): string {
    return this.#prefix + (this.entry?.name ?? '')
  }

  next(): boolean {
    for (let level = this.#levels.at(-1); level !== undefined; level = this.#levels.at(-1)) {
      const entry = level.entries[level.next++]
      if (entry === undefined) this.#levels.pop()
      else if (entry.kind === 'folder') this.#enter(level.prefix, entry)
      else if (this.#isListed(level.prefix, entry)) {
        this.#prefix = level.prefix
        this.entry = entry
        return true
      }
    }
    return false
  }

  /** The content of the current file; undefined if it is a link or denied. */
  read(): Buffer | undefined {
    if (this.entry?.kind !== 'file' || this.isDenied) return undefined
    return this.#readBlob(this.entry.object)
  }

  stamp(): string | undefined {
    return this.entry?.object
  }

  open(): number {
    return -1
  }

  close(): void {
    this.#levels.length = 0
  }

  #enter(parent: string, { name, object }: TreeEntry): void {
    const path = parent + name
    const { excludedFolders, wanted, from } = this.#options
    if (this.#root.onlyFile !== undefined || excludedFolders.has(name)) return
    const rule = hidingRule(this.#options, path, name, true)
    if (rule !== undefined) return this.excluded.add(path, true, rule)
    const prefix = `${path}/`
    if (wanted?.(prefix) === false) return
    if (from !== undefined && comparePaths(prefix, from) < 0 && !from.startsWith(prefix)) return
    this.#levels.push({ prefix, entries: this.#repository.tree(object), next: 0 })
  }

  #isListed(prefix: string, { name, kind }: TreeEntry): boolean {
    const path = prefix + name
    const { onlyFile, omitted, deny } = this.#root
    if (kind === 'submodule' || omitted.has(path)) return false
    if (onlyFile !== undefined && path !== onlyFile) return false
    const rule = hidingRule(this.#options, path, name, false)
    if (rule !== undefined && onlyFile === undefined) {
      this.excluded.add(path, false, rule)
      return false
    }
    const { from } = this.#options
    if (from !== undefined && comparePaths(path, from) < 0) return false
    this.isDenied = denyingRule(deny, path) !== undefined
    if (this.isDenied) this.excluded.addDenied(path)
    return true
  }
}
