// Walks the tree in path order without following links to folders. It holds the names of one folder
// per level. An unreadable entry never ends a walk.
import { statSync } from 'node:fs'
import { systemName } from '@zee/core/contained-path'
import type { ContainedFolder } from '@zee/core/contained-path'
import { openFolderAt, openFolderBelow, WorkingFolder } from '@zee/core/contained-path-below'
import { ExcludedCount } from './excluded.ts'
import { closeLevel, LevelReader, newLevel } from './level.ts'
import type { Level } from './level.ts'
import { openEntry } from './open-entry.ts'
import type { SpecialKind } from './open-entry.ts'
import { shouldEnter } from './options.ts'
import type { Walk, WalkOptions } from './options.ts'
import { comparePaths } from './path-order.ts'
import { identityOf, omittedIdentities } from '../root/root.ts'
import type { CorpusRoot } from '../root/root.ts'

export { ExcludedCount, hidingRule, namedPaths } from './excluded.ts'
export type { Excluded } from './excluded.ts'
export { readFolderRules } from './level.ts'
export { hasReadFault, isDeniedLink, openEntry, openLink } from './open-entry.ts'
export type { SpecialKind } from './open-entry.ts'
export { shouldEnter } from './options.ts'
export type { Walk, WalkOptions } from './options.ts'
export { comparePaths, sortNames } from './path-order.ts'
export { defaultExcludedFolders } from './selection.ts'
export type { Selection } from './selection.ts'

/** The rest of a folder's names. Folder names end with a slash; all others are regular files. */
export interface FileRun {
  prefix: string
  names: readonly string[]
  next: number
  /** The process's working folder, which is this folder. */
  working: WorkingFolder
}

/** Maximum number of open folders; outer ones are reopened when needed. */
const maxOpenLevels = 64
const slash = 0x2f

export class TreeWalk implements Walk {
  /** Name of the current file. */
  name = ''
  readonly excluded: ExcludedCount
  #level: Level | undefined
  readonly root: CorpusRoot
  readonly #options: WalkOptions
  readonly #reader: LevelReader
  readonly #levels: Level[] = []
  /** Whether each path must be checked before it is reported. */
  readonly #isFiltered: boolean
  /** Identities of omitted files with several names (hard links). */
  readonly #omittedIds: ReadonlySet<string> | undefined
  readonly #working: WorkingFolder | undefined

  constructor(root: CorpusRoot, options: WalkOptions) {
    this.root = root
    this.#options = options
    this.excluded = new ExcludedCount(options)
    this.#reader = new LevelReader(root, options, this.excluded)
    this.#working = root.ownsProcess ? new WorkingFolder() : undefined
    this.#omittedIds = omittedIdentities(root)
    this.#isFiltered =
      root.omitted.size > 0 || options.from !== undefined || this.#omittedIds !== undefined
    if (root.onlyFile === undefined) this.#enter('', '', undefined)
    else this.#push(newLevel('', undefined, [root.onlyFile]))
  }

  /** Path of the current file's folder, with a slash; empty for the root. */
  get prefix(): string {
    return this.#level?.prefix ?? ''
  }

  get path(): string {
    return this.prefix + this.name
  }

  /** Estimated fraction of the tree already walked, from the folders at the top level. */
  get progress(): number {
    const [top, below] = this.#levels
    if (top === undefined) return 1
    const folders = top.names.filter(isFolderName).length
    const passed = top.names.slice(0, top.next).filter(isFolderName).length
    if (folders === 0) return top.next / top.names.length
    const inner = below === undefined ? 1 : below.next / below.names.length
    return passed === 0 ? 0 : (passed - 1 + inner) / folders
  }

  /** Entries of the current folder that are neither folders nor regular files. */
  get special(): ReadonlyMap<string, SpecialKind> | undefined {
    return this.#level?.special
  }

