// Prints the last lines of a trace and follows it, also when the file is replaced or truncated.
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { errnoOf, fileError, oneLine, ZeeError } from '@zee/core/errors'
import { lastLinesOffset } from '../../last-lines/last-lines.ts'
import type { Write } from '@zee/core/lossless'

export interface TailOptions {
  log: string
  /** 0 for all lines. */
  lines: number
  follow: boolean
}

const pollMs = 200
const blockBytes = 64 * 1024
const newline = 0x0a

/** With `follow` it never returns. */
export async function writeTail({ log, lines, follow }: TailOptions, write: Write): Promise<void> {
  let open = openLog(log)
  let offset = lines === 0 ? 0 : lastLinesOffset(open.descriptor, lines)
  try {
    offset = await copy(open.descriptor, offset, write, !follow)
    if (!follow) return
    for (;;) {
      await pause(pollMs)
      const current = currentIdentity(log)
      if (current !== undefined && current !== open.identity) {
        offset = await copy(open.descriptor, offset, write, true)
        const replaced = open.descriptor
        open = openLog(log)
        closeSync(replaced)
        offset = 0
      } else if (fstatSync(open.descriptor).size < offset) offset = 0
      offset = await copy(open.descriptor, offset, write, false)
    }
  } finally {
    closeSync(open.descriptor)
  }
}

function openLog(log: string): { descriptor: number; identity: string } {
  let descriptor: number
  try {
    descriptor = openSync(log, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    throw fileError('read', log, error)
  }
  const stats = fstatSync(descriptor)
  if (stats.isFile()) return { descriptor, identity: `${stats.dev}:${stats.ino}` }
  closeSync(descriptor)
  throw new ZeeError('not_a_file', `cannot read ${oneLine(log)}: it is not a regular file`)
}

function currentIdentity(log: string): string | undefined {
  try {
    const { dev, ino } = statSync(log)
    return `${dev}:${ino}`
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw fileError('read', log, error)
  }
}

/** Prints the complete lines after `from`, with `all` also a partial last line. Returns the new offset. */
async function copy(descriptor: number, from: number, write: Write, all: boolean): Promise<number> {
  let offset = from
  let pieces: Buffer[] = []
  let pendingBytes = 0
  for (;;) {
    const block = Buffer.allocUnsafe(blockBytes)
    const length = readSync(descriptor, block, 0, blockBytes, offset + pendingBytes)
    if (length === 0) break
    const end = block.subarray(0, length).lastIndexOf(newline) + 1
    pieces.push(block.subarray(0, length))
    pendingBytes += length
    if (end === 0) continue
    const pending = Buffer.concat(pieces, pendingBytes)
    const printed = pendingBytes - length + end
    await write(pending.subarray(0, printed))
    pieces = printed === pendingBytes ? [] : [pending.subarray(printed)]
    pendingBytes -= printed
    offset += printed
  }
  if (!all || pendingBytes === 0) return offset
  await write(Buffer.concat([...pieces, Buffer.from('\n')]))
  return offset + pendingBytes
}
