// Reads one folder of a walk: its entries in path order, without those that a rule hides.
import { closeSync, fstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import type { Dirent } from 'node:fs'
import { descriptorPath, nameText } from '@zee/core/contained-path'
import type { ContainedFolder } from '@zee/core/contained-path'
import { openFileBelow } from '@zee/core/contained-path-below'
import { denyingRule, mayNameDenied } from '../deny/deny.ts'
import type { DenyRules } from '../deny/deny.ts'
import { isIgnored, readIgnoreRules } from '../gitignore/gitignore.ts'
import type { IgnoreRules } from '../gitignore/gitignore.ts'
import { leadsToOmitted } from '../root/root.ts'
import type { CorpusRoot } from '../root/root.ts'
import { hidingRule } from './excluded.ts'
import type { ExcludedCount } from './excluded.ts'
import { isDeniedLink } from './open-entry.ts'
import type { SpecialKind } from './open-entry.ts'
import type { WalkOptions } from './options.ts'
import { needsCodePointOrder, sortNames, sortByUnits } from './path-order.ts'

/** A folder that the walk is in. */
export interface Level {
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

const dot = 0x2e
const withTypes = { withFileTypes: true } as const

export function newLevel(
  prefix: string,
  folder: ContainedFolder | undefined,
  names: string[],
): Level {
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

export function closeLevel(level: Level): void {
  if (level.folder !== undefined) closeSync(level.folder.fd)
  level.folder = undefined
}

/** Fills levels; counts what the default rules hide. */
export class LevelReader {
  readonly #root: CorpusRoot
  readonly #options: WalkOptions
  readonly #excluded: ExcludedCount

  constructor(root: CorpusRoot, options: WalkOptions, excluded: ExcludedCount) {
    this.#root = root
    this.#options = options
    this.#excluded = excluded
  }

  // The loops over entries are functions of their own: V8 optimizes them in a short run, and everything
  // that it inlines costs a cold listing up to 15 ms of CPU time.
  read(level: Level, folder: ContainedFolder): void {
    const folderPath = descriptorPath(folder)
    const entries = readdirSync(folderPath, withTypes)
    if (this.#options.gitignore) level.rules = readFolderRules(folder, level.prefix, level.rules)
    this.#addEntries(level, entries)
    let text = level.names.join('\n')
    level.hasUnusualNames = needsCodePointOrder(text)
    if (level.hasUnusualNames) {
      this.#addRawNames(level, folderPath)
      text = level.names.join('\n')
    } else sortByUnits(level.names)
    const { deny } = this.#root
    if (deny !== undefined && mayNameDenied(deny, text)) this.#markDenied(level, deny)
  }

  #addEntries(level: Level, entries: readonly Dirent[]): void {
    const { includeHidden } = this.#options
    const { names, rules } = level
    const hasNoRules = rules === undefined
    for (let index = 0; index < entries.length; index++) {
      const entry = entries[index] as Dirent
      const { name } = entry
      if (!includeHidden && name.charCodeAt(0) === dot && this.#isHidden(level, name, entry))
        continue
      if (hasNoRules && entry.isFile()) names.push(name)
      else this.#addEntry(level, name, entry)
    }
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
    if (!entry.isFile()) {
      const kind = this.#specialKind(level, name, entry)
      if (kind === undefined) return
      this.#addSpecial(level, name, kind)
    }
    level.names.push(name)
  }

  #addSpecial(level: Level, name: string, kind: SpecialKind | 'denied'): void {
    if (kind === 'denied') this.#excluded.addDenied(level.prefix + name)
    level.special ??= new Map()
    level.special.set(name, kind === 'denied' ? 'other' : kind)
  }

  /** Marks the regular files that a rule denies; a link has its kind already. */
  #markDenied(level: Level, deny: DenyRules): void {
    for (const name of level.names) {
      if (name.endsWith('/') || level.special?.has(name) === true) continue
      if (denyingRule(deny, level.prefix + name) !== undefined) {
        this.#addSpecial(level, name, 'denied')
      }
    }
  }

  /** Counts and reports an entry that a default rule hides. */
  #isHidden({ prefix }: Level, name: string, entry: Dirent | Dirent<Buffer>): boolean {
    const isFolder = entry.isDirectory()
    const rule = hidingRule(this.#options, prefix + name, name, isFolder)
    if (rule === undefined) return false
    const isOwn = isFolder && this.#options.excludedFolders.has(name)
    if (!isOwn && !this.#root.omitted.has(prefix + name)) {
      this.#excluded.add(prefix + name, isFolder, rule)
    }
    return true
  }

  /**
   * The kind of an entry; undefined if it is not listed: a link to a folder or to an omitted file.
   */
  #specialKind(
    level: Level,
    name: string,
    entry: Dirent | Dirent<Buffer>,
  ): SpecialKind | 'denied' | undefined {
    if (!entry.isSymbolicLink()) return 'other'
    const link = level.prefix + name
    if (leadsToOmitted(this.#root, link)) return undefined
    const folder = Buffer.from(`${descriptorPath(level.folder as ContainedFolder).toString()}/`)
    try {
      const path = Buffer.concat([folder, Buffer.from(entry.name as string)])
      if (statSync(path).isDirectory()) return undefined
    } catch {
      return 'link'
    }
    return isDeniedLink(this.#root, link) ? 'denied' : 'link'
  }
}

/** A larger .gitignore is no list that a person wrote. */
const maxRulesBytes = 1 << 20

/** The rules of a folder's .gitignore added to `outer`; `outer` if it is missing or unreadable. */
export function readFolderRules(
  folder: ContainedFolder,
  prefix: string,
  outer: IgnoreRules | undefined,
): IgnoreRules | undefined {
  const fd = openFileBelow(folder, '.gitignore')
  if (fd === -1) return outer
  try {
    const stats = fstatSync(fd)
    if (!stats.isFile() || stats.size > maxRulesBytes) return outer
    return readIgnoreRules(readFileSync(fd, 'utf8'), prefix, outer)
  } catch {
    return outer
  } finally {
    closeSync(fd)
  }
}
