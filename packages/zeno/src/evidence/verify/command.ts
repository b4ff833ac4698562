// `zeno verify`: re-reads the lines that evidence cites and prints one verdict per row. Exits with 1 unless
// all are ok.
import path from 'node:path'
import { oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { openCorpusEngine } from '../../engine/engine.ts'
import type { Engine } from '../../engine/engine.ts'
import { checkEvidence } from '../evidence.ts'
import type { Verdict } from '../verdict.ts'
import { readLedger } from '../ledger.ts'
import { terminalSafeWriter } from '@zee/core/lossless'

export interface VerifyOptions {
  root: string
  evidence: string
  json: boolean
}

export async function runVerify(options: VerifyOptions, host: Host): Promise<number> {
  const { evidence, json } = options
  const ledger = readLedger(path.resolve(host.cwd, evidence))
  const root = path.resolve(host.cwd, options.root)
  const openFile = (file: string): Engine =>
    openCorpusEngine({ root: path.join(root, file), clock: host.clock })
  const engine = openCorpusEngine({ root, clock: host.clock })
  const write = terminalSafeWriter(host.stdout)
  let findings = 0
  const print = async (line: number, id: unknown, verdict: Verdict): Promise<void> => {
    if (verdict.status !== 'ok') findings++
    await write(`${json ? formatJson(line, id, verdict) : formatText(line, id, verdict)}\n`)
  }
  try {
    for (const row of ledger.rows) {
      await print(row.line, row.row.evidence_id, await checkEvidence(row.row, engine, openFile))
    }
    for (const line of ledger.badLines) {
      await print(line, undefined, { status: 'invalid', detail: 'is not a JSON object' })
    }
  } finally {
    await engine.close()
  }
  return findings === 0 ? 0 : 1
}

function formatText(line: number, id: unknown, { status, at, detail }: Verdict): string {
  const name = typeof id === 'string' && id !== '' ? id : `line ${line}`
  return [status.padEnd(7), ...[name, at, detail].map((each) => oneLine(each ?? ''))]
    .filter((each) => each !== '')
    .join(' ')
}

function formatJson(line: number, id: unknown, verdict: Verdict): string {
  return JSON.stringify({ line, evidence_id: id ?? null, ...verdict })
}
