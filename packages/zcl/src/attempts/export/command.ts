// `zcl export`: writes evidence in other formats. Nothing that looks like a secret is exported.
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import type { Host } from '@zee/core/exit'
import { terminalSafeWriter } from '@zee/core/lossless'
import { exportEvidence } from '@zee/evidence/exports'
import type { ExportFormat } from '@zee/evidence/vocabulary'
import { resolveTarget } from '../attempts.ts'
import { printJson, printLines } from '../../output/output.ts'
import { redactorFor } from '../../redaction/redaction.ts'
import manifest from '../../../package.json' with { type: 'json' }

export interface ExportFlags {
  format: string
  out: string | undefined
  redact: boolean
  json: boolean
}

export async function runExport(
  argument: string | undefined,
  flags: ExportFlags,
  host: Host,
): Promise<number> {
  const target = await resolveTarget(argument, host)
  const pieces = await exportEvidence(target, {
    format: flags.format as ExportFormat,
    redactor: redactorFor(host),
    gate: flags.redact ? 'replace' : 'refuse',
    version: manifest.version,
  })
  if (flags.out === undefined) {
    const write = terminalSafeWriter(host.stdout)
    for await (const piece of pieces) await write(piece)
    return 0
  }
  await writeFileAtomic(path.resolve(host.cwd, flags.out), pieces)
  if (flags.json) printJson(host, { ok: true, format: flags.format, path: flags.out })
  else printLines(host, [`${flags.out} written`])
  return 0
}
