// Ledgers and traces as rows: JSONL that others wrote, read with what is wrong in it.
import { ZeeError } from '@zee/core/errors'
import { readJournalSync } from '@zee/core/journal'

export interface LedgerRow {
  line: number
  row: Record<string, unknown>
}

export interface Ledger {
  rows: LedgerRow[]
  /** Numbers of lines that hold no JSON object. */
  badLines: number[]
}

export function readLedger(file: string): Ledger {
  const ledger: Ledger = { rows: [], badLines: [] }
  readRows(
    file,
    (row) => ledger.rows.push(row),
    (line) => ledger.badLines.push(line),
  )
  return ledger
}

/** For files of any size: row by row. A file that cannot be read is a usage error, not a finding. */
export function readRows(
  file: string,
  onRow: (row: LedgerRow) => void,
  onBadLine: (line: number) => void,
): void {
  try {
    readJournalSync(file, ({ line, record }) => onRow({ line, row: record }), {
      onSkipped: ({ line }) => onBadLine(line),
    })
  } catch (error) {
    if (!(error instanceof ZeeError)) throw error
    throw new ZeeError(error.code, error.message, { exitCode: 2, cause: error })
  }
}
