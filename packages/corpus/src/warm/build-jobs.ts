// What is asked of an index worker and what it answers: columns of numbers that cross a thread border.
import type { ContainedRoot } from '@zee/core/contained-path'
import type { WasmMemory, WasmModule } from '../kernel/wasm.ts'
import type { FileRecord } from './index-file.ts'
import { columnsOf } from './signature-blocks.ts'

export interface WorkerSetup {
  memory: WasmMemory
  module: WasmModule
  root: ContainedRoot
  contentLimit: number
}

/** Files of one folder: by number, with the generation that the number has at the time. */
export interface FolderJob {
  path: string
  names: string[]
  ids: number[]
  generations: number[]
}

export interface BuildJob {
  folders: FolderJob[]
  /** The time of day in nanoseconds. */
  nowNs: bigint
}

export interface BuildReply {
  ids: number[]
  generations: number[]
  /** Nine numbers and three large ones per file. */
  numbers: Float64Array
  times: BigInt64Array
}

const NUMBERS = 9
const TIMES = 3

export function emptyReply({ folders }: BuildJob): BuildReply {
  const ids = folders.flatMap((folder) => folder.ids)
  return {
    ids,
    generations: folders.flatMap((folder) => folder.generations),
    numbers: new Float64Array(ids.length * NUMBERS),
    times: new BigInt64Array(ids.length * TIMES),
  }
}

export function writeRecord(reply: BuildReply, index: number, record: FileRecord): void {
  const { room, place } = record
  reply.numbers.set(
    [
      ...[record.flags, record.size, record.chars, record.length],
      ...(room === undefined ? [0, 0] : [room.address, room.bytes]),
      ...(place === undefined ? [0, 0, 0] : [place.block.address, place.block.size, place.column]),
    ],
    index * NUMBERS,
  )
  reply.times.set([record.modified, record.changed, record.inode], index * TIMES)
}

export function readRecord(reply: BuildReply, index: number): FileRecord {
  const [flags, size, chars, length, address, bytes, block, blockSize, column] =
    reply.numbers.subarray(index * NUMBERS, (index + 1) * NUMBERS) as unknown as Nine
  const [modified, changed, inode] = reply.times.subarray(index * TIMES, (index + 1) * TIMES)
  return {
    ...{ flags, size, chars, length },
    ...{ modified: modified as bigint, changed: changed as bigint, inode: inode as bigint },
    room: bytes === 0 ? undefined : { address, bytes },
    place:
      block === 0
        ? undefined
        : { block: { address: block, size: blockSize, columns: columnsOf(blockSize) }, column },
  }
}

type Nine = [number, number, number, number, number, number, number, number, number]
