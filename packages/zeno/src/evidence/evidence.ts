// Evidence ledgers: rows that cite file slices and grep hits, and the check of each citation.
import type { Engine } from '../engine/engine.ts'
import { checkGrep } from './check-grep.ts'
import { checkRead } from './check-read.ts'
import type { LedgerRow } from './ledger.ts'
import type { Verdict } from './verdict.ts'

export { readLedger, readRows } from './ledger.ts'
export type { LedgerRow }

/** Checks one row of an evidence ledger against the file it cites. */
export async function checkEvidence(
  row: LedgerRow['row'],
  engine: Engine,
  openFile: (file: string) => Engine,
): Promise<Verdict> {
  if (row.kind === 'read') return checkRead(row, engine)
  if (row.kind === 'grep') return checkGrep(row, engine, openFile)
  return { status: 'invalid', detail: `has the unknown kind ${JSON.stringify(row.kind ?? null)}` }
}
