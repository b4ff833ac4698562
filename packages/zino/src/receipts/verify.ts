// Reads receipts and checks their chain: every byte of the file counts.
import { readFileSync } from 'node:fs'
import { chainStart, lineHash } from '@zee/core/chain'
import { errnoOf, fileError } from '@zee/core/errors'
import { parseObject } from '@zee/core/json'
import type { Receipt } from './receipt.ts'

interface ReceiptProblem {
  /** From 1. */
  line: number
  text: string
}

interface Verdict {
  receipts: number
  problems: ReceiptProblem[]
  /** Lines that a crash left incomplete; the line after them covers them. */
  torn: number[]
  /** Hash of the last line: keep it elsewhere to notice that lines were removed from the end. */
  head: string
}

const lineFeed = 0x0a
const sealLength = ',"seal":""}'.length + 64

/** The receipts of a file, without a check; lines that are none are left out. */
export function readReceipts(file: string): Receipt[] {
  return splitLines(readBytes(file)).lines.flatMap((line) => receiptIn(line) ?? [])
}

export function verifyReceipts(file: string): Verdict {
  const { lines, rest } = splitLines(readBytes(file))
  const verdict: Verdict = { receipts: 0, problems: [], torn: [], head: chainStart }
  let suspect: number | undefined
  let isChanged = false
  for (const [index, line] of lines.entries()) {
    const number = index + 1
    const receipt = receiptIn(line)
    const isSealed = receipt !== undefined && isSealIntact(line, receipt)
    const follows = receipt !== undefined && receipt.chain === verdict.head
    if (suspect !== undefined) {
      // Only a line that was there before the next one was written is covered by it.
      if (isSealed && follows) verdict.torn.push(suspect)
      else verdict.problems.push({ line: suspect, text: 'was changed' })
      suspect = undefined
    } else if (isSealed && !follows && !isChanged) {
      const text = 'does not follow the line before it: lines were removed, inserted or changed'
      verdict.problems.push({ line: number, text })
    }
    if (receipt === undefined) suspect = number
    else if (isSealed) verdict.receipts += 1
    else verdict.problems.push({ line: number, text: 'was changed' })
    isChanged = receipt !== undefined && !isSealed
    verdict.head = lineHash(line)
  }
  if (suspect !== undefined) verdict.problems.push({ line: suspect, text: 'was changed' })
  if (rest.length > 0) {
    const text = 'is incomplete: a write was interrupted, or the end was changed'
    verdict.problems.push({ line: lines.length + 1, text })
  }
  return verdict
}

type ChainedReceipt = Receipt & { chain: string; seal: string }

function receiptIn(line: Buffer): ChainedReceipt | undefined {
  const value = parseObject(line.toString('utf8'))
  if (value === undefined || typeof value.turn !== 'string') return undefined
  if (typeof value.chain !== 'string' || typeof value.seal !== 'string') return undefined
  return value as unknown as ChainedReceipt
}

/** Compares bytes, so that a change that JSON does not show counts too. */
function isSealIntact(line: Buffer, { seal }: ChainedReceipt): boolean {
  const body = line.subarray(0, line.length - sealLength)
  return (
    line.subarray(body.length).toString('latin1') === `,"seal":"${lineHash(body)}"}` && seal !== ''
  )
}

function splitLines(bytes: Buffer): { lines: Buffer[]; rest: Buffer } {
  const lines: Buffer[] = []
  let start = 0
  for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
    lines.push(bytes.subarray(start, end))
    start = end + 1
  }
  return { lines, rest: bytes.subarray(start) }
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return Buffer.alloc(0)
    throw fileError('read', file, error)
  }
}
