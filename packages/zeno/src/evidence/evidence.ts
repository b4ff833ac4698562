// Evidence: rows of a ledger that cite slices and hits, and whether what they cite is still so.
import type { Engine } from '../engine/engine.ts'
import { checkGrep } from './check-grep.ts'
import { checkRead } from './check-read.ts'
import type { LedgerRow } from './ledger.ts'
import type { Verdict } from './verdict.ts'

export { readLedger, readRows } from './ledger.ts'
export type { LedgerRow }

/** One row of an evidence ledger against the files it cites. */
export async function checkEvidence(
  row: LedgerRow['row'],
  engine: Engine,
  openFile: (file: string) => Engine,
): Promise<Verdict> {
  if (row.kind === 'read') return checkRead(row, engine)
  if (row.kind === 'grep') return checkGrep(row, engine, openFile)
  return { status: 'invalid', detail: `has the unknown kind ${JSON.stringify(row.kind ?? null)}` }
}
