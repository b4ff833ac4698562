// The file of receipts. A line ends with its number, with `chain`, the hash of the line before it, and with
// `seal`, the hash of everything before `seal` in its own line: the last line has no successor.
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import path from 'node:path'
import { chainStart, lineHash } from '@zee/core/chain'
import { errnoOf, fileError } from '@zee/core/errors'
import { ensureDurableFolder } from '@zee/core/folders'
import { lockedAppend } from '@zee/core/journal'
import { parseObject } from '@zee/core/json'
import type { ZinoConfig } from '../config/config.ts'
import type { Head } from './head.ts'
import { raiseHead, readHead } from './head.ts'
import type { Receipt } from './receipt.ts'

const lineFeed = 0x0a
/** Receipts of turns that a crash could have interrupted are near the end of the file. */
const tailBytes = 4 * 1024 * 1024

export function receiptsFile(config: ZinoConfig): string {
  return path.resolve(config.mem.data_dir, 'receipts.jsonl')
}

export async function appendReceipt(file: string, receipt: Receipt): Promise<void> {
  ensureDurableFolder(path.dirname(file), 0o700)
  const body = JSON.stringify(receipt).slice(0, -1)
  // A numbered line implies that there is a head, also after a crash.
  if (readHead(file) === undefined) await raiseHead(file, headOf(file))
  let head: Head | undefined
  await lockedAppend(file, (lastLine, torn) => {
    const previous = torn ?? lastLine
    const line = numberOf(file, lastLine) + (torn === undefined ? 1 : 2)
    const chain = previous === undefined ? chainStart : lineHash(previous)
    const text = sealedLine(`${body},"line":${line}`, chain)
    head = { line, sha256: lineHash(Buffer.from(text)) }
    return text
  })
  if (head !== undefined) await raiseHead(file, head)
}

function sealedLine(body: string, previousHash: string): string {
  const chained = `${body},"chain":"${previousHash}"`
  return `${chained},"seal":"${lineHash(Buffer.from(chained))}"}`
}

/** The number of the last complete line; lines of older versions are counted. */
function numberOf(file: string, lastLine: Buffer | undefined): number {
  if (lastLine === undefined) return 0
  const { line } = parseObject(lastLine.toString('utf8')) ?? {}
  return typeof line === 'number' ? line : linesOf(file).length
}

/** The head of a log that has no record of it. */
function headOf(file: string): Head {
  const lines = linesOf(file)
  const last = lines.at(-1)
  return { line: lines.length, sha256: last === undefined ? chainStart : lineHash(last) }
}

function linesOf(file: string): Buffer[] {
  return splitLines(readBytes(file)).lines
}

/** Complete lines without their line feeds, and what follows the last line feed. */
export function splitLines(bytes: Buffer): { lines: Buffer[]; rest: Buffer } {
  const lines: Buffer[] = []
  let start = 0
  for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
    lines.push(bytes.subarray(start, end))
    start = end + 1
  }
  return { lines, rest: bytes.subarray(start) }
}

/** Empty for a missing file. */
export function readBytes(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return Buffer.alloc(0)
    throw fileError('read', file, error)
  }
}

/** Whether the end of the file has a receipt of this turn. A torn line is none. */
export function hasReceipt(file: string, turn: string): boolean {
  const field = `"turn":${JSON.stringify(turn)},`
  const { lines, rest } = splitLines(readTail(file))
  return [...lines, rest].some(
    (line) => line.includes(field) && parseObject(line.toString('utf8')) !== undefined,
  )
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
