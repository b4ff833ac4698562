// Walks the tree in path order without following links to folders. It holds the names of one folder
// per level. An unreadable entry never ends a walk.
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
import { denyingRule, mayBeDenied } from '../deny/deny.ts'
import { isIgnored, readIgnoreRules } from '../gitignore/gitignore.ts'
import type { IgnoreRules } from '../gitignore/gitignore.ts'
import type { PathMatcher } from '../glob/glob.ts'
import { ExcludedCount, hidingRule } from './excluded.ts'
import { comparePaths, needsCodePointOrder, sortNames, sortByUnits } from './path-order.ts'
import { identityOf, leadsToOmitted, omittedIdentities } from '../root/root.ts'
import type { CorpusRoot } from '../root/root.ts'

export { ExcludedCount, hidingRule, namedPaths } from './excluded.ts'
export type { Excluded } from './excluded.ts'
export { comparePaths, sortNames } from './path-order.ts'
export { defaultExcludedFolders } from './selection.ts'
export type { Selection } from './selection.ts'

export interface WalkOptions {
  includeHidden: boolean
  /** Names of folders that the request skips, at any depth below the root. */
  excludedFolders: ReadonlySet<string>
  /** Names of folders that are skipped by default, unless the request names their path. */
  defaultFolders?: ReadonlySet<string> | undefined
  /** Paths that the request names, and the folders above them. Default rules do not hide them. */
  named?: ReadonlySet<string> | undefined
  gitignore: boolean
  /** Whether a folder (its path and a slash) can contain a match. */
  wanted?: ((prefix: string) => boolean) | undefined
  /** What the request selects where no default rule hides it; used to count what is hidden. */
  selects?: PathMatcher | undefined
  /** Starts at this path. */
  from?: string | undefined
}

/** Iterates over files in path order. */
export interface Walk {
  /** Path of the current file. */
  readonly path: string
  /** What the default rules hid so far. Complete after a complete walk without `from`. */
  readonly excluded: ExcludedCount
  /** Advances to the next file; false at the end. */
  next(): boolean
  /** Appends the paths of the next files in the current folder, as far as they need no checks. */
  nextPaths?(into: string[], max: number): void
  /** Opens the current file; the caller closes the descriptor. -1 if it is not readable. */
  open(): number
  /** The content of the current file, where it comes from memory; undefined if it is not readable. */
  read?(): Buffer | undefined
  /** Changes with the content of the current file; undefined if that is unknown. */
  stamp?(): string | undefined
  close(): void
}

/** The rest of a folder's names. Folder names end with a slash; all others are regular files. */
export interface FileRun {
  prefix: string
  names: readonly string[]
  next: number
  /** The process's working folder, which is this folder. */
  working: WorkingFolder
}

/**
 * An entry that is neither a folder nor a regular file. Only links to files inside the root are
 * opened.
 */
export type SpecialKind = 'link' | 'other'

interface Level {
  /** Path and a slash; empty for the root. */
  prefix: string
  folder: ContainedFolder | undefined
  /** Sorted. A folder's name ends with a slash, as in paths. */
  names: string[]
  next: number
  /** Some names may not be valid as strings in every system call. */
  hasUnusualNames: boolean
  /** Entries that are neither folders nor regular files. */
  special: Map<string, SpecialKind> | undefined
  rules: IgnoreRules | undefined
}

/** Maximum number of open folders; outer ones are reopened when needed. */
const maxOpenLevels = 64
const slash = 0x2f
const dot = 0x2e
const withTypes = { withFileTypes: true } as const

export class TreeWalk implements Walk {
  /** Name of the current file. */
  name = ''
  readonly excluded: ExcludedCount
  #level: Level | undefined
  readonly root: CorpusRoot
  readonly #options: WalkOptions
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
      this.#readLevel(level, folder)
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

