// The schema of every artifact, once: the validator, the contract description and the docs are all
// read off these. Keys stand in the order in which writers write them; unknown keys are allowed.
import { parseRfc3339 } from '@zee/core/clock'
import * as z from 'zod/mini'
import { limits } from './limits.ts'
import {
  classifications,
  decisionTags,
  isolationModels,
  modes,
  noteKinds,
  timeoutStarts,
} from './vocabulary.ts'

/** What a refinement says about a value that has the right type but is not right. */
export interface RefinementParams {
  zcl: 'timestamp' | 'bounds' | 'contract' | 'containment'
  text: string
}

const encoder = new TextEncoder()

function refined(check: (value: string) => boolean, params: RefinementParams) {
  return z.string().check(z.refine(check, { params }))
}

function capped(bytes: number) {
  return refined((value) => fits(value, bytes), { zcl: 'bounds', text: `is over ${bytes} bytes` })
}

function fits(value: string, bytes: number): boolean {
  if (value.length > bytes) return false
  return value.length * 3 <= bytes || encoder.encode(value).length <= bytes
}

const timestamp = refined((value) => parseRfc3339(value) !== undefined, {
  zcl: 'timestamp',
  text: 'is not an RFC 3339 time',
})

const fileName = refined((value) => value !== '' && !/[\\/]|^\.\.?$/.test(value), {
  zcl: 'containment',
  text: 'is not a bare file name',
})

/** A stored pointer: below its folder, never absolute. */
const relativePath = refined(
  (value) => value !== '' && !/^(?:[\\/]|[A-Za-z]:)|(?:^|[\\/])\.\.(?:[\\/]|$)/.test(value),
  { zcl: 'containment', text: 'leaves its folder' },
)

const id = refined((value) => value !== '', { zcl: 'contract', text: 'is empty' })
const runId = refined((value) => /^[0-9]{8}-[0-9]{6}Z-[0-9a-f]{6}$/.test(value), {
  zcl: 'contract',
  text: 'is not a run id',
})
const kebabId = refined((value) => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(value), {
  zcl: 'contract',
  text: 'is not a lower-case kebab id',
})
const attemptId = refined(
  (value) => /^[0-9]{3,}-[a-z0-9]+(?:-[a-z0-9]+)*-r[1-9][0-9]*$/.test(value),
  {
    zcl: 'contract',
    text: 'is not an attempt id',
  },
)

const count = z.int().check(
  z.refine((value) => value >= 0, {
    params: { zcl: 'contract', text: 'is negative' } satisfies RefinementParams,
  }),
)
const positive = z.int().check(
  z.refine((value) => value > 0, {
    params: { zcl: 'contract', text: 'is not above 0' } satisfies RefinementParams,
  }),
)

const redactionsApplied = z.array(capped(limits.redactionNameBytes)).check(
  z.refine((names) => names.length <= limits.redactionNames, {
    params: {
      zcl: 'bounds',
      text: `has more than ${limits.redactionNames} names`,
    } satisfies RefinementParams,
  }),
)

const version = z.literal(1)
const attemptIds = { runId, suiteId: kebabId, missionId: kebabId, attemptId }
/** Ids inside a stream are compared with attempt.json, so their own form needs no check. */
const streamIds = {
  runId: id,
  suiteId: z.optional(id),
  missionId: id,
  attemptId: id,
  agentId: z.optional(z.string()),
}

export const runSchema = z.looseObject({
  schemaVersion: version,
  artifactLayoutVersion: z.optional(version),
  runId,
  suiteId: kebabId,
  createdAt: timestamp,
  pinned: z.optional(z.boolean()),
})

const nativeResult = z.looseObject({
  resultSource: z.enum([
    'task_complete_last_agent_message',
    'phase_final_answer',
    'delta_fallback',
  ]),
  phaseAware: z.boolean(),
  commentaryMessagesObserved: count,
  reasoningItemsObserved: count,
})

export const attemptSchema = z.looseObject({
  schemaVersion: version,
  ...attemptIds,
  agentId: z.optional(z.string()),
  mode: z.enum(modes),
  startedAt: timestamp,
  isolationModel: z.optional(z.enum(isolationModels)),
  timeoutMs: z.optional(positive),
  timeoutStart: z.optional(z.enum(timeoutStarts)),
  timeoutStartedAt: z.optional(timestamp),
  blind: z.optional(z.boolean()),
  blindTerms: z.optional(z.array(z.string())),
  scratchDir: z.optional(relativePath),
  attemptEnvSh: z.optional(fileName),
  nativeResult: z.optional(nativeResult),
})

const warning = z.looseObject({ code: z.string(), message: z.string() })

export const traceEventSchema = z.looseObject({
  v: version,
  ts: timestamp,
  ...streamIds,
  tool: id,
  op: id,
  input: z.optional(z.unknown()),
  result: z.looseObject({
    ok: z.boolean(),
    code: z.optional(z.string()),
    exitCode: z.optional(z.int()),
    durationMs: count,
  }),
  io: z.looseObject({
    outBytes: count,
    errBytes: count,
    outPreview: z.optional(capped(limits.previewBytes)),
    errPreview: z.optional(capped(limits.previewBytes)),
    outTruncated: z.optional(z.boolean()),
    errTruncated: z.optional(z.boolean()),
  }),
  redactionsApplied: z.optional(redactionsApplied),
  enrichment: z.optional(z.unknown()),
  warnings: z.optional(z.array(warning)),
  integrity: z.optional(z.looseObject({ truncated: z.boolean() })),
  chain: z.optional(
    refined((value) => /^[0-9a-f]{64}$/.test(value), {
      zcl: 'contract',
      text: 'is not a SHA-256 in hex',
    }),
  ),
})

