// Messages between the main thread and index workers. Records are packed into number columns for transfer.
import type { ContainedRoot } from '@zee/core/contained-path'
import type { WasmMemory, WasmModule } from '../../wasm/wasm.ts'
import { columnsOf } from '../signatures/signatures.ts'
import type { FileRecord } from '../signatures/signatures.ts'
import type { VerifyJob } from '../snapshot/snapshot.ts'

export interface WorkerSetup {
  memory: WasmMemory
  module: WasmModule
  root: ContainedRoot
  contentLimit: number
}

/** Files of one folder, with the generation of each id. */
export interface FolderJob {
  path: string
  names: string[]
  ids: number[]
  generations: number[]
}

export interface BuildJob {
  folders: FolderJob[]
  /** Wall-clock time. */
  nowNs: bigint
  /** Read only contents: the signatures exist. */
  fills: boolean
}

/** A section of an open file to load at an address of the memory and to verify with a checksum. */
export interface LoadJob {
  fd: number
  at: number
  bytes: number
  address: number
  sum: string
}

/** Work for a thread besides reading files: restoring a snapshot. */
export type SideJob = { load: LoadJob } | { verify: VerifyJob }

export interface SideReply {
  done: boolean
}

export interface BuildReply {
  ids: number[]
  generations: number[]
  /** `numbersPerFile` numbers and `timesPerFile` large ones per file. */
  numbers: Float64Array
  times: BigInt64Array
  fills: boolean
}

const numbersPerFile = 9
const timesPerFile = 3

export function emptyReply({ folders, fills }: BuildJob): BuildReply {
  const ids = folders.flatMap((folder) => folder.ids)
  return {
    ids,
    generations: folders.flatMap((folder) => folder.generations),
    numbers: new Float64Array(ids.length * numbersPerFile),
    times: new BigInt64Array(ids.length * timesPerFile),
    fills,
  }
}

export function writeRecord(reply: BuildReply, index: number, record: FileRecord): void {
  const { numbers, times } = reply
  const { extent, slot } = record
  const at = index * numbersPerFile
  numbers[at] = record.flags
  numbers[at + 1] = record.size
  numbers[at + 2] = record.chars
  numbers[at + 3] = record.length
  numbers[at + 4] = extent?.address ?? 0
  numbers[at + 5] = extent?.bytes ?? 0
  numbers[at + 6] = slot?.block.address ?? 0
  numbers[at + 7] = slot?.block.size ?? 0
  numbers[at + 8] = slot?.column ?? 0
  times[index * timesPerFile] = record.modified
  times[index * timesPerFile + 1] = record.changed
  times[index * timesPerFile + 2] = record.inode
}

export function readRecord({ numbers, times }: BuildReply, index: number): FileRecord {
  const number = (offset: number): number => numbers[index * numbersPerFile + offset] as number
  const [bytes, block, size] = [number(5), number(6), number(7)]
  return {
    flags: number(0),
    size: number(1),
    chars: number(2),
    length: number(3),
    modified: times[index * timesPerFile] as bigint,
    changed: times[index * timesPerFile + 1] as bigint,
    inode: times[index * timesPerFile + 2] as bigint,
    extent: bytes === 0 ? undefined : { address: number(4), bytes },
    slot:
      block === 0
        ? undefined
        : { block: { address: block, size, columns: columnsOf(size) }, column: number(8) },
  }
}
