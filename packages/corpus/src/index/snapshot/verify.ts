// Checks whether folders and files are unchanged since a snapshot. Several threads share the work: each claims
// batches of folders with their files until none is left.
import { lstatSync } from 'node:fs'
import type { BigIntStats } from 'node:fs'
import { accessKey } from '../folder.ts'
import { FileFlag, FileKind } from '../file-table.ts'
import { columnsIn, FolderState, unpackTexts } from './columns.ts'
import type { ColumnLengths, Columns } from './columns.ts'

/** Shared by the threads. */
export interface VerifyJob {
  /** Path of the root with a trailing slash. */
  prefix: string
  memory: SharedArrayBuffer
  lengths: ColumnLengths
  /** A word with the next folder, then a `Verdict` byte for each folder and each file. */
  verdicts: SharedArrayBuffer
}

/** 0 until checked. */
export const Verdict = { same: 1, other: 2 } as const

const batchFolders = 16
const wordBytes = 8

export function createVerifyJob(
  prefix: string,
  memory: SharedArrayBuffer,
  lengths: ColumnLengths,
): VerifyJob {
  const bytes = wordBytes + lengths.folderStates + lengths.kinds
  return { prefix, memory, lengths, verdicts: new SharedArrayBuffer(bytes) }
}

/** Verdicts of folders and files, by their numbers in the snapshot. */
export function verdictsOf({ verdicts, lengths }: VerifyJob): {
  folders: Uint8Array
  files: Uint8Array
} {
  return {
    folders: new Uint8Array(verdicts, wordBytes, lengths.folderStates),
    files: new Uint8Array(verdicts, wordBytes + lengths.folderStates, lengths.kinds),
  }
}

export class Verifier {
  readonly #job: VerifyJob
  readonly #columns: Columns
  readonly #next: Int32Array
  readonly #verdicts: { folders: Uint8Array; files: Uint8Array }
  readonly #names: string[]
  readonly #access: string[]
  readonly #prefixes: string[]

  /** `names` are the file names if already unpacked. */
  constructor(job: VerifyJob, names?: string[]) {
    this.#job = job
    this.#columns = columnsIn(job.memory, job.lengths)
    this.#next = new Int32Array(job.verdicts, 0, 1)
    this.#verdicts = verdictsOf(job)
    this.#names = names ?? unpackTexts(this.#columns.names)
    this.#access = unpackTexts(this.#columns.folderAccess)
    this.#prefixes = prefixesOf(this.#columns, job.prefix)
  }

  /** Checks a batch of folders with their files; false at the end. */
  verifyNext(): boolean {
    const first = Atomics.add(this.#next, 0, batchFolders)
    const end = Math.min(this.#job.lengths.folderStates, first + batchFolders)
    for (let folder = first; folder < end; folder++) this.#verifyFolder(folder)
    return end < this.#job.lengths.folderStates
  }

  #verifyFolder(folder: number): void {
    const { folderStates, firstEntries, entries, kinds, flags } = this.#columns
    if (folderStates[folder] === FolderState.unread) return
    const same = this.#isSameFolder(folder)
    this.#verdicts.folders[folder] = same ? Verdict.same : Verdict.other
    for (let at = firstEntries[folder] as number; at < (firstEntries[folder + 1] as number); at++) {
      const file = entries[at] as number
      if (file < 0 || kinds[file] !== FileKind.file) continue
      if (((flags[file] as number) & FileFlag.known) === 0) continue
      this.#verdicts.files[file] = this.#isSameFile(folder, file) ? Verdict.same : Verdict.other
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
      accessKey(stats) === this.#access[folder]
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

/** Paths of the folders with a trailing slash. */
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
