// Copies a folder by reflink where the file system can, else by content; never by hard link, so that
// no attempt can write into the files of another one. Also takes stock of what it copied.
import { chmodSync, constants, copyFile, lstatSync, mkdirSync } from 'node:fs'
import { readdirSync, readlink, symlink } from 'node:fs'
import type { Dirent, Stats } from 'node:fs'
import path from 'node:path'
import { createHash } from 'node:crypto'

/** The state of one file right after the copy. A later write changes at least the ctime. */
export interface CopiedFile {
  size: number
  ctimeMs: number
  mode: number
  /** The target of a symbolic link. */
  link?: string
}

export interface TreeCopy {
  /** By path relative to the folder. */
  files: Map<string, CopiedFile>
  bytes: number
  /** Changes when a file of the source is added, removed or written. */
  sourceFingerprint: string
}

export interface CopyOptions {
  /** Paths of the source that are left out. */
  isExcluded?: (absolute: string) => boolean
}

/** Copies in flight: more than the four threads of libuv, so that none of them waits. */
const parallel = 16

interface Entry {
  relative: string
  stats: Stats
}

/** Copies the tree; `target` must not exist. Sockets, pipes and devices are left out. */
export async function copyTree(
  source: string,
  target: string,
  { isExcluded }: CopyOptions = {},
): Promise<TreeCopy> {
  const folders: Entry[] = []
  const entries: Entry[] = []
  mkdirSync(target, { recursive: true, mode: 0o700 })
  // A synchronous call per file takes a few microseconds, a promise many times as long.
  const list = (relative: string): void => {
    for (const entry of readdirSync(path.join(source, relative), { withFileTypes: true })) {
      const inner = path.join(relative, entry.name)
      const absolute = path.join(source, inner)
      if (!isCopied(entry) || isExcluded?.(absolute) === true) continue
      const one = { relative: inner, stats: lstatSync(absolute) }
      if (!entry.isDirectory()) entries.push(one)
      else {
        folders.push(one)
        mkdirSync(path.join(target, inner), { mode: 0o700 })
        list(inner)
      }
    }
  }
  list('')
  const files = await copyAll(entries, source, target)
  // Innermost first: a folder without write permission would refuse its own contents.
  for (const { relative, stats } of folders.sort((a, b) => b.relative.length - a.relative.length)) {
    chmodSync(path.join(target, relative), stats.mode & 0o777)
  }
  const bytes = entries.reduce((sum, { stats }) => sum + (stats.isFile() ? stats.size : 0), 0)
  return { files, bytes, sourceFingerprint: fingerprint(entries) }
}

function isCopied(entry: Dirent): boolean {
  return entry.isFile() || entry.isDirectory() || entry.isSymbolicLink()
}

/** A callback costs half the CPU time of a promise, and the threads of libuv copy in parallel. */
function copyAll(
  entries: readonly Entry[],
  source: string,
  target: string,
): Promise<Map<string, CopiedFile>> {
  const files = new Map<string, CopiedFile>()
  let next = 0
  let open = 0
  return new Promise((resolve, reject) => {
    const start = (): void => {
      const entry = entries[next++]
      if (entry === undefined) {
        if (open === 0) resolve(files)
        return
      }
      const to = path.join(target, entry.relative)
      open++
      copyOne(path.join(source, entry.relative), to, entry.stats, (error, link) => {
        open--
        if (error !== null) return reject(error)
        files.set(entry.relative, copiedFile(to, link))
        return start()
      })
    }
    for (let count = 0; count < parallel; count++) start()
  })
}

function copyOne(
  from: string,
  to: string,
  stats: Stats,
  done: (error: Error | null, link?: string) => void,
): void {
  if (!stats.isSymbolicLink()) return copyFile(from, to, constants.COPYFILE_FICLONE, done)
  return readlink(from, (error, link) =>
    error === null ? symlink(link, to, (failure) => done(failure, link)) : done(error),
  )
}

function copiedFile(file: string, link: string | undefined): CopiedFile {
  if (link !== undefined) return { size: 0, ctimeMs: 0, mode: 0, link }
  const { size, ctimeMs, mode } = lstatSync(file)
  return { size, ctimeMs, mode }
}

function fingerprint(entries: readonly Entry[]): string {
  const lines = entries.map(({ relative, stats }) =>
    [relative, stats.mode, stats.size, stats.mtimeMs].join('\0'),
  )
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex')
}
