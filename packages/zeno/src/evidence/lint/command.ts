// `zeno lint`: prints inconsistencies in the ledgers of a thread, one per line. Exits with 1 if there are any.
import { oneLine, usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { terminalSafeWriter } from '@zee/core/lossless'
import { lintThread } from './lint.ts'
import type { LintOptions } from './lint.ts'

export async function runLint(options: LintOptions, host: Host): Promise<number> {
  const { evidence, claims, state } = options
  if (evidence === undefined && claims === undefined && state === undefined) {
    throw usageError('pass at least one of --evidence, --claims and --state')
  }
  const findings = lintThread(options)
  const lines = findings.length === 0 ? ['ok'] : findings
  await terminalSafeWriter(host.stdout)(lines.map((line) => `${oneLine(line)}\n`).join(''))
  return findings.length === 0 ? 0 : 1
}
