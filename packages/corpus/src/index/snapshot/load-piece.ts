// Reads a piece of a snapshot's file to its address in the shared memory.
import { readSync } from 'node:fs'
import { reserve } from '../../kernel/kernel.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { LoadJob } from '../refresh/refresh.ts'
import { sumAt } from './sum.ts'

/** One call reads no more than 2 GiB. */
const mostAtOnce = 1 << 30
const sumBytes = 16

/** Whether it was all there and has its sum. */
export function loadPiece(kernel: Kernel, { fd, at, bytes, address, sum }: LoadJob): boolean {
  try {
    for (let done = 0; done < bytes;) {
      const most = Math.min(mostAtOnce, bytes - done)
      const length = readSync(fd, kernel.bytes(), address + done, most, at + done)
      if (length === 0) return false
      done += length
    }
    const scratch = reserve(kernel.memory, sumBytes)
    return scratch !== undefined && sumAt(kernel, address, bytes, scratch) === sum
  } catch {
    return false
  }
}
