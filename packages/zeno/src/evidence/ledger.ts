// Reads ledgers and traces (JSONL) as rows and reports lines that are not JSON objects.
import { ZeeError } from '@zee/core/errors'
import { readJournalSync } from '@zee/core/journal'

export interface LedgerRow {
  line: number
  row: Record<string, unknown>
}

export interface Ledger {
  rows: LedgerRow[]
  /** Numbers of the lines that are not JSON objects. */
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

/** Streams the rows of a file of any size. An unreadable file is a usage error (exit 2), not a finding. */
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
