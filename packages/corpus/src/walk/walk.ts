// Walks the tree in the order of whole paths, without following links to folders and without holding
// more than one folder's names per level. One bad entry never ends a walk.
import { closeSync, fstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import type { Dirent } from 'node:fs'
import {
  descriptorPath,
  nameText,
  openContained,
  resolveContained,
  systemName,
} from '@zee/core/contained-path'
import type { ContainedFolder } from '@zee/core/contained-path'
import {
  openFileBelow,
  openFolderAt,
  openFolderBelow,
  WorkingFolder,
} from '@zee/core/contained-path-below'
import { isIgnored, readIgnoreRules } from '../git/git.ts'
import type { IgnoreRules } from '../git/git.ts'
import { comparePaths, hasUnusual, sortNames, sortUsual } from './path-order.ts'
import { identityOf, leadsToOmitted, omittedIdentities } from '../root/root.ts'
import type { CorpusRoot } from '../root/root.ts'

export { comparePaths, sortNames } from './path-order.ts'
export { defaultExcludedFolders } from './selection.ts'
export type { Selection } from './selection.ts'

export interface WalkOptions {
  includeHidden: boolean
  /** Names of folders that are not entered, at any depth below the root. */
  excludedFolders: ReadonlySet<string>
  gitignore: boolean
  /** Whether anything below a folder (its path and a slash) can be wanted. */
  wanted?: ((prefix: string) => boolean) | undefined
  /** Begins with this path. */
  from?: string | undefined
}

/** Goes through files in the order of whole paths. */
export interface Walk {
  /** Path of the file that `next` stopped at. */
  readonly path: string
  /** Goes to the next file in order; false at the end. */
  next(): boolean
  /** Adds the paths of some of the next files to a list, as many as can be told at once. */
  nextPaths?(into: string[], most: number): void
  /** A descriptor of the file that `next` stopped at, for the caller to close; -1 when not readable. */
  open(): number
  close(): void
}

/** Names of a folder from one on; those of folders carry a slash, all others are regular files. */
export interface FileRun {
  prefix: string
  names: readonly string[]
  at: number
  /** It is in the folder. */
  working: WorkingFolder
}

/** What is neither a folder nor a regular file. Of these only a link is opened, to a file inside the root. */
export type SpecialKind = 'link' | 'other'

interface Level {
  /** Path and a slash; empty for the root. */
  prefix: string
  folder: ContainedFolder | undefined
  /** Sorted; a folder's name carries a slash, as its paths do. */
  names: string[]
  at: number
  /** A name that not every system call takes as text may be among them. */
  unusual: boolean
  /** Entries that are neither folders nor regular files. */
  special: Map<string, SpecialKind> | undefined
  rules: IgnoreRules | undefined
}

/** How many folders are kept open at most; those further up are opened again when needed. */
const openLevels = 64
const slash = 0x2f
const dot = 0x2e
const withTypes = { withFileTypes: true } as const

export class TreeWalk implements Walk {
  /** Of the file that `next` stopped at. */
  name = ''
  #level: Level | undefined
  readonly root: CorpusRoot
  readonly #options: WalkOptions
  readonly #levels: Level[] = []
  /** Whether a path has to be looked at before it is given out. */
  readonly #filtered: boolean
  /** Files that are left out under whatever name. */
  readonly #leftOut: ReadonlySet<string> | undefined
  readonly #working: WorkingFolder | undefined

  constructor(root: CorpusRoot, options: WalkOptions) {
    this.root = root
    this.#options = options
    this.#working = root.ownsProcess ? new WorkingFolder() : undefined
    this.#leftOut = omittedIdentities(root)
    this.#filtered =
      root.omitted.size > 0 || options.from !== undefined || this.#leftOut !== undefined
    if (root.only === undefined) this.#enter('', '', undefined)
    else this.#push(newLevel('', undefined, [root.only]))
  }

  /** Path of the folder of the file that `next` stopped at, with a slash; empty for the root. */
  get prefix(): string {
    return this.#level?.prefix ?? ''
  }

  get path(): string {
    return this.prefix + this.name
  }

  /** About which share of the tree is behind it, judged by the folders at its top. */
  get share(): number {
    const [top, below] = this.#levels
    if (top === undefined) return 1
    const folders = top.names.filter(isFolderName).length
    const passed = top.names.slice(0, top.at).filter(isFolderName).length
    if (folders === 0) return top.at / top.names.length
    const inner = below === undefined ? 1 : below.at / below.names.length
    return passed === 0 ? 0 : (passed - 1 + inner) / folders
  }

  /** Of the files in its folder, those that are no regular ones. */
  get special(): ReadonlyMap<string, SpecialKind> | undefined {
    return this.#level?.special
  }

  next(): boolean {
    for (let level = this.#level; level !== undefined; level = this.#level) {
      const name = level.names[level.at++]
      if (name === undefined) {
        this.#leave()
        continue
      }
      if (isFolderName(name)) {
        this.#enter(level.prefix + name, name, level)
      } else if (!this.#filtered || this.#isWanted(level.prefix + name)) {
        this.name = name
        return true
      }
    }
    return false
  }

  nextPaths(into: string[], most: number): void {
    const level = this.#level
    if (level === undefined || this.#filtered) return
    const { names, prefix } = level
    const end = Math.min(names.length, level.at + most)
    let { at } = level
    for (; at < end; at++) {
      const name = names[at] as string
      if (isFolderName(name)) break
      into.push(prefix + name)
    }
    level.at = at
  }

  open(): number {
    const level = this.#level
    if (level === undefined) return -1
    const kind = level.special?.get(this.name)
    const folder = kind === undefined ? this.#folderOf(level) : undefined
    return openListed(this.root, folder, this.path, kind)
  }

  /**
   * The names that follow in the current folder, when files among them can be opened from within; it
   * does not go to them. `rest` has to be called before others run.
   */
  run(): FileRun | undefined {
    const level = this.#level
    if (level === undefined || this.#working === undefined || this.#filtered) return undefined
    const { at, names, prefix, folder } = level
    if (at === names.length || level.unusual || level.special !== undefined) return undefined
    if (folder === undefined || !this.#working.enter(folder)) return undefined
    return { prefix, names, at, working: this.#working }
  }

  /** Some files of a run were taken. */
  skip(count: number): void {
    if (this.#level !== undefined) this.#level.at += count
  }

  /** Nothing will be opened before others had their turn. */
  rest(): void {
    this.#working?.leave()
  }

  close(): void {
    this.#working?.close()
    while (this.#level !== undefined) this.#leave()
  }

  /** Enters a folder by its path and name, both with a slash at the end; empty for the root. */
  #enter(prefix: string, name: string, parent: Level | undefined): void {
    if (parent !== undefined && !wantsFolder(this.#options, prefix)) return
    const above = parent === undefined ? undefined : this.#folderOf(parent)
    const folder =
      above === undefined
        ? openFolderAt(this.root.folder, prefix === '' ? '.' : prefix.slice(0, -1))
        : openFolderBelow(above, prefix.slice(0, -1), name.slice(0, -1))
    if (folder === undefined) return
    const level = newLevel(prefix, folder, [])
    level.rules = parent?.rules
    this.#push(level)
    try {
      this.#readLevel(level, folder)
    } catch {
      this.#leave()
    }
  }

  #push(level: Level): void {
    this.#levels.push(level)
    this.#level = level
    const far = this.#levels[this.#levels.length - 1 - openLevels]
    if (far !== undefined) closeLevel(far)
  }

  #leave(): void {
    const level = this.#levels.pop()
    if (level !== undefined) closeLevel(level)
    this.#level = this.#levels[this.#levels.length - 1]
  }

  #isWanted(path: string): boolean {
    const { from } = this.#options
    if (this.root.omitted.has(path) || this.#isLeftOut(path)) return false
    return from === undefined || comparePaths(path, from) >= 0
  }

  #isLeftOut(path: string): boolean {
    if (this.#leftOut === undefined) return false
    try {
      const { folder } = this.root
      return this.#leftOut.has(identityOf(statSync(systemName(folder.prefix + path) ?? path)))
    } catch {
      return false
    }
  }

  #folderOf(level: Level): ContainedFolder | undefined {
    const path = level.prefix === '' ? '.' : level.prefix.slice(0, -1)
    level.folder ??= openFolderAt(this.root.folder, path)
    return level.folder
  }

  #readLevel(level: Level, folder: ContainedFolder): void {
    const { includeHidden, gitignore } = this.#options
    const at = descriptorPath(folder)
    const entries = readdirSync(at, withTypes)
    if (gitignore) level.rules = rulesIn(folder, level.prefix, level.rules)
    const { names } = level
    const plain = level.rules === undefined
    for (let index = 0; index < entries.length; index++) {
      const entry = entries[index] as Dirent
      const { name } = entry
      if (!includeHidden && name.charCodeAt(0) === dot) continue
      if (plain && entry.isFile()) names.push(name)
      else this.#addEntry(level, name, entry)
    }
    level.unusual = hasUnusual(names)
    if (level.unusual) this.#addRawNames(level, at)
    else sortUsual(names)
  }

  /** Names that text cannot hold are read again as bytes. */
  #addRawNames(level: Level, at: string | Buffer): void {
    const whole = level.names.filter((name) => !name.includes('\ufffd'))
    const replaced = whole.length < level.names.length
    level.names = whole
    const entries = replaced ? readdirSync(at, { ...withTypes, encoding: 'buffer' }) : []
    for (const entry of entries) {
      if (!this.#options.includeHidden && entry.name[0] === dot) continue
      if (!entry.name.toString().includes('\ufffd')) continue
      this.#addEntry(level, nameText(entry.name), entry)
    }
    sortNames(level.names)
  }

  #addEntry(level: Level, name: string, entry: Dirent | Dirent<Buffer>): void {
    const isFolder = entry.isDirectory()
    if (isFolder && this.#options.excludedFolders.has(name)) return
    const { rules } = level
    if (rules !== undefined && isIgnored(rules, level.prefix + name, name, isFolder)) return
    if (isFolder) {
      level.names.push(`${name}/`)
      return
    }
    if (!entry.isFile()) {
      const kind = this.#specialKind(level, name, entry)
      if (kind === undefined) return
      level.special ??= new Map()
      level.special.set(name, kind)
    }
    level.names.push(name)
  }

  /** Undefined for what is not listed: a link to a folder, or to a file that is left out. */
  #specialKind(
    level: Level,
    name: string,
    entry: Dirent | Dirent<Buffer>,
  ): SpecialKind | undefined {
    if (!entry.isSymbolicLink()) return 'other'
    if (leadsToOmitted(this.root, level.prefix + name)) return undefined
    const folder = Buffer.from(`${descriptorPath(level.folder as ContainedFolder).toString()}/`)
    try {
      const path = Buffer.concat([folder, Buffer.from(entry.name as string)])
      return statSync(path).isDirectory() ? undefined : 'link'
    } catch {
      return 'link'
    }
  }
}

/** Opens what a folder's list had: a regular file in the folder itself, or what it is a link to. */
export function openListed(
  root: CorpusRoot,
  folder: ContainedFolder | undefined,
  path: string,
  kind: SpecialKind | undefined,
): number {
  if (kind !== undefined) return kind === 'link' ? openLink(root, path) : -1
  return folder === undefined ? -1 : openFileBelow(folder, path.slice(path.lastIndexOf('/') + 1))
}

/**
 * A regular file inside the root that a path leads to; not one that is left out under its own name.
 */
export function openLink(root: CorpusRoot, path: string): number {
  const resolved = resolveContained(root.folder, path)
  if (resolved.failure !== undefined || resolved.errno !== undefined) return -1
  if (root.omitted.has(resolved.path) || !isRegular(resolved.absolute)) return -1
  const opened = openContained(root.folder, path)
  return opened.failure === undefined ? opened.fd : -1
}

/** Whether anything below a folder (its path and a slash) can be asked for. */
export function wantsFolder({ from, wanted }: WalkOptions, prefix: string): boolean {
  if (from !== undefined && !from.startsWith(prefix) && comparePaths(prefix, from) < 0) return false
  return wanted === undefined || wanted(prefix)
}

function isFolderName(name: string): boolean {
  return name.charCodeAt(name.length - 1) === slash
}

function newLevel(prefix: string, folder: ContainedFolder | undefined, names: string[]): Level {
  return { prefix, folder, names, at: 0, unusual: true, special: undefined, rules: undefined }
}

function closeLevel(level: Level): void {
  if (level.folder !== undefined) closeSync(level.folder.fd)
  level.folder = undefined
}

function isRegular(path: string | Buffer): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** What a folder's .gitignore adds; one that is not there or cannot be read adds nothing. */
export function rulesIn(
  folder: ContainedFolder,
  prefix: string,
  outer: IgnoreRules | undefined,
): IgnoreRules | undefined {
  const fd = openFileBelow(folder, '.gitignore')
  if (fd === -1) return outer
  try {
    if (!fstatSync(fd).isFile()) return outer
    return readIgnoreRules(readFileSync(fd, 'utf8'), prefix, outer)
  } catch {
    return outer
  } finally {
    closeSync(fd)
  }
}
