// `zcl export`: writes evidence in other formats. Nothing that looks like a secret is exported.
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import type { Host } from '@zee/core/exit'
import { streamWriter, terminalSafeWriter } from '@zee/core/lossless'
import { exportEvidence } from '@zee/evidence/exports'
import type { ExportFormat } from '@zee/evidence/vocabulary'
import { resolveTarget } from '../attempts.ts'
import { printJson, printLines } from '../../output/output.ts'
import { zclError } from '../../errors/errors.ts'
import { writeParquet } from '../../query/query.ts'
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
  const isBinary = flags.format === 'inspect' || flags.format === 'parquet'
  if (isBinary && flags.out === undefined && host.stdout.isTTY === true) {
    throw zclError('ZCL_E_USAGE', `--format ${flags.format} is binary; name a file with --out`)
  }
  if (flags.format === 'parquet' && flags.out === undefined) {
    throw zclError('ZCL_E_USAGE', '--format parquet needs --out <file>')
  }
  const target = await resolveTarget(argument, host)
  const pieces = await exportEvidence(target, {
    format: flags.format as ExportFormat,
    redactor: redactorFor(host),
    gate: flags.redact ? 'replace' : 'refuse',
    version: manifest.version,
  })
  if (flags.out === undefined) {
    const write = isBinary ? streamWriter(host.stdout) : terminalSafeWriter(host.stdout)
    for await (const piece of pieces) await write(piece as string)
    return 0
  }
  const file = path.resolve(host.cwd, flags.out)
  if (flags.format === 'parquet') await writeParquet(pieces, file)
  else await writeFileAtomic(file, pieces)
  if (flags.json) printJson(host, { ok: true, format: flags.format, path: flags.out })
  else printLines(host, [`${flags.out} written`])
  return 0
}
