// Walks the tree in the order of whole paths, without following links to folders and without
// holding more than one folder's names per level. One bad entry never ends a walk.
import { closeSync, readFileSync, statSync } from 'node:fs'
import {
  descriptorPath,
  openBelow,
  openContained,
  openFolder,
  resolveContained,
} from '@zee/core/contained-path'
import type { ContainedFile, ContainedFolder } from '@zee/core/contained-path'
import { isIgnored, readIgnoreRules } from './gitignore.ts'
import type { IgnoreRules } from './gitignore.ts'
import { comparePaths, sortNames } from './path-order.ts'
import { readNames } from './raw-names.ts'
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

export interface WalkedFile {
  path: string
  name: string
  /** Only a regular file is ever opened; a link when it leads to one inside the root. */
  kind: 'file' | 'link' | 'other'
}

interface Level {
  /** Path and a slash; empty for the root. */
  prefix: string
  folder: ContainedFolder | undefined
  /** Sorted; a folder's name carries a slash, as its paths do. */
  names: string[]
  at: number
  /** Entries that are neither folders nor regular files. */
  special: Map<string, 'link' | 'other'>
  rules: IgnoreRules | undefined
}

/** How many folders are kept open at most; those further up are opened again when needed. */
const OPEN_LEVELS = 64

export class TreeWalk {
  readonly #root: CorpusRoot
  readonly #options: WalkOptions
  readonly #levels: Level[] = []

  constructor(root: CorpusRoot, options: WalkOptions) {
    this.#root = root
    this.#options = options
    if (root.only === undefined) this.#enter('', undefined)
    else this.#levels.push(singleLevel(root.only))
  }

  /** The next file in order, or undefined at the end. */
  next(): WalkedFile | undefined {
    for (;;) {
      const level = this.#levels.at(-1)
      if (level === undefined) return undefined
      const name = level.names[level.at++]
      if (name === undefined) this.#leave()
      else if (name.endsWith('/')) this.#enter(level.prefix + name, level.rules)
      else {
        const path = level.prefix + name
        if (this.#root.omitted.has(path) || this.#isBefore(path)) continue
        return { path, name, kind: level.special.get(name) ?? 'file' }
      }
    }
  }

  /** Opens the file that `next` gave last; undefined when it is no longer one that may be read. */
  open(file: WalkedFile): ContainedFile | undefined {
    if (file.kind === 'other') return undefined
    if (file.kind === 'link') return this.#openLink(file.path)
    const folder = this.#folderOf(this.#levels.at(-1))
    if (folder === undefined) return undefined
    const opened = openBelow(folder, file.name)
    return opened.failure === undefined ? opened : undefined
  }

  close(): void {
    while (this.#levels.length > 0) this.#leave()
  }

  #enter(prefix: string, rules: IgnoreRules | undefined): void {
    if (prefix !== '' && !this.#wants(prefix)) return
    const level: Level = { prefix, folder: undefined, names: [], at: 0, special: new Map(), rules }
    const folder = this.#folderOf(level)
    if (folder === undefined) return
    this.#levels.push(level)
    const far = this.#levels.at(-1 - OPEN_LEVELS)
    if (far !== undefined) closeLevel(far)
    try {
      this.#readLevel(level, folder)
    } catch {
      this.#leave()
    }
  }

  #leave(): void {
    const level = this.#levels.pop()
    if (level !== undefined) closeLevel(level)
  }

  /** Whether anything below this folder can be asked for. */
  #wants(prefix: string): boolean {
    const { from, wanted } = this.#options
    if (from !== undefined && !from.startsWith(prefix) && comparePaths(prefix, from) < 0) {
      return false
    }
    return wanted === undefined || wanted(prefix)
  }

  #isBefore(path: string): boolean {
    const { from } = this.#options
    return from !== undefined && comparePaths(path, from) < 0
  }

  #folderOf(level: Level | undefined): ContainedFolder | undefined {
    if (level === undefined || level.folder !== undefined) return level?.folder
    const path = level.prefix === '' ? '.' : level.prefix.slice(0, -1)
    const opened = openFolder(this.#root.folder, path)
    if (opened.failure !== undefined) return undefined
    // Reached by a link that was not there when its name was read.
    if (opened.path !== path) {
      closeSync(opened.fd)
      return undefined
    }
    level.folder = opened
    return opened
  }

  #readLevel(level: Level, folder: ContainedFolder): void {
    const { includeHidden, excludedFolders, gitignore } = this.#options
    const at = descriptorPath(folder)
    const entries = readNames(at)
    if (gitignore && entries.some(({ name }) => name === '.gitignore')) {
      level.rules = rulesIn(folder, level)
    }
    for (const { name, entry } of entries) {
      if (!includeHidden && name.startsWith('.')) continue
      const isFolder = entry.isDirectory()
      if (isFolder && excludedFolders.has(name)) continue
      if (isIgnored(level.rules, level.prefix + name, name, isFolder)) continue
      if (isFolder) {
        level.names.push(`${name}/`)
        continue
      }
      if (!entry.isFile()) {
        if (entry.isSymbolicLink() && leadsToFolder(at, entry.name)) continue
        level.special.set(name, entry.isSymbolicLink() ? 'link' : 'other')
      }
      level.names.push(name)
    }
    sortNames(level.names)
  }

  /** A link to a regular file inside the root; not to a file that is left out under its own name. */
  #openLink(path: string): ContainedFile | undefined {
    if (!this.#leadsToFile(path)) return undefined
    const opened = openContained(this.#root.folder, path)
    if (opened.failure !== undefined) return undefined
    if (!this.#root.omitted.has(opened.path)) return opened
    closeSync(opened.fd)
    return undefined
  }

  #leadsToFile(path: string): boolean {
    const resolved = resolveContained(this.#root.folder, path)
    if (resolved.failure !== undefined || resolved.errno !== undefined) return false
    try {
      return statSync(resolved.absolute).isFile()
    } catch {
      return false
    }
  }
}

function closeLevel(level: Level): void {
  if (level.folder !== undefined) closeSync(level.folder.fd)
  level.folder = undefined
}

/** A corpus of one file: a level with one name. */
function singleLevel(name: string): Level {
  const special = new Map()
  return { prefix: '', folder: undefined, names: [name], at: 0, special, rules: undefined }
}

function leadsToFolder(folder: string | Buffer, name: string | Buffer): boolean {
  const slash = Buffer.from('/')
  try {
    const at = Buffer.concat([Buffer.from(folder as string), slash, Buffer.from(name as string)])
    return statSync(at).isDirectory()
  } catch {
    return false
  }
}

/** What a folder's .gitignore adds; one that cannot be read adds nothing. */
function rulesIn(folder: ContainedFolder, level: Level): IgnoreRules | undefined {
  const file = openBelow(folder, '.gitignore')
  if (file.failure !== undefined) return level.rules
  try {
    return readIgnoreRules(readFileSync(file.fd, 'utf8'), level.prefix, level.rules)
  } catch {
    return level.rules
  } finally {
    closeSync(file.fd)
  }
}
