// Where a repository keeps its files: the git folder, the shared folder of linked work trees, the object folders
// with their alternates, and the settings that decide how to read them.
import { statSync } from 'node:fs'
import path from 'node:path'
import { readBoundedFile } from '@zee/core/bounded-file'
import { gitError } from './failure.ts'

export interface RepositoryLayout {
  /** The folder with HEAD; of a linked work tree, its own one. */
  gitFolder: string
  /** The folder with objects, refs and config, which linked work trees share. */
  commonFolder: string
  /** The top of the work tree; undefined in a bare repository. */
  topFolder: string | undefined
  /** Bytes of an object name: 20 for SHA-1, 32 for SHA-256. */
  nameBytes: 20 | 32
  /** Objects may be absent, because a remote promises them. */
  isPartial: boolean
  settings: Settings
}

/** Values by `section.key` or `section.subsection.key`; section and key are lower case. */
export type Settings = ReadonlyMap<string, string>

const maxAlternates = 32

/** The repository that contains a folder, as git finds it: the first folder upwards that is one. */
export function findRepository(folder: string): RepositoryLayout {
  for (let at = folder; ; at = path.dirname(at)) {
    const found = gitFolderIn(at)
    if (found !== undefined) return layoutOf(found.gitFolder, found.isBare ? undefined : at)
    if (path.dirname(at) === at) throw gitError('the root is not in a git repository')
  }
}

function gitFolderIn(folder: string): { gitFolder: string; isBare: boolean } | undefined {
  const inner = path.join(folder, '.git')
  const stats = statSync(inner, { throwIfNoEntry: false })
  if (stats?.isFile() === true) {
    const target = /^gitdir: (.+?)\r?\n?$/s.exec(readText(inner) ?? '')?.[1]
    if (target === undefined) throw gitError('the file .git names no git folder')
    return { gitFolder: path.resolve(folder, target), isBare: false }
  }
  if (stats?.isDirectory() === true && isGitFolder(inner)) {
    return { gitFolder: inner, isBare: false }
  }
  return isGitFolder(folder) ? { gitFolder: folder, isBare: true } : undefined
}

function isGitFolder(folder: string): boolean {
  const isFolder = (name: string): boolean =>
    statSync(path.join(folder, name), { throwIfNoEntry: false })?.isDirectory() === true
  return (
    readText(path.join(folder, 'HEAD')) !== undefined && isFolder('objects') && isFolder('refs')
  )
}

function layoutOf(gitFolder: string, topFolder: string | undefined): RepositoryLayout {
  const common = readText(path.join(gitFolder, 'commondir'))?.trim()
  const commonFolder = common === undefined ? gitFolder : path.resolve(gitFolder, common)
  const settings = parseSettings(readText(path.join(commonFolder, 'config')) ?? '')
  const format = settings.get('extensions.objectformat')?.toLowerCase() ?? 'sha1'
  if (format !== 'sha1' && format !== 'sha256') {
    throw gitError(`the repository has the unknown object format ${format}`)
  }
  const storage = settings.get('extensions.refstorage')?.toLowerCase() ?? 'files'
  if (storage !== 'files') throw gitError(`refs stored as ${storage} cannot be read, only as files`)
  const isPartial =
    settings.has('extensions.partialclone') ||
    [...settings].some(([name, value]) => /^remote\..*\.promisor$/.test(name) && value === 'true')
  const nameBytes = format === 'sha256' ? 32 : 20
  return { gitFolder, commonFolder, topFolder, nameBytes, isPartial, settings }
}

/** The object folders: the repository's own one, then its alternates and theirs. */
export function objectFolders({ commonFolder }: RepositoryLayout): string[] {
  const folders: string[] = []
  const add = (folder: string): void => {
    if (folders.includes(folder) || folders.length >= maxAlternates) return
    folders.push(folder)
    const alternates = readText(path.join(folder, 'info/alternates')) ?? ''
    for (const line of alternates.split('\n')) {
      if (line !== '' && !line.startsWith('#')) add(path.resolve(folder, line))
    }
  }
  add(path.join(commonFolder, 'objects'))
  return folders
}

/** The commits of a shallow clone whose parents are absent. The file is read again after it changed. */
export class ShallowCommits {
  readonly #file: string
  #stamp = ''
  #names: ReadonlySet<string> = new Set()

  constructor({ commonFolder }: RepositoryLayout) {
    this.#file = path.join(commonFolder, 'shallow')
  }

  has(name: string): boolean {
    const stats = statSync(this.#file, { bigint: true, throwIfNoEntry: false })
    const stamp = stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeNs}`
    if (stamp !== this.#stamp) {
      const text = readText(this.#file) ?? ''
      this.#names = new Set(text.split('\n').filter((line) => line !== ''))
      this.#stamp = stamp
    }
    return this.#names.has(name)
  }
}

/** Includes are not followed: the settings read here are written by git itself. */
function parseSettings(text: string): Settings {
  const settings = new Map<string, string>()
  let section = ''
  for (const raw of text.split('\n')) {
    const line = raw.trim()
    const head = /^\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line)
    if (head !== null) {
      const sub = head[2]?.replace(/\\(.)/g, '$1')
      section = (head[1] as string).toLowerCase() + (sub === undefined ? '' : `.${sub}`)
      continue
    }
    const [, key, value] = /^([A-Za-z][\w-]*)\s*(?:=\s*(.*?))?\s*$/.exec(line) ?? []
    if (key === undefined) continue
    settings.set(`${section}.${key.toLowerCase()}`, (value ?? 'true').replace(/^"(.*)"$/, '$1'))
  }
  return settings
}

/** A log of a ref and the packed refs grow with the repository. */
const maxTextBytes = 256 << 20

/** The text of a file of the repository; undefined if it cannot be read. */
export function readText(file: string): string | undefined {
  try {
    return readBoundedFile(file, { maxBytes: maxTextBytes }).toString()
  } catch {
    return undefined
  }
}
