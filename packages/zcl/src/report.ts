// `zcl report` and `zcl show`: what the evidence adds up to, written beside it or shown to people.
import path from 'node:path'
import { rfc3339 } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import {
  makeReport,
  readRun,
  readRunBackground,
  reportAttempt,
  reportRun,
  type RunReports,
} from '@zee/evidence/report'
import { recordedNow } from './clocks.ts'
import { namedTarget } from './find-evidence.ts'
import { complain, printJson, printLines, Progress } from './output.ts'
import { describeAttempt, describeRun } from './report-text.ts'

export interface ReportOptions {
  strict: boolean
  json: boolean
}

export async function runReport(
  given: string,
  options: ReportOptions,
  host: Host,
): Promise<number> {
  const target = await namedTarget(given, host)
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

/** The same numbers for people; writes nothing. */
export async function runShow(
  given: string,
  options: { json: boolean },
  host: Host,
): Promise<number> {
  const target = await namedTarget(given, host)
  const settings = { strictness: 'lenient' as const, computedAt: rfc3339(recordedNow(host)) }
  if (target.kind === 'attempt') {
    const { report } = makeReport(target, readRunBackground(target.runFolder), settings)
    if (options.json) printJson(host, report)
    else printLines(host, describeAttempt(report, host))
    return 0
  }
  const reports = await withProgress(host, (onAttempt) =>
    readRun(target.folder, { ...settings, onAttempt }),
  )
  return printRun(reports, options, host)
}

/** A run of which a strict reading refused something has no report. */
function printRun({ report, refused }: RunReports, options: { json: boolean }, host: Host): number {
  const [first] = refused
  if (first !== undefined) {
    const others = refused.length === 1 ? '' : ` (and ${refused.length - 1} more attempts)`
    const where = path.join('attempts', first.attemptId)
    complain(host, first.code, `${where}: ${first.message}${others}`)
    return 2
  }
  if (options.json) printJson(host, report)
  else printLines(host, describeRun(report, host))
  return 0
}

async function withProgress<Result>(
  host: Host,
  work: (onAttempt: (done: number, total: number) => void) => Promise<Result>,
): Promise<Result> {
  const progress = new Progress(host)
  try {
    return await work((done, total) =>
      progress.show(host.clock.monotonicMs(), `${done} of ${total} attempts`),
    )
  } finally {
    progress.end()
  }
}
