// Looks whether folders and files are still what they were when a snapshot was made. Several threads share the
// work: each takes some folders with their files at a time, until none is left.
import { lstatSync } from 'node:fs'
import type { BigIntStats } from 'node:fs'
import { accessOf } from '../folder.ts'
import { FileFlag, FileKind } from '../file-table.ts'
import { columnsIn, FolderState, unpackTexts } from './columns.ts'
import type { ColumnLengths, Columns } from './columns.ts'

/** What crosses the border between threads. */
export interface LookJob {
  /** Of the root, with a slash at its end. */
  prefix: string
  memory: SharedArrayBuffer
  lengths: ColumnLengths
  /** One word, the next folder, and then a byte for each folder and for each file: `Seen`. */
  seen: SharedArrayBuffer
}

/** A byte is 0 as long as nobody has looked. */
export const Seen = { same: 1, other: 2 } as const

const foldersAtOnce = 16
const wordBytes = 8

export function newLookJob(
  prefix: string,
  memory: SharedArrayBuffer,
  lengths: ColumnLengths,
): LookJob {
  const bytes = wordBytes + lengths.folderStates + lengths.kinds
  return { prefix, memory, lengths, seen: new SharedArrayBuffer(bytes) }
}

/** What was seen of folders and of files, by their numbers in the snapshot. */
export function seenBy({ seen, lengths }: LookJob): { folders: Uint8Array; files: Uint8Array } {
  return {
    folders: new Uint8Array(seen, wordBytes, lengths.folderStates),
    files: new Uint8Array(seen, wordBytes + lengths.folderStates, lengths.kinds),
  }
}

export class Looker {
  readonly #job: LookJob
  readonly #columns: Columns
  readonly #next: Int32Array
  readonly #seen: { folders: Uint8Array; files: Uint8Array }
  readonly #names: string[]
  readonly #access: string[]
  readonly #prefixes: string[]

  /** `names` are those of the files, where they are known already. */
  constructor(job: LookJob, names?: string[]) {
    this.#job = job
    this.#columns = columnsIn(job.memory, job.lengths)
    this.#next = new Int32Array(job.seen, 0, 1)
    this.#seen = seenBy(job)
    this.#names = names ?? unpackTexts(this.#columns.names)
    this.#access = unpackTexts(this.#columns.folderAccess)
    this.#prefixes = prefixesOf(this.#columns, job.prefix)
  }

  /** Looks at some folders with their files; false when there are no more. */
  lookOn(): boolean {
    const first = Atomics.add(this.#next, 0, foldersAtOnce)
    const end = Math.min(this.#job.lengths.folderStates, first + foldersAtOnce)
    for (let folder = first; folder < end; folder++) this.#lookAtFolder(folder)
    return end < this.#job.lengths.folderStates
  }

  #lookAtFolder(folder: number): void {
    const { folderStates, firstEntries, entries, kinds, flags } = this.#columns
    if (folderStates[folder] === FolderState.unread) return
    const same = this.#isSameFolder(folder)
    this.#seen.folders[folder] = same ? Seen.same : Seen.other
    for (let at = firstEntries[folder] as number; at < (firstEntries[folder + 1] as number); at++) {
      const file = entries[at] as number
      if (file < 0 || kinds[file] !== FileKind.file) continue
      if (((flags[file] as number) & FileFlag.known) === 0) continue
      this.#seen.files[file] = this.#isSameFile(folder, file) ? Seen.same : Seen.other
    }
  }

  #isSameFolder(folder: number): boolean {
    const { folderMarks, folderStates } = this.#columns
    const stats = statsAt((this.#prefixes[folder] as string).slice(0, -1) || '/')
    return (
      folderStates[folder] === FolderState.read &&
      stats !== undefined &&
      stats.ctimeNs === folderMarks[folder * 3 + 2] &&
      stats.ino === folderMarks[folder * 3] &&
      stats.dev === folderMarks[folder * 3 + 1] &&
      accessOf(stats) === this.#access[folder]
    )
  }

  #isSameFile(folder: number, file: number): boolean {
    const { modified, changed, inodes, sizes } = this.#columns
    const stats = statsAt((this.#prefixes[folder] as string) + (this.#names[file] as string))
    return (
      stats !== undefined &&
      stats.ctimeNs === changed[file] &&
      stats.mtimeNs === modified[file] &&
      stats.ino === inodes[file] &&
      Number(stats.size) === sizes[file]
    )
  }
}

/** Paths of the folders, each with a slash at its end. */
function prefixesOf(columns: Columns, root: string): string[] {
  const names = unpackTexts(columns.folderNames)
  const prefixes = [root]
  for (let folder = 0; folder < names.length; folder++) {
    const end = columns.firstEntries[folder + 1] as number
    for (let at = columns.firstEntries[folder] as number; at < end; at++) {
      const inner = -1 - (columns.entries[at] as number)
      if (inner >= 0) prefixes[inner] = `${prefixes[folder] as string}${names[inner] as string}/`
    }
  }
  return prefixes
}

function statsAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
