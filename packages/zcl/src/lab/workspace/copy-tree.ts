// Copies a folder by reflink where the file system can, else by content; never by hard link, so that
// no attempt can write into the files of another one. Also takes stock of what it copied.
import { chmodSync, constants, lstatSync, mkdirSync, promises, readdirSync } from 'node:fs'
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
  const files = new Map<string, CopiedFile>()
  await inParallel(entries, async ({ relative, stats }) => {
    files.set(
      relative,
      await copyFile(path.join(source, relative), path.join(target, relative), stats),
    )
  })
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

async function copyFile(source: string, target: string, stats: Stats): Promise<CopiedFile> {
  if (stats.isSymbolicLink()) {
    const link = await promises.readlink(source)
    await promises.symlink(link, target)
    return { size: 0, ctimeMs: 0, mode: 0, link }
  }
  await promises.copyFile(source, target, constants.COPYFILE_FICLONE)
  const { size, ctimeMs, mode } = lstatSync(target)
  return { size, ctimeMs, mode }
}

function fingerprint(entries: readonly Entry[]): string {
  const lines = entries.map(({ relative, stats }) =>
    [relative, stats.mode, stats.size, stats.mtimeMs].join('\0'),
  )
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex')
}

async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0
  const loop = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      await work(items[index] as Item)
    }
  }
  await Promise.all(Array.from({ length: Math.min(parallel, items.length) }, loop))
}
