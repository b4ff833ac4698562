// The cursor of an answer over several roots: the part to go on with, and the cursor of its root.
import { createHash } from 'node:crypto'
import { ZeeError } from '@zee/core/errors'
import type { Args } from './root-names.ts'

export interface Position {
  /** Number of the part. */
  part: number
  /** The cursor of the root; null to start it. */
  cursor: string | null
  /** The number of items that this part was asked for, and those that earlier pages have. */
  amount: number
  done: number
}

/** Arguments that may differ between pages. */
const amounts: ReadonlySet<string> = new Set([
  ...['cursor', 'max_chars', 'max_hits', 'max_lines'],
  ...['max_answer', 'max_text_chars', 'max_total_lines'],
])

export function writeCursor(op: string, args: Args, position: Position): string {
  const { part, cursor, amount, done } = position
  const fields = [fingerprint(op, args), part, cursor, amount, done]
  return Buffer.from(JSON.stringify(fields)).toString('base64url')
}

/** Undefined if the request has no cursor. */
export function readCursor(op: string, args: Args): Position | undefined {
  const { cursor: text } = args
  if (text === undefined || text === null || text === '') return undefined
  let fields: unknown
  try {
    fields = JSON.parse(Buffer.from(String(text), 'base64url').toString())
  } catch {
    throw new ZeeError('argument', 'cursor is not one that this server gave')
  }
  if (!Array.isArray(fields) || fields.length !== 5) {
    throw new ZeeError('argument', 'cursor is not one that this server gave')
  }
  const [from, part, cursor, amount, done] = fields as unknown[]
  if (from !== fingerprint(op, args)) {
    throw new ZeeError('argument', 'cursor belongs to another request')
  }
  if (![part, amount, done].every((each) => Number.isSafeInteger(each) && (each as number) >= 0)) {
    throw new ZeeError('argument', 'cursor is not one that this server gave')
  }
  return {
    part: part as number,
    cursor: typeof cursor === 'string' ? cursor : null,
    amount: amount as number,
    done: done as number,
  }
}

/** Identifies the request, regardless of the amounts. */
function fingerprint(op: string, args: Args): string {
  const identifying = Object.entries(args)
    .filter(([name]) => !amounts.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const json = JSON.stringify([op, identifying])
  return createHash('sha256').update(json).digest('hex').slice(0, 16)
}
