// Walks the tree in the order of whole paths, without following links to folders and without holding
// more than one folder's names per level. One bad entry never ends a walk.
import { closeSync, fstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import type { Dirent } from 'node:fs'
import { descriptorPath, nameText, openContained, resolveContained } from '@zee/core/contained-path'
import type { ContainedFolder } from '@zee/core/contained-path'
import { openFileBelow, openFolderAt, openFolderBelow } from './below.ts'
import { isIgnored, readIgnoreRules } from './gitignore.ts'
import type { IgnoreRules } from './gitignore.ts'
import { comparePaths, sortNames } from './path-order.ts'
import type { CorpusRoot } from './root.ts'

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
  /** A descriptor of the file that `next` stopped at, for the caller to close; -1 when not readable. */
  open(): number
  close(): void
}

/** Only a regular file is ever opened; a link when it leads to one inside the root. */
type Kind = 'file' | 'link' | 'other'

interface Level {
  /** Path and a slash; empty for the root. */
  prefix: string
  folder: ContainedFolder | undefined
  /** Sorted; a folder's name carries a slash, as its paths do. */
  names: string[]
  at: number
  /** Entries that are neither folders nor regular files. */
  special: Map<string, Kind> | undefined
  rules: IgnoreRules | undefined
}

/** How many folders are kept open at most; those further up are opened again when needed. */
const OPEN_LEVELS = 64

export class TreeWalk implements Walk {
  #name = ''
  #level: Level | undefined
  readonly #root: CorpusRoot
  readonly #options: WalkOptions
  readonly #levels: Level[] = []
  /** Whether a path has to be looked at before it is given out. */
  readonly #filtered: boolean

  constructor(root: CorpusRoot, options: WalkOptions) {
    this.#root = root
    this.#options = options
    if (root.only === undefined) this.#enter('', '', undefined)
    else this.#push(newLevel('', undefined, [root.only]))
    this.#filtered = root.omitted.size > 0 || options.from !== undefined
  }

  get path(): string {
    return (this.#level?.prefix ?? '') + this.#name
  }

  next(): boolean {
    for (let level = this.#level; level !== undefined; level = this.#level) {
      const name = level.names[level.at++]
      if (name === undefined) {
        this.#leave()
        continue
      }
      if (name.charCodeAt(name.length - 1) === 0x2f) {
        this.#enter(level.prefix + name, name, level)
      } else if (!this.#filtered || this.#isWanted(level.prefix + name)) {
        this.#name = name
        return true
      }
    }
    return false
  }

  open(): number {
    const level = this.#level
    if (level === undefined) return -1
    const kind = level.special?.get(this.#name)
    if (kind !== undefined) return kind === 'link' ? openLink(this.#root, this.path) : -1
    const folder = this.#folderOf(level)
    return folder === undefined ? -1 : openFileBelow(folder, this.#name)
  }

  close(): void {
    while (this.#level !== undefined) this.#leave()
  }

  /** Enters a folder by its path and name, both with a slash at the end; empty for the root. */
  #enter(prefix: string, name: string, parent: Level | undefined): void {
    if (parent !== undefined && !wantsFolder(this.#options, prefix)) return
    const above = parent === undefined ? undefined : this.#folderOf(parent)
    const folder =
      above === undefined
        ? openFolderAt(this.#root.folder, prefix === '' ? '.' : prefix.slice(0, -1))
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
    const far = this.#levels[this.#levels.length - 1 - OPEN_LEVELS]
    if (far !== undefined) closeLevel(far)
  }

  #leave(): void {
    const level = this.#levels.pop()
    if (level !== undefined) closeLevel(level)
    this.#level = this.#levels[this.#levels.length - 1]
  }

  #isWanted(path: string): boolean {
    const { from } = this.#options
    if (this.#root.omitted.has(path)) return false
    return from === undefined || comparePaths(path, from) >= 0
  }

  #folderOf(level: Level): ContainedFolder | undefined {
    const path = level.prefix === '' ? '.' : level.prefix.slice(0, -1)
    level.folder ??= openFolderAt(this.#root.folder, path)
    return level.folder
  }

  #readLevel(level: Level, folder: ContainedFolder): void {
    const at = descriptorPath(folder)
    const entries = readdirSync(at, { withFileTypes: true })
    if (this.#options.gitignore) level.rules = rulesIn(folder, level.prefix, level.rules)
    let replaced = false
    for (const entry of entries) {
      if (entry.name.includes('\ufffd')) replaced = true
      else this.#addEntry(level, entry.name, entry)
    }
    if (replaced) this.#addRawNames(level, at)
    sortNames(level.names)
  }

  /** Names that text cannot hold are read again as bytes. */
  #addRawNames(level: Level, at: string | Buffer): void {
    for (const entry of readdirSync(at, { withFileTypes: true, encoding: 'buffer' })) {
      if (!entry.name.toString().includes('\ufffd')) continue
      this.#addEntry(level, nameText(entry.name), entry)
    }
  }

  #addEntry(level: Level, name: string, entry: Dirent | Dirent<Buffer>): void {
    const { includeHidden, excludedFolders } = this.#options
    if (!includeHidden && name.charCodeAt(0) === 0x2e) return
    const isFolder = entry.isDirectory()
    if (isFolder && excludedFolders.has(name)) return
    const { rules } = level
    if (rules !== undefined && isIgnored(rules, level.prefix + name, name, isFolder)) return
    if (isFolder) {
      level.names.push(`${name}/`)
      return
    }
    if (!entry.isFile()) {
      const kind = this.#specialKind(level, entry)
      if (kind === undefined) return
      level.special ??= new Map()
      level.special.set(name, kind)
    }
    level.names.push(name)
  }

  /** Undefined for a link to a folder, which is neither entered nor listed. */
  #specialKind(level: Level, entry: Dirent | Dirent<Buffer>): Kind | undefined {
    if (!entry.isSymbolicLink()) return 'other'
    const folder = Buffer.from(`${descriptorPath(level.folder as ContainedFolder).toString()}/`)
    try {
      const path = Buffer.concat([folder, Buffer.from(entry.name as string)])
      return statSync(path).isDirectory() ? undefined : 'link'
    } catch {
      return 'link'
    }
  }
}

/** A link to a regular file inside the root; not to a file that is left out under its own name. */
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

function newLevel(prefix: string, folder: ContainedFolder | undefined, names: string[]): Level {
  return { prefix, folder, names, at: 0, special: undefined, rules: undefined }
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
