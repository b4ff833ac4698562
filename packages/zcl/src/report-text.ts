// Reports for people: the few numbers that matter first, then where the agent struggled.
import type { Host } from '@zee/core/exit'
import type { ReportFile, RunReportFile } from '@zee/evidence/schema'
import { aligned, bytesInWords, colours, millisecondsInWords } from './output.ts'

export function describeAttempt(report: ReportFile, host: Host): string[] {
  const paint = colours(host)
  const { metrics, integrity } = report
  const failures = countsInWords(metrics.failuresByCode)
  const rows = aligned([
    ['calls', `${metrics.toolCallsTotal} ${inBrackets(countsInWords(metrics.toolCallsByOp))}`],
    ['failed', `${metrics.failuresTotal} ${inBrackets(failures)}`],
    ['retried', `${metrics.retriesTotal}`],
    ['timeouts', `${metrics.timeoutsTotal}`],
    ['wall time', millisecondsInWords(metrics.wallTimeMs)],
    [
      'latency',
      `p50 ${millisecondsInWords(metrics.durationMsP50)}, p95 ${millisecondsInWords(metrics.durationMsP95)}, max ${millisecondsInWords(metrics.durationMsMax)}`,
    ],
    [
      'output',
      `${bytesInWords(metrics.outBytesTotal)} out, ${bytesInWords(metrics.errBytesTotal)} err, ${metrics.previewTruncations} previews cut`,
    ],
    ...(integrity?.invalidLines === undefined
      ? []
      : [['damaged', `${integrity.invalidLines} lines of the trace cannot be read`]]),
  ])
  return [
    `${paint.bold(report.attemptId)}  ${outcome(report.ok, paint)}  ${(report.decisionTags ?? []).join(', ')}`,
    ...rows.map((row) => `  ${row}`),
    ...findingLines(report, host),
  ]
}

export function describeRun(report: RunReportFile, host: Host): string[] {
  const paint = colours(host)
  const { aggregate, attempts } = report
  const rows = aligned(
    attempts.map((attempt) => [
      attempt.attemptId,
      outcomeWord(attempt.ok),
      `${String(attempt.toolCallsTotal)} calls`,
      `${String(attempt.failuresTotal)} failed`,
      millisecondsInWords(Number(attempt.wallTimeMs)),
    ]),
  )
  const { passed, failed, unknown } = aggregate.task
  const counts = `${passed} passed, ${failed} failed, ${unknown} without outcome`
  return [
    `${paint.bold(report.runId)}  ${report.suiteId}  ${counts}`,
    ...rows.map((row) => `  ${row}`),
  ]
}

function findingLines(report: ReportFile, host: Host): string[] {
  const findings = report.findings ?? []
  if (findings.length === 0) return []
  const paint = colours(host)
  const rows = aligned(
    findings.map(({ kind, basis, message, lines, linesTotal }) => [
      kind,
      basis,
      `${message} (lines ${lines.join(', ')}${linesTotal > lines.length ? ', ...' : ''})`,
    ]),
  )
  return ['', paint.bold('friction'), ...rows.map((row) => `  ${row}`)]
}

function outcome(ok: boolean | undefined, paint: ReturnType<typeof colours>): string {
  const word = outcomeWord(ok ?? null)
  if (ok === undefined) return paint.yellow(word)
  return ok ? paint.green(word) : paint.red(word)
}

function outcomeWord(ok: boolean | null): string {
  if (ok === null) return 'no outcome'
  return ok ? 'ok' : 'failed'
}

function countsInWords(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
}

function inBrackets(text: string): string {
  return text === '' ? '' : `(${text})`
}
