// The answer of a suite run for people: a roll-up per mission, totals, why attempts did not pass, the end of
// what their runners printed, and the command that shows the run.
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import { readOutcome } from '@zee/evidence/outcome'
import { codeSummary } from '../../codes/codes.ts'
import { aligned, colours, formatMilliseconds, printable } from '../../output/output.ts'
import type { RunSummary, SummaryAttempt } from '../summary.ts'
import type { RunnerLogs } from '../runner-logs.ts'

export interface FinishedRun {
  summary: RunSummary
  /** The run folder as the user named it. */
  shownFolder: string
  /** Absolute. */
  folder: string
  logs: RunnerLogs
  durationMs: number
}

const maxQuotedAttempts = 10
const quotedLines = 8

export function describeRun(run: FinishedRun, host: Host): string[] {
  const { summary, shownFolder, durationMs } = run
  const { passed, failed, infra, pending } = summary
  const left = pending === 0 ? '' : `, ${pending} not run`
  return [
    `${colours(host).bold(summary.runId)}  ${summary.suiteId}`,
    ...missionTable(summary.attempts).map((row) => `  ${row}`),
    `${passed} passed, ${failed} failed, ${infra} infra${left} in ${formatMilliseconds(durationMs)}`,
    ...describeFailures(run, host),
    `Page: zcl view ${shownFolder}`,
  ]
}

function missionTable(attempts: readonly SummaryAttempt[]): string[] {
  if (attempts.length === 0) return []
  const missions = new Set(attempts.map(({ missionId }) => missionId))
  const rows = [...missions].map((missionId) => {
    const own = attempts.filter((each) => each.missionId === missionId)
    const count = (outcome: string) => own.filter((each) => each.outcome === outcome).length
    return [
      missionId,
      `${count('passed')} of ${own.length}`,
      String(count('failed')),
      String(count('infra')),
      formatMilliseconds(median(own.map(({ durationMs }) => durationMs))),
    ]
  })
  return aligned([['mission', 'passed', 'failed', 'infra', 'median time'], ...rows])
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : Math.round((upper + (sorted[middle - 1] ?? 0)) / 2)
}

function describeFailures({ summary, folder, logs }: FinishedRun, host: Host): string[] {
  const bad = summary.attempts.filter(({ ok }) => !ok)
  const lines = bad.slice(0, maxQuotedAttempts).flatMap((attempt) => {
    const quoted = logs
      .quote(attempt.attemptId, quotedLines)
      .map((line) => `    | ${printable(line)}`)
    const file = path.relative(host.cwd, logs.file(attempt.attemptId))
    return [
      `  ${attempt.attemptId}: ${reasonInWords(attempt, folder)}`,
      ...quoted,
      ...(quoted.length === 0 ? [] : [`    output: ${file}`]),
    ]
  })
  if (bad.length > maxQuotedAttempts) lines.push(`  and ${bad.length - maxQuotedAttempts} more`)
  return bad.length === 0 ? [] : ['Did not pass:', ...lines]
}

/** The message of the outcome, or the meaning of its code. */
function reasonInWords({ attemptDir, outcome, code }: SummaryAttempt, folder: string): string {
  const attemptFolder = path.join(folder, attemptDir)
  const message = readOutcome({ path: attemptFolder, within: attemptFolder })?.message
  const words = message ?? (code === undefined ? outcome : codeSummary(code))
  return printable(code === undefined ? words : `${words} (${code})`)
}
