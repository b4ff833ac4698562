// Copies a session, and reads receipts so that a copied one counts once.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { JournalEntry } from '@zee/core/journal'
import { readJournal } from '@zee/core/journal'
import type { Receipt } from '../session/session.ts'
import { parseRecord, sessionPath } from '../session/session.ts'

export interface WrittenReceipt {
  receipt: Receipt
  /** The time of its record. */
  ts: string
}

/** The lines of a fork of `source` up to `lastEvent` (a line number). */
export async function* forkedLines(
  source: string,
  lastEvent: number | undefined,
): AsyncGenerator<string, void> {
  for await (const entry of readJournal(source)) {
    if (lastEvent !== undefined && entry.line > lastEvent) return
    yield forkedLine(entry)
  }
}

/**
 * Yields the receipts of a session that are not in `counted`, and adds them. A receipt is identified by a hash of
 * all lines up to it: a fork repeats these lines, two separate requests never do.
 */
export async function* uncountedReceipts(
  folder: string,
  id: string,
  counted: Set<string>,
): AsyncGenerator<WrittenReceipt> {
  const file = sessionPath(folder, id)
  if (!existsSync(file)) return
  const lines = createHash('sha256')
  for await (const entry of readJournal(file)) {
    lines.update(forkedLine(entry))
    const record = parseRecord(entry.record)
    if (record === undefined || !('receipt' in record) || record.receipt === undefined) continue
    const identity = lines.copy().digest('base64')
    if (counted.has(identity)) continue
    counted.add(identity)
    yield { receipt: record.receipt, ts: record.ts }
  }
}

/** The line as a fork repeats it. A fork of a fork repeats it again without a change. */
function forkedLine({ record, raw }: JournalEntry): string {
  // The numbers of undone changes refer to the change log of the source session.
  if (record.type === 'undo') return `${JSON.stringify({ ...record, undone: [] })}\n`
  if (record.type === 'redo') return `${JSON.stringify({ ...record, redone: [] })}\n`
  return `${raw.toString('utf8').trim()}\n`
}
