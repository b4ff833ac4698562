// Loads a section of a snapshot file into the shared memory.
import { readSync } from 'node:fs'
import { reserve } from '../../kernel/kernel.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { LoadJob } from '../refresh/refresh.ts'
import { checksumAt } from './checksum.ts'

/** One read(2) returns at most 2 GiB. */
const maxReadBytes = 1 << 30
const sumBytes = 16

/** Whether the section is complete and its checksum matches. */
export function loadSection(kernel: Kernel, { fd, at, bytes, address, sum }: LoadJob): boolean {
  try {
    for (let done = 0; done < bytes;) {
      const most = Math.min(maxReadBytes, bytes - done)
      const length = readSync(fd, kernel.bytes(), address + done, most, at + done)
      if (length === 0) return false
      done += length
    }
    const scratch = reserve(kernel.memory, sumBytes)
    return scratch !== undefined && checksumAt(kernel, address, bytes, scratch) === sum
  } catch {
    return false
  }
}