export const feedbackSchema = z.looseObject({
  schemaVersion: version,
  ...attemptIds,
  ok: z.boolean(),
  result: z.optional(capped(limits.resultBytes)),
  resultJson: z.optional(z.unknown()),
  classification: z.optional(z.enum(classifications)),
  classificationBasis: z.optional(z.enum(['trace', 'hypothesis'])),
  decisionTags: z.optional(z.array(z.enum(decisionTags))),
  createdAt: timestamp,
  redactionsApplied: z.optional(redactionsApplied),
})

export const noteSchema = z.looseObject({
  v: version,
  ts: timestamp,
  ...streamIds,
  kind: z.enum(noteKinds),
  message: z.optional(capped(limits.noteMessageBytes)),
  data: z.optional(z.unknown()),
  tags: z.optional(z.array(z.string())),
  redactionsApplied: z.optional(redactionsApplied),
})

export const captureSchema = z.looseObject({
  v: version,
  ts: timestamp,
  ...streamIds,
  tool: id,
  op: id,
  input: z.optional(z.unknown()),
  stdoutPath: relativePath,
  stderrPath: relativePath,
  stdoutBytes: count,
  stderrBytes: count,
  stdoutSha256: z.string(),
  stderrSha256: z.string(),
  stdoutTruncated: z.boolean(),
  stderrTruncated: z.boolean(),
  redacted: z.boolean(),
  redactionsApplied: z.optional(redactionsApplied),
  maxBytes: positive,
})

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
  latencyMsByOp: z.record(z.string(), spread),
  slowestCalls: z.array(
    z.looseObject({
      index: count,
      tool: z.string(),
      op: z.string(),
      durationMs: count,
      ok: z.boolean(),
      code: z.optional(z.string()),
    }),
  ),
  outBytesTotal: count,
  errBytesTotal: count,
  outPreviewTruncations: count,
  errPreviewTruncations: count,
  previewTruncations: count,
})

export const findingSchema = z.looseObject({
  kind: z.string(),
  basis: z.enum(['measured', 'hypothesis']),
  classification: z.optional(z.enum(classifications)),
  message: z.string(),
  /** 1-based lines of the trace, at most some dozens; `linesTotal` is how many there were. */
  lines: z.array(count),
  linesTotal: count,
})

const tokenEstimates = z.looseObject({
  source: z.enum(['runner.metrics', 'trace-heuristic']),
  inputTokens: z.optional(count),
  outputTokens: z.optional(count),
  totalTokens: z.optional(count),
})

export const reportSchema = z.looseObject({
  schemaVersion: version,
  ...attemptIds,
  computedAt: timestamp,
  startedAt: z.optional(timestamp),
  endedAt: z.optional(timestamp),
  ok: z.optional(z.boolean()),
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
  findings: z.optional(z.array(findingSchema)),
  traceRoot: z.optional(z.string()),
})

export const runReportSchema = z.looseObject({
  schemaVersion: version,
  ok: z.boolean(),
  target: z.literal('run'),
  runId,
  suiteId: kebabId,
  path: relativePath,
  attempts: z.array(
    z.looseObject({
      attemptId,
      missionId: kebabId,
      ok: z.nullable(z.boolean()),
      abandoned: z.optional(z.literal(true)),
    }),
  ),
  aggregate: z.looseObject({
    attemptsTotal: count,
    passed: count,
    failed: count,
    abandoned: z.optional(count),
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

export const runnerRefSchema = z.looseObject({
  schemaVersion: version,
  runner: z.string(),
  runId: id,
  suiteId: id,
  missionId: id,
  attemptId: id,
  agentId: z.optional(z.string()),
  rolloutPath: z.string(),
  threadId: z.optional(z.string()),
  runtimeId: z.optional(z.string()),
  sessionId: z.optional(z.string()),
  transport: z.optional(z.string()),
})

export const runnerMetricsSchema = z.looseObject({
  schemaVersion: version,
  runner: z.string(),
  model: z.optional(z.string()),
  modelProvider: z.optional(z.string()),
  turnCount: z.optional(count),
  totalTokens: z.optional(count),
  inputTokens: z.optional(count),
  outputTokens: z.optional(count),
  cachedInputTokens: z.optional(count),
  reasoningOutputTokens: z.optional(count),
  modelContextWindow: z.optional(count),
  toolCalls: z.optional(count),
})

export type RunFile = z.infer<typeof runSchema>
export type AttemptFile = z.infer<typeof attemptSchema>
export type FeedbackFile = z.infer<typeof feedbackSchema>
export type Metrics = z.infer<typeof metricsSchema>
export type ReportFile = z.infer<typeof reportSchema>
export type RunReportFile = z.infer<typeof runReportSchema>
export type TokenEstimates = z.infer<typeof tokenEstimates>