  #readLevel(level: Level, folder: ContainedFolder): void {
    const { includeHidden, gitignore } = this.#options
    const folderPath = descriptorPath(folder)
    const entries = readdirSync(folderPath, withTypes)
    if (gitignore) level.rules = readFolderRules(folder, level.prefix, level.rules)
    const { names } = level
    const hasNoRules = level.rules === undefined
    for (let index = 0; index < entries.length; index++) {
      const entry = entries[index] as Dirent
      const { name } = entry
      if (!includeHidden && name.charCodeAt(0) === dot && this.#isHidden(level, name, entry))
        continue
      if (hasNoRules && entry.isFile() && !this.#isDenied(level, name)) names.push(name)
      else this.#addEntry(level, name, entry)
    }
    level.hasUnusualNames = needsCodePointOrder(names)
    if (level.hasUnusualNames) this.#addRawNames(level, folderPath)
    else sortByUnits(names)
  }

  /** Reads names that are not valid UTF-8 again as bytes. */
  #addRawNames(level: Level, folderPath: string | Buffer): void {
    const decoded = level.names.filter((name) => !name.includes('\ufffd'))
    const hasRawNames = decoded.length < level.names.length
    level.names = decoded
    const entries = hasRawNames ? readdirSync(folderPath, { ...withTypes, encoding: 'buffer' }) : []
    for (const entry of entries) {
      if (!entry.name.toString().includes('\ufffd')) continue
      const name = nameText(entry.name)
      if (entry.name[0] === dot && this.#isHidden(level, name, entry)) continue
      this.#addEntry(level, name, entry)
    }
    sortNames(level.names)
  }

  #addEntry(level: Level, name: string, entry: Dirent | Dirent<Buffer>): void {
    const isFolder = entry.isDirectory()
    if (isFolder && this.#options.excludedFolders.has(name)) return
    const { rules } = level
    if (rules !== undefined && isIgnored(rules, level.prefix + name, name, isFolder)) return
    if (isFolder) {
      if (!this.#isHidden(level, name, entry)) level.names.push(`${name}/`)
      return
    }
    const isDenied = entry.isFile() && this.#isDenied(level, name)
    if (isDenied) this.excluded.addDenied(level.prefix + name)
    if (isDenied || !entry.isFile()) {
      const kind = isDenied ? 'other' : this.#specialKind(level, name, entry)
      if (kind === undefined) return
      level.special ??= new Map()
      level.special.set(name, kind)
    }
    level.names.push(name)
  }

  /** Counts and reports an entry that a default rule hides. */
  #isHidden({ prefix }: Level, name: string, entry: Dirent | Dirent<Buffer>): boolean {
    const isFolder = entry.isDirectory()
    const rule = hidingRule(this.#options, prefix + name, name, isFolder)
    if (rule === undefined) return false
    const isOwn = isFolder && this.#options.excludedFolders.has(name)
    if (!isOwn && !this.root.omitted.has(prefix + name)) {
      this.excluded.add(prefix + name, isFolder, rule)
    }
    return true
  }

  #isDenied({ prefix }: Level, name: string): boolean {
    const { deny } = this.root
    if (deny === undefined || !mayBeDenied(deny, name)) return false
    return denyingRule(deny, prefix + name) !== undefined
  }

  /**
   * The kind of an entry; undefined if it is not listed: a link to a folder or to an omitted file.
   */
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

/** Opens a listed entry: a regular file in the folder, or the target of a link. */
export function openEntry(
  root: CorpusRoot,
  folder: ContainedFolder | undefined,
  path: string,
  kind: SpecialKind | undefined,
): number {
  if (kind !== undefined) return kind === 'link' ? openLink(root, path) : -1
  return folder === undefined ? -1 : openFileBelow(folder, path.slice(path.lastIndexOf('/') + 1))
}

/** Opens a regular file inside the root through a link. Omitted files are refused. */
export function openLink(root: CorpusRoot, path: string): number {
  const resolved = resolveContained(root.folder, path)
  if (resolved.failure !== undefined || resolved.errno !== undefined) return -1
  if (root.omitted.has(resolved.path) || !isRegular(resolved.absolute)) return -1
  if ((denyingRule(root.deny, resolved.path) ?? denyingRule(root.deny, path)) !== undefined)
    return -1
  const opened = openContained(root.folder, path)
  return opened.failure === undefined ? opened.fd : -1
}

/** Whether a folder (its path and a slash) can contain a requested file. */
export function shouldEnter({ from, wanted }: WalkOptions, prefix: string): boolean {
  if (from !== undefined && !from.startsWith(prefix) && comparePaths(prefix, from) < 0) return false
  return wanted === undefined || wanted(prefix)
}

function isFolderName(name: string): boolean {
  return name.charCodeAt(name.length - 1) === slash
}

function newLevel(prefix: string, folder: ContainedFolder | undefined, names: string[]): Level {
  return {
    prefix,
    folder,
    names,
    next: 0,
    hasUnusualNames: true,
    special: undefined,
    rules: undefined,
  }
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

/** The rules of a folder's .gitignore added to `outer`; `outer` if it is missing or unreadable. */
export function readFolderRules(
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
