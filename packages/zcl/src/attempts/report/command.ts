// `zcl report`: computes the report of an attempt or a run and writes it beside the evidence.
import { rfc3339 } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import { makeReport, readRun, readRunBackground } from '@zee/evidence/report'
import { reportAttempt, reportRun } from '@zee/evidence/report'
import type { CallLevel } from '@zee/evidence/vocabulary'
import { recordedNow } from '../../clock/clock.ts'
import { costOf } from '../../cost/cost.ts'
import { resolveTarget } from '../attempts.ts'
import { printJson, printLines } from '../../output/output.ts'
import { describeAttempt, printRun, withProgress } from './report.ts'

export interface ReportOptions {
  strict: boolean
  level: string
  json: boolean
}

export async function runReport(
  argument: string | undefined,
  options: ReportOptions,
  host: Host,
): Promise<number> {
  const target = await resolveTarget(argument, host)
  const settings = {
    strictness: options.strict ? ('strict' as const) : ('by_mode' as const),
    computedAt: rfc3339(recordedNow(host)),
    level: options.level as CallLevel,
    costOf,
  }
  // The stored report counts actions; a report at another level is only printed.
  const isStored = options.level === 'action'
  if (target.kind === 'attempt') {
    const { report } = isStored
      ? await reportAttempt(target, settings)
      : makeReport(target, readRunBackground(target.runFolder), settings)
    if (options.json) printJson(host, report)
    else printLines(host, describeAttempt(report, host))
    return 0
  }
  const reports = await withProgress(host, (onAttempt) =>
    (isStored ? reportRun : readRun)(target.folder, { ...settings, onAttempt }),
  )
  return printRun(reports, options, host)
}
