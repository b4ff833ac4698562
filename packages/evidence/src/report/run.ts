// Aggregates the reports of a run one attempt at a time, without retaining them.
import { asObject } from '../json/json.ts'
import { judgeReport } from '../judgement/judgement.ts'
import type { AttemptReport } from './make-report.ts'
import { sortedCounts } from '../summary/summary.ts'
import { infraFailureKind, type Outcome } from '../outcome/outcome.ts'
import type { ReportFile, RunReportFile, TokenEstimates } from '../schema/schema.ts'

/** Failures of the infrastructure, not of the agent. */
const infraCodes: ReadonlySet<string> = new Set([
  'ZCL_E_TIMEOUT',
  'ZCL_E_SPAWN',
  'ZCL_E_IO',
  'ZCL_E_RUNTIME_STALL',
])

/** The code of an infrastructure failure that the harness wrote as the outcome. */
function infraFailureOf({ resultJson }: ReportFile): string | undefined {
  const { kind, code } = asObject(resultJson)
  return kind === infraFailureKind ? String(code) : undefined
}

/** The counts sorted by key; undefined without any, so that the report omits them. */
function countsOrUndefined(
  counts: ReadonlyMap<string, number>,
): Record<string, number> | undefined {
  return counts.size === 0 ? undefined : sortedCounts(counts)
}

/** Rounds to a millionth of a dollar. */
function rounded(usd: number): number {
  return Math.round(usd * 1e6) / 1e6
}

type AttemptLine = RunReportFile['attempts'][number]

export class RunReportPass {
  readonly #attempts: AttemptLine[] = []
  readonly #failures = new Map<string, number>()
  readonly #infra = new Map<string, number>()
  #passed = 0
  #failed = 0
  #complete = 0
  #infraFailed = 0
  #timedOutFirst = 0
  #cost = 0
  #hasUnknownCost = false
  readonly #uncounted = { abandoned: 0, superseded: 0 }
  #unproven = 0
  readonly #tokens = { inputTokens: 0, outputTokens: 0, totalTokens: 0 }
  #tokenSource: TokenEstimates['source'] | undefined

  /**
   * Adds an attempt with the outcome of the lab, if it has one. An abandoned or superseded try is listed but
   * not counted.
   */
  add(
    { report, complete }: AttemptReport,
    outcome?: Outcome,
    state?: 'abandoned' | 'superseded',
  ): void {
    this.#attempts.push({
      attemptId: report.attemptId,
      missionId: report.missionId,
      ok: report.ok ?? null,
      unproven: report.unproven,
      decisionTags: report.decisionTags ?? [],
      toolCallsTotal: report.metrics.toolCallsTotal,
      failuresTotal: report.metrics.failuresTotal,
      wallTimeMs: report.metrics.wallTimeMs,
      abandoned: state === 'abandoned' ? true : undefined,
      superseded: state === 'superseded' ? true : undefined,
    })
    if (state !== undefined) {
      this.#uncounted[state]++
      return
    }
    const infraCode = infraFailureOf(report)
    if (report.unproven === true) this.#unproven++
    const verdict = outcome ?? judgeReport(report).outcome
    if (verdict === 'passed') this.#passed++
    else if (verdict === 'failed') this.#failed++
    if (complete) this.#complete++
    if (report.timedOutBeforeFirstToolCall === true) this.#timedOutFirst++
    this.#addFailures(report.metrics.failuresByCode, infraCode)
    this.#addTokens(report.tokenEstimates)
    const costUsd = report.tokenEstimates?.costUsd
    if (costUsd === undefined) this.#hasUnknownCost = true
    else this.#cost += costUsd
  }

  report(runId: string, suiteId: string): RunReportFile {
    const { abandoned, superseded } = this.#uncounted
    const total = this.#attempts.length - abandoned - superseded
    const unknown = total - this.#passed - this.#failed
    return {
      schemaVersion: 1,
      ok: total > 0 && this.#passed === total,
      target: 'run',
      runId,
      suiteId,
      path: '.',
      attempts: this.#attempts,
      aggregate: {
        attemptsTotal: total,
        passed: this.#passed,
        failed: this.#failed,
        unproven: this.#unproven === 0 ? undefined : this.#unproven,
        abandoned: abandoned === 0 ? undefined : abandoned,
        superseded: superseded === 0 ? undefined : superseded,
        failureCodeHistogram: countsOrUndefined(this.#failures),
        timedOutBeforeFirstToolCallTotal:
          this.#timedOutFirst === 0 ? undefined : this.#timedOutFirst,
        task: { passed: this.#passed, failed: this.#failed, unknown },
        evidence: { complete: this.#complete, incomplete: total - this.#complete },
        orchestration: {
          healthy: total - this.#infraFailed,
          infraFailed: this.#infraFailed,
          infraFailureByCode: countsOrUndefined(this.#infra),
        },
        tokenEstimates:
          this.#tokenSource === undefined
            ? undefined
            : {
                source: this.#tokenSource,
                basis: this.#tokenSource === 'trace-heuristic' ? 'estimated' : 'reported',
                ...this.#tokens,
                ...(this.#hasUnknownCost ? {} : { costUsd: rounded(this.#cost) }),
              },
      },
    }
  }

  #addFailures(byCode: Readonly<Record<string, number>>, infraCode: string | undefined): void {
    let isInfra = infraCode !== undefined
    if (infraCode !== undefined) this.#infra.set(infraCode, (this.#infra.get(infraCode) ?? 0) + 1)
    for (const [code, count] of Object.entries(byCode)) {
      this.#failures.set(code, (this.#failures.get(code) ?? 0) + count)
      if (!infraCodes.has(code) || code === infraCode) continue
      isInfra = true
      this.#infra.set(code, (this.#infra.get(code) ?? 0) + 1)
    }
    if (isInfra) this.#infraFailed++
  }

  /** A sum that includes a heuristic estimate is marked as heuristic. */
  #addTokens(tokens: TokenEstimates | undefined): void {
    if (tokens === undefined) return
    this.#tokens.inputTokens += tokens.inputTokens ?? 0
    this.#tokens.outputTokens += tokens.outputTokens ?? 0
    this.#tokens.totalTokens += tokens.totalTokens ?? 0
    if (this.#tokenSource !== 'trace-heuristic') this.#tokenSource = tokens.source
  }
}
