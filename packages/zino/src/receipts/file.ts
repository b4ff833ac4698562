// The file of receipts. A line ends with `chain`, the hash of the line before it, and `seal`, the hash of
// everything before `seal` in its own line: the last line has no successor that could show a change.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import path from 'node:path'
import { chainStart, lineHash } from '@zee/core/chain'
import { errnoOf } from '@zee/core/errors'
import { ensureFolder } from '@zee/core/folders'
import { lockedAppend } from '@zee/core/journal'
import type { ZinoConfig } from '../config/config.ts'
import type { Receipt } from './receipt.ts'

/** Receipts of turns that a crash could have interrupted are near the end of the file. */
const tailBytes = 4 * 1024 * 1024

export function receiptsFile(config: ZinoConfig): string {
  return path.resolve(config.mem.data_dir, 'receipts.jsonl')
}

export async function appendReceipt(file: string, receipt: Receipt): Promise<void> {
  ensureFolder(path.dirname(file), 0o700)
  const body = JSON.stringify(receipt).slice(0, -1)
  await lockedAppend(file, (lastLine, torn) => {
    const previous = torn ?? lastLine
    return sealedLine(body, previous === undefined ? chainStart : lineHash(previous))
  })
}

function sealedLine(body: string, previousHash: string): string {
  const chained = `${body},"chain":"${previousHash}"`
  return `${chained},"seal":"${lineHash(Buffer.from(chained))}"}`
}

/** Whether the end of the file has a receipt of this turn. */
export function hasReceipt(file: string, turn: string): boolean {
  return readTail(file).includes(`"turn":${JSON.stringify(turn)},`)
}

function readTail(file: string): Buffer {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
  try {
    const { size } = fstatSync(descriptor)
    const tail = Buffer.alloc(Math.min(size, tailBytes))
    return tail.subarray(0, readSync(descriptor, tail, 0, tail.length, size - tail.length))
  } finally {
    closeSync(descriptor)
  }
}
