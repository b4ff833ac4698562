// `zcl show`: prints the report of an attempt or a run without writing it.
import { rfc3339 } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import { makeReport, readRun, readRunBackground } from '@zee/evidence/report'
import { recordedNow } from '../../clock/clock.ts'
import { costOf } from '../../cost/cost.ts'
import { resolveTarget } from '../attempts.ts'
import { printJson, printLines } from '../../output/output.ts'
import { describeAttempt, printRun, withProgress } from '../report/report.ts'

export async function runShow(
  argument: string | undefined,
  options: { json: boolean },
  host: Host,
): Promise<number> {
  const target = await resolveTarget(argument, host)
  const settings = {
    strictness: 'lenient' as const,
    computedAt: rfc3339(recordedNow(host)),
    costOf,
  }
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