  next(): boolean {
    for (let level = this.#level; level !== undefined; level = this.#level) {
      const name = level.names[level.next++]
      if (name === undefined) {
        this.#leave()
        continue
      }
      if (isFolderName(name)) {
        this.#enter(level.prefix + name, name, level)
      } else if (!this.#isFiltered || this.#isWanted(level.prefix + name)) {
        this.name = name
        return true
      }
    }
    return false
  }

  nextPaths(into: string[], max: number): void {
    const level = this.#level
    if (level === undefined || this.#isFiltered) return
    const { names, prefix } = level
    const end = Math.min(names.length, level.next + max)
    let { next } = level
    for (; next < end; next++) {
      const name = names[next] as string
      if (isFolderName(name)) break
      into.push(prefix + name)
    }
    level.next = next
  }

  open(): number {
    const level = this.#level
    if (level === undefined) return -1
    const kind = level.special?.get(this.name)
    const folder = kind === undefined ? this.#folderOf(level) : undefined
    return openEntry(this.root, folder, this.path, kind)
  }

  /**
   * The remaining names in the current folder, after changing the working folder to it. Does not
   * advance. Call `leaveFolder` before other code runs. Undefined if the files must be opened by
   * path.
   */
  run(): FileRun | undefined {
    const level = this.#level
    if (level === undefined || this.#working === undefined || this.#isFiltered) return undefined
    const { next, names, prefix, folder } = level
    if (next === names.length || level.hasUnusualNames || level.special !== undefined)
      return undefined
    if (folder === undefined || !this.#working.enter(folder)) return undefined
    return { prefix, names, next, working: this.#working }
  }

  /** Advances past files of a run. */
  skip(count: number): void {
    if (this.#level !== undefined) this.#level.next += count
  }

  /** Restores the working folder. */
  leaveFolder(): void {
    this.#working?.leave()
  }

  close(): void {
    this.#working?.close()
    while (this.#level !== undefined) this.#leave()
  }

  /** Enters a folder by its path and name, both with a trailing slash; empty for the root. */
  #enter(prefix: string, name: string, parent: Level | undefined): void {
    if (parent !== undefined && !shouldEnter(this.#options, prefix)) return
    const parentFolder = parent === undefined ? undefined : this.#folderOf(parent)
    const folder =
      parentFolder === undefined
        ? openFolderAt(this.root.folder, prefix === '' ? '.' : prefix.slice(0, -1))
        : openFolderBelow(parentFolder, prefix.slice(0, -1), name.slice(0, -1))
    if (folder === undefined) return
    const level = newLevel(prefix, folder, [])
    level.rules = parent?.rules
    this.#push(level)
    try {
      this.#reader.read(level, folder)
    } catch {
      this.#leave()
    }
  }

  #push(level: Level): void {
    this.#levels.push(level)
    this.#level = level
    const outermost = this.#levels[this.#levels.length - 1 - maxOpenLevels]
    if (outermost !== undefined) closeLevel(outermost)
  }

  #leave(): void {
    const level = this.#levels.pop()
    if (level !== undefined) closeLevel(level)
    this.#level = this.#levels[this.#levels.length - 1]
  }

  #isWanted(path: string): boolean {
    const { from } = this.#options
    if (this.root.omitted.has(path) || this.#isOmittedFile(path)) return false
    return from === undefined || comparePaths(path, from) >= 0
  }

  #isOmittedFile(path: string): boolean {
    if (this.#omittedIds === undefined) return false
    try {
      const { folder } = this.root
      return this.#omittedIds.has(identityOf(statSync(systemName(folder.prefix + path) ?? path)))
    } catch {
      return false
    }
  }

  #folderOf(level: Level): ContainedFolder | undefined {
    const path = level.prefix === '' ? '.' : level.prefix.slice(0, -1)
    level.folder ??= openFolderAt(this.root.folder, path)
    return level.folder
  }
}

function isFolderName(name: string): boolean {
  return name.charCodeAt(name.length - 1) === slash
}
