// Walks the tree of the index. Folders that no earlier walk entered are read on the way.
import { denyingRule } from '../../deny/deny.ts'
import { isIgnored } from '../../gitignore/gitignore.ts'
import type { IgnoreRules } from '../../gitignore/gitignore.ts'
import {
  comparePaths,
  ExcludedCount,
  hidingRule,
  isDeniedLink,
  openLink,
  readFolderRules,
  shouldEnter,
} from '../../walk/walk.ts'
import type { Walk, WalkOptions } from '../../walk/walk.ts'
import type { CorpusRoot } from '../../root/root.ts'
import { FileFlag, FileKind } from '../file-table.ts'
import { findName } from '../folder.ts'
import type { Folder } from '../folder.ts'
import { FolderOpener } from './folder-opener.ts'
import type { FolderTree } from './tree.ts'

interface Level {
  folder: Folder
  at: number
  rules: IgnoreRules | undefined
}

export class IndexedWalk implements Walk {
  /** Id of the current file. */
  id = -1
  readonly excluded: ExcludedCount
  readonly #root: CorpusRoot
  readonly #tree: FolderTree
  readonly #options: WalkOptions
  readonly #levels: Level[] = []
  readonly #opener: FolderOpener

  constructor(root: CorpusRoot, tree: FolderTree, options: WalkOptions) {
    this.#root = root
    this.#tree = tree
    this.#options = options
    this.excluded = new ExcludedCount(options)
    this.#opener = new FolderOpener(root)
    this.#enter(tree.top, undefined)
  }

  get path(): string {
    return this.#tree.table.path(this.id)
  }

  next(): boolean {
    for (let level = this.#levels.at(-1); level !== undefined; level = this.#levels.at(-1)) {
      const { folder } = level
      const name = folder.names?.[level.at]
      const value = folder.values[level.at++]
      if (name === undefined || value === undefined) this.#levels.pop()
      else if (typeof value !== 'number') this.#enterNamed(level, value, name)
      else if (this.#isWanted(level, name, value)) {
        this.id = value
        return true
      }
    }
    return false
  }

  nextPaths(into: string[], max: number): void {
    const level = this.#levels.at(-1)
    if (level === undefined) return
    const { prefix, names = [], values } = level.folder
    const end = into.length + max
    for (; into.length < end && level.at < names.length; level.at++) {
      const [name, value] = [names[level.at] as string, values[level.at]]
      if (typeof value !== 'number') return
      if (this.#isWanted(level, name, value)) into.push(prefix + name)
    }
  }

  open(): number {
    const { table } = this.#tree
    const kind = table.kinds[this.id]
    if (kind === FileKind.link) return openLink(this.#root, this.path)
    const folder = table.folders[this.id]
    if (kind === FileKind.other || folder === undefined) return -1
    return this.#opener.file(folder, table.names[this.id] as string)
  }

  stamp(): string | undefined {
    const { table } = this.#tree
    if (table.kinds[this.id] !== FileKind.file || !table.has(this.id, FileFlag.known))
      return undefined
    return `${this.id}.${table.generations[this.id]}`
  }

  close(): void {
    this.#opener.close()
    this.#levels.length = 0
  }

  #enterNamed(level: Level, folder: Folder, withSlash: string): void {
    const name = withSlash.slice(0, -1)
    if (this.#options.excludedFolders.has(name)) return
    const path = level.folder.prefix + name
    const rule = hidingRule(this.#options, path, name, true)
    // As on the disk, where hidden names are not matched against ignore rules.
    const isPlain = rule === undefined || name.charCodeAt(0) !== 0x2e
    if (isPlain && isIgnored(level.rules, path, name, true)) return
    if (rule !== undefined) {
      this.excluded.add(path, true, rule)
      return
    }
    if (shouldEnter(this.#options, folder.prefix)) this.#enter(folder, level.rules)
  }

  #enter(folder: Folder, outer: IgnoreRules | undefined): void {
    if (folder.names === undefined) this.#tree.load(folder)
    this.#levels.push({ folder, at: 0, rules: this.#rulesOf(folder, outer) })
  }

  #rulesOf(folder: Folder, outer: IgnoreRules | undefined): IgnoreRules | undefined {
    if (!this.#options.gitignore) return undefined
    if (findName(folder.names as string[], '.gitignore') < 0) return outer
    const opened = this.#opener.folder(folder)
    return opened === undefined ? outer : readFolderRules(opened, folder.prefix, outer)
  }

  #isWanted(level: Level, name: string, id: number): boolean {
    const { includeHidden, from } = this.#options
    const { table } = this.#tree
    if (!includeHidden && name.charCodeAt(0) === 0x2e && this.#isHidden(level, name)) return false
    if (table.has(id, FileFlag.toFolder)) return false
    if (level.rules !== undefined || from !== undefined) {
      const path = level.folder.prefix + name
      if (isIgnored(level.rules, path, name, false)) return false
      if (from !== undefined && comparePaths(path, from) < 0) return false
    }
    const kind = table.kinds[id]
    if (kind !== FileKind.file) this.#countDenied(level.folder.prefix + name, kind)
    return true
  }

  /** A denied file has the kind `other`, like devices and sockets. */
  #countDenied(path: string, kind: number | undefined): void {
    const isDenied =
      kind === FileKind.link
        ? isDeniedLink(this.#root, path)
        : denyingRule(this.#root.deny, path) !== undefined
    if (isDenied) this.excluded.addDenied(path)
  }

  #isHidden({ folder }: Level, name: string): boolean {
    const path = folder.prefix + name
    const rule = hidingRule(this.#options, path, name, false)
    if (rule === undefined) return false
    this.excluded.add(path, false, rule)
    return true
  }
}
