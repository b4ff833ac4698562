// Formats reports for people: the key figures first, then the friction findings.
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import type { ReportFile, RunReportFile } from '@zee/evidence/schema'
import type { RunReports } from '@zee/evidence/report'
import { aligned, formatBytes, colours, complain, formatMilliseconds } from '../../output/output.ts'
import { pluralize, printable, printJson, printLines, Progress } from '../../output/output.ts'

/** The lines that describe the report of one attempt. */
export function describeAttempt(report: ReportFile, host: Host): string[] {
  const paint = colours(host)
  const { metrics, integrity } = report
  const failures = formatCounts(metrics.failuresByCode)
  const rows = aligned([
    ['calls', `${metrics.toolCallsTotal} ${parenthesized(formatCounts(metrics.toolCallsByOp))}`],
    ['failed', `${metrics.failuresTotal} ${parenthesized(failures)}`],
    ...apartRows(metrics),
    ['retried', `${metrics.retriesTotal}`],
    ['timeouts', `${metrics.timeoutsTotal}`],
    ['wall time', formatMilliseconds(metrics.wallTimeMs)],
    [
      'latency',
      `p50 ${formatMilliseconds(metrics.durationMsP50)}, p95 ${formatMilliseconds(metrics.durationMsP95)}, max ${formatMilliseconds(metrics.durationMsMax)}`,
    ],
    [
      'output',
      `${formatBytes(metrics.outBytesTotal)} out, ${formatBytes(metrics.errBytesTotal)} err, ${metrics.previewTruncations} previews cut`,
    ],
    ...tokenRows(report),
    ...(integrity?.invalidLines === undefined
      ? []
      : [['damaged', `${integrity.invalidLines} lines of the trace cannot be read`]]),
  ])
  const word = report.unproven === true ? paint.yellow('unproven') : outcome(report.ok, paint)
  const tags = printable((report.decisionTags ?? []).join(', '))
  return [
    `${paint.bold(printable(report.attemptId))}  ${word}  ${tags}`,
    ...rows.map((row) => `  ${row}`),
    ...(report.warnings ?? []).map(({ code, message }) => `  ${code}: ${message}`),
    ...findingLines(report, host),
  ]
}

/** What is counted apart from the actions of the agent, where there is any. */
function apartRows(metrics: ReportFile['metrics']): string[][] {
  const counts: [string, number | undefined][] = [
    ['nested', metrics.nestedCallsTotal],
    ['protocol', metrics.protocolEventsTotal],
    ['ignored', metrics.ignoredCallsTotal],
    ['open', metrics.openCallsTotal],
  ]
  return counts.flatMap(([name, count = 0]) => (count === 0 ? [] : [[name, String(count)]]))
}

function describeRun(report: RunReportFile, host: Host): string[] {
  const paint = colours(host)
  const { aggregate, attempts } = report
  const rows = aligned(
    attempts.map((attempt) => [
      attempt.attemptId,
      attempt.unproven === true ? 'unproven' : outcomeWord(attempt.ok),
      pluralize(Number(attempt.toolCallsTotal), 'call'),
      `${String(attempt.failuresTotal)} failed`,
      formatMilliseconds(Number(attempt.wallTimeMs)),
    ]),
  )
  const { passed, failed, unknown } = aggregate.task
  const counts = `${passed} passed, ${failed} failed, ${unknown} without outcome`
  return [
    `${paint.bold(printable(report.runId))}  ${printable(report.suiteId)}  ${counts}`,
    ...rows.map((row) => `  ${row}`),
  ]
}

/** Tokens that a runner reported and their cost; an estimate from bytes is only in the JSON. */
function tokenRows({ tokenEstimates: tokens }: ReportFile): string[][] {
  if (tokens === undefined || tokens.source === 'trace-heuristic') return []
  if (tokens.totalTokens === undefined) return []
  const { totalTokens, costUsd } = tokens
  return [
    ['tokens', `${totalTokens} (reported)`],
    ...(costUsd === undefined ? [] : [['cost', `$${costUsd.toFixed(4)}`]]),
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

function formatCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
}

function parenthesized(text: string): string {
  return text === '' ? '' : `(${text})`
}

/** Prints the report of a run; exit 2 without a report when strict reading refused an attempt. */
export function printRun(
  { report, refused }: RunReports,
  options: { json: boolean },
  host: Host,
): number {
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

/** Runs `work` with a progress line that counts attempts. */
export async function withProgress<Result>(
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
