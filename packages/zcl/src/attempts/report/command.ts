// `zcl report`: computes the report of an attempt or a run and writes it beside the evidence.
import { rfc3339 } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import { reportAttempt, reportRun } from '@zee/evidence/report'
import { recordedNow } from '../../clock/clock.ts'
import { resolveTarget } from '../attempts.ts'
import { printJson, printLines } from '../../output/output.ts'
import { describeAttempt, printRun, withProgress } from './report.ts'

export interface ReportOptions {
  strict: boolean
  json: boolean
}

export async function runReport(
  argument: string,
  options: ReportOptions,
  host: Host,
): Promise<number> {
  const target = await resolveTarget(argument, host)
  const settings = {
    strictness: options.strict ? ('strict' as const) : ('by_mode' as const),
    computedAt: rfc3339(recordedNow(host)),
  }
  if (target.kind === 'attempt') {
    const { report } = await reportAttempt(target, settings)
    if (options.json) printJson(host, report)
    else printLines(host, describeAttempt(report, host))
    return 0
  }
  const reports = await withProgress(host, (onAttempt) =>
    reportRun(target.folder, { ...settings, onAttempt }),
  )
  return printRun(reports, options, host)
}
