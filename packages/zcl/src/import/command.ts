// `zcl import`: turns logs of other programs into a run.
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import { importLog, type ImportResult } from '@zee/evidence/imports'
import type { ImportFormat } from '@zee/evidence/vocabulary'
import { recordedNow } from '../clock/clock.ts'
import { outRootFor } from '../config/config.ts'
import { aligned, pluralize, printJson, printLines } from '../output/output.ts'
import { redactorFor } from '../redaction/redaction.ts'

export interface ImportFlags {
  suite: string | undefined
  outRoot: string | undefined
  json: boolean
}

export async function runImport(
  format: ImportFormat,
  log: string,
  flags: ImportFlags,
  host: Host,
): Promise<number> {
  const outRoot = await outRootFor(host, flags.outRoot)
  const result = await importLog({
    format,
    path: path.resolve(host.cwd, log),
    outRoot: outRoot.absolute,
    suite: flags.suite,
    env: host.env,
    redactor: redactorFor(host),
    now: recordedNow(host),
  })
  const runDir = path.join(outRoot.shown, 'runs', result.runId)
  if (flags.json) {
    const { runId, suiteId, isNew, unmapped } = result
    const attempts = result.attempts.map((attempt) => ({
      ...attempt,
      attemptDir: path.join(runDir, 'attempts', attempt.attemptId),
    }))
    const told = { ok: true, format, runId, suiteId, runDir, imported: isNew }
    printJson(host, { ...told, attempts, unmapped, unmappedTotal: totalOf(unmapped) })
  } else printLines(host, describe(result, runDir))
  return 0
}

function describe({ attempts, unmapped, isNew, suiteId }: ImportResult, runDir: string): string[] {
  const rows = attempts.map(({ attemptId, outcome, calls, messages }) => [
    attemptId,
    outcome,
    pluralize(calls, 'call'),
    pluralize(messages, 'message'),
  ])
  const kinds = Object.entries(unmapped).map(([kind, count]) => `${count} ${kind}`)
  return [
    `${runDir}  ${suiteId}${isNew ? '' : ' (imported before)'}`,
    ...aligned(rows).map((row) => `  ${row}`),
    kinds.length === 0 ? 'everything was mapped' : `not mapped: ${kinds.join(', ')}`,
  ]
}

function totalOf(unmapped: Readonly<Record<string, number>>): number {
  return Object.values(unmapped).reduce((sum, count) => sum + count, 0)
}
