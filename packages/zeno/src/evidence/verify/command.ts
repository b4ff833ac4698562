// `zeno verify`: re-reads the lines that evidence cites and prints one verdict per row, or checks the certificate
// of an answer. Exits with 1 unless all are ok.
import path from 'node:path'
import { oneLine, usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { openCorpusEngine, openEngine } from '../../engine/engine.ts'
import type { Engine, EngineSettings } from '../../engine/engine.ts'
import { checkEvidence } from '../evidence.ts'
import type { Verdict } from '../verdict.ts'
import { readLedger } from '../ledger.ts'
import { terminalSafeWriter } from '@zee/core/lossless'

export interface VerifyOptions extends Pick<EngineSettings, 'root' | 'roots'> {
  evidence: string | undefined
  certificate: string | undefined
  deny: readonly string[]
  allowSecrets: boolean
  json: boolean
}

export async function runVerify(options: VerifyOptions, host: Host): Promise<number> {
  const { evidence, certificate, json } = options
  if ((evidence === undefined) === (certificate === undefined)) {
    throw usageError('pass either --evidence <file> or --certificate <file>')
  }
  const engine = await openEngine(options, host)
  if (certificate !== undefined) return verifyCertificate(certificate, { engine, json }, host)
  const absolute = await pathResolver(options, host)
  return verifyLedger(evidence as string, { absolute, engine, json }, host)
}

/** Returns the absolute path of a path in evidence, which names its root if there are several. */
async function pathResolver(
  { root, roots }: VerifyOptions,
  host: Host,
): Promise<(file: string) => string> {
  if (roots === undefined) return (file) => path.join(path.resolve(host.cwd, root), file)
  const { readRootTable } = await import('../../roots/roots.ts')
  const rows = await readRootTable(roots, host)
  return (file) => {
    const row = rows.find(({ name }) => file.startsWith(`${name}:`))
    return row === undefined ? file : path.join(row.path, file.slice(row.name.length + 1))
  }
}

async function verifyCertificate(
  file: string,
  { engine, json }: { engine: Engine; json: boolean },
  host: Host,
): Promise<number> {
  const { checkCertificate } = await import('./certificate.ts')
  const write = terminalSafeWriter(host.stdout)
  try {
    const verdict = await checkCertificate(path.resolve(host.cwd, file), engine)
    const { status, files = 0, root = '', differences } = verdict
    const lines = json
      ? [JSON.stringify(verdict)]
      : [
          `${status.padEnd(7)} certificate${status === 'invalid' ? '' : ` ${files} files, root ${root}`}`,
          ...differences.map((each) => `  ${oneLine(each)}`),
        ]
    await write(lines.map((line) => `${line}\n`).join(''))
    return status === 'ok' ? 0 : 1
  } finally {
    await engine.close()
  }
}

async function verifyLedger(
  evidence: string,
  { absolute, engine, json }: { absolute(file: string): string; engine: Engine; json: boolean },
  host: Host,
): Promise<number> {
  const ledger = readLedger(path.resolve(host.cwd, evidence))
  const openFile = (file: string): Engine =>
    openCorpusEngine({ root: absolute(file), clock: host.clock })
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
