// Reads receipts and checks their chain: every byte of the file counts.
import { chainStart, lineHash } from '@zee/core/chain'
import { parseObject } from '@zee/core/json'
import { readBytes, splitLines } from './file.ts'
import type { Head } from './head.ts'
import { headFile, readHead } from './head.ts'
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
  /** Hash of the last line. */
  head: string
  /** Whether a head record shows that no lines were cut from the end. */
  is_end_known: boolean
}

const sealLength = ',"seal":""}'.length + 64

/** The receipts of a file, without a check; lines that are none are left out. */
export function readReceipts(file: string): Receipt[] {
  return splitLines(readBytes(file)).lines.flatMap((line) => receiptIn(line) ?? [])
}

/** A copy of the log, elsewhere, needs no head record. */
export function verifyReceipts(file: string, isCopy = false): Verdict {
  const record = readHead(file)
  const { lines, rest } = splitLines(readBytes(file))
  const verdict: Verdict = {
    ...{ receipts: 0, problems: [], torn: [], head: chainStart },
    is_end_known: record !== undefined,
  }
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
  if (record !== undefined) verdict.problems.push(...endProblems(lines, record))
  else if (!isCopy && isNumbered(lines)) {
    const text = `has no head record: ${headFile(file)} was removed`
    verdict.problems.push({ line: lines.length, text })
  }
  return verdict
}

/** The log may be longer than its head record after a crash, never shorter. */
function endProblems(lines: readonly Buffer[], { line, sha256 }: Head): ReceiptProblem[] {
  if (line === 0) return []
  const last = lines[line - 1]
  if (last === undefined) {
    const text = `is missing: ${line - lines.length} lines were cut from the end`
    return [{ line: lines.length + 1, text }]
  }
  return lineHash(last) === sha256 ? [] : [{ line, text: 'differs from the head record' }]
}

/** Versions that number lines also keep a head record. */
function isNumbered(lines: readonly Buffer[]): boolean {
  return lines.some((line) => receiptIn(line)?.line !== undefined)
}

type ChainedReceipt = Receipt & { line?: number; chain: string; seal: string }

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
