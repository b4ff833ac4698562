// The schemas of the computed artifacts: attempt.report.json and run.report.json.
import * as z from 'zod/mini'
import {
  attemptId,
  attemptIds,
  count,
  kebabId,
  nativeResult,
  relativePath,
  runId,
  timestamp,
  version,
} from './fields.ts'
import { classifications, decisionTags } from './vocabulary.ts'

const counts = z.record(z.string(), count)
const spread = z.looseObject({
  count,
  total: count,
  min: count,
  max: count,
  avg: count,
  p50: count,
  p95: count,
})

export const metricsSchema = z.looseObject({
  toolCallsTotal: count,
  toolCallsByTool: counts,
  toolCallsByOp: counts,
  failuresTotal: count,
  failuresByCode: counts,
  timeoutsTotal: count,
  retriesTotal: count,
  wallTimeMs: count,
  durationMsTotal: count,
  durationMsMin: count,
  durationMsMax: count,
  durationMsAvg: count,
  durationMsP50: count,
  durationMsP95: count,
  latencyMsByOp: z.optional(z.record(z.string(), spread)),
  slowestCalls: z.optional(
    z.array(
      z.looseObject({
        index: count,
        tool: z.string(),
        op: z.string(),
        durationMs: count,
        ok: z.boolean(),
        code: z.optional(z.string()),
      }),
    ),
  ),
  outBytesTotal: count,
  errBytesTotal: count,
  outPreviewTruncations: count,
  errPreviewTruncations: count,
  previewTruncations: count,
  nestedCallsTotal: z.optional(count),
  protocolEventsTotal: z.optional(count),
  protocolEventsByOp: z.optional(counts),
  ignoredCallsTotal: z.optional(count),
  openCallsTotal: z.optional(count),
})

export const findingSchema = z.looseObject({
  kind: z.string(),
  basis: z.enum(['measured', 'hypothesis']),
  classification: z.optional(z.enum(classifications)),
  message: z.string(),
  /** 1-based lines of the trace, at most 32; `linesTotal` is the full count. */
  lines: z.array(count),
  linesTotal: count,
})

const tokenEstimates = z.looseObject({
  source: z.enum(['runner.metrics', 'http.usage', 'trace-heuristic']),
  basis: z.optional(z.enum(['reported', 'estimated'])),
  inputTokens: z.optional(count),
  outputTokens: z.optional(count),
  totalTokens: z.optional(count),
  /** Of the reported tokens, at the price of the model. */
  costUsd: z.optional(z.number()),
})

export const reportSchema = z.looseObject({
  schemaVersion: version,
  ...attemptIds,
  computedAt: timestamp,
  startedAt: z.optional(timestamp),
  endedAt: z.optional(timestamp),
  ok: z.optional(z.boolean()),
  unproven: z.optional(z.literal(true)),
  result: z.optional(z.string()),
  resultJson: z.optional(z.unknown()),
  classification: z.optional(z.enum(classifications)),
  classificationBasis: z.optional(z.enum(['trace', 'hypothesis'])),
  decisionTags: z.optional(z.array(z.enum(decisionTags))),
  nativeResult: z.optional(nativeResult),
  metrics: metricsSchema,
  failureCodeHistogram: z.optional(counts),
  timedOutBeforeFirstToolCall: z.optional(z.boolean()),
  tokenEstimates: z.optional(tokenEstimates),
  artifacts: z.optional(z.record(z.string(), relativePath)),
  integrity: z.optional(
    z.looseObject({
      tracePresent: z.boolean(),
      traceNonEmpty: z.boolean(),
      traceLines: z.optional(count),
      feedbackPresent: z.boolean(),
      funnelBypassSuspected: z.optional(z.boolean()),
      invalidLines: z.optional(count),
      promptContaminated: z.optional(z.boolean()),
      promptContaminationTerms: z.optional(z.array(z.string())),
    }),
  ),
  signals: z.optional(
    z.looseObject({
      repeatMaxStreak: count,
      distinctCommandSignatures: count,
      failureRateBps: count,
      noProgressSuspected: z.boolean(),
      commandNamesSeen: z.array(z.string()),
    }),
  ),
  expectations: z.optional(z.looseObject({ evaluated: z.boolean(), ok: z.boolean() })),
  warnings: z.optional(z.array(z.looseObject({ code: z.string(), message: z.string() }))),
  findings: z.optional(z.array(findingSchema)),
  traceRoot: z.optional(z.string()),
})

export const runReportSchema = z.looseObject({
  schemaVersion: version,
  ok: z.boolean(),
  target: z.literal('run'),
  runId,
  suiteId: kebabId,
  /** `.`; upstream wrote an absolute path, which the validator warns about. */
  path: z.string(),
  attempts: z.array(
    z.looseObject({
      attemptId,
      missionId: kebabId,
      ok: z.nullable(z.boolean()),
      unproven: z.optional(z.literal(true)),
      abandoned: z.optional(z.literal(true)),
      superseded: z.optional(z.literal(true)),
    }),
  ),
  aggregate: z.looseObject({
    attemptsTotal: count,
    passed: count,
    failed: count,
    unproven: z.optional(count),
    abandoned: z.optional(count),
    superseded: z.optional(count),
    failureCodeHistogram: z.optional(counts),
    timedOutBeforeFirstToolCallTotal: z.optional(count),
    task: z.looseObject({ passed: count, failed: count, unknown: count }),
    evidence: z.looseObject({ complete: count, incomplete: count }),
    orchestration: z.looseObject({
      healthy: count,
      infraFailed: count,
      infraFailureByCode: z.optional(counts),
    }),
    tokenEstimates: z.optional(tokenEstimates),
  }),
})

/** Metrics that an older or another writer leaves out, or leaves out when they are empty. */
const storedMetrics = z.partial(metricsSchema, {
  toolCallsByTool: true,
  toolCallsByOp: true,
  failuresByCode: true,
  durationMsTotal: true,
  durationMsMin: true,
  durationMsMax: true,
  durationMsAvg: true,
  durationMsP50: true,
  durationMsP95: true,
  outBytesTotal: true,
  errBytesTotal: true,
  outPreviewTruncations: true,
  errPreviewTruncations: true,
  previewTruncations: true,
})

/** Reports as the validator accepts them. */
export const storedShapes = {
  report: z.extend(reportSchema, { metrics: storedMetrics }),
  runReport: z.extend(runReportSchema, {
    aggregate: z.partial(runReportSchema.shape.aggregate, {
      task: true,
      evidence: true,
      orchestration: true,
    }),
  }),
} as const

export type Metrics = z.infer<typeof metricsSchema>
export type ReportFile = z.infer<typeof reportSchema>
export type RunReportFile = z.infer<typeof runReportSchema>
export type TokenEstimates = z.infer<typeof tokenEstimates>
