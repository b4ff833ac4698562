// The schema of every artifact. The validator, `zcl contract` and the docs are derived from these.
// Keys are in the order in which writers write them; unknown keys are allowed.
import * as z from 'zod/mini'
import {
  attemptIds,
  capped,
  count,
  fileName,
  id,
  kebabId,
  nativeResult,
  positive,
  redactionsApplied,
  refined,
  relativePath,
  runId,
  streamIds,
  timestamp,
  version,
} from './fields.ts'
import { limits } from './limits.ts'
import {
  classifications,
  decisionTags,
  isolationModels,
  isolations,
  modes,
  networks,
  noteKinds,
  timeoutStarts,
} from './vocabulary.ts'

export type { RefinementParams } from './fields.ts'
export { findingSchema, metricsSchema, reportSchema, runReportSchema } from './reports.ts'
export { storedShapes } from './reports.ts'
export type { Metrics, ReportFile, RunReportFile, TokenEstimates } from './reports.ts'

export const runSchema = z.looseObject({
  schemaVersion: version,
  artifactLayoutVersion: z.optional(version),
  runId,
  suiteId: kebabId,
  createdAt: timestamp,
  pinned: z.optional(z.boolean()),
})

export const attemptSchema = z.looseObject({
  schemaVersion: version,
  ...attemptIds,
  agentId: z.optional(z.string()),
  mode: z.enum(modes),
  startedAt: timestamp,
  isolationModel: z.optional(z.enum(isolationModels)),
  isolation: z.optional(z.enum(isolations)),
  /** The program that isolates: `bwrap`, `unshare`, `docker` or `podman`. */
  isolationTool: z.optional(z.string()),
  network: z.optional(z.enum(networks)),
  timeoutMs: z.optional(positive),
  timeoutStart: z.optional(z.enum(timeoutStarts)),
  timeoutStartedAt: z.optional(timestamp),
  blind: z.optional(z.boolean()),
  blindTerms: z.optional(z.array(z.string())),
  allowUnproven: z.optional(z.boolean()),
  shims: z.optional(z.array(z.string())),
  supersedes: z.optional(z.string()),
  /** The format of the log that it was imported from. */
  imported: z.optional(z.string()),
  scratchDir: z.optional(relativePath),
  attemptEnvSh: z.optional(fileName),
  nativeResult: z.optional(nativeResult),
})

const chainHash = refined((value) => /^[0-9a-f]{64}$/.test(value), {
  zcl: 'contract',
  text: 'is not a SHA-256 in hex',
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
  id: z.optional(id),
  parentId: z.optional(id),
  ignored: z.optional(z.boolean()),
  chain: z.optional(chainHash),
})

/** A line of tool.begins.jsonl: a call that `zcl run` started. */
export const beginSchema = z.looseObject({
  v: version,
  ts: timestamp,
  ...streamIds,
  id,
  /** Pid and start time of the process that records the call. */
  recorder: z.optional(z.string()),
  parentId: z.optional(id),
  tool: id,
  op: id,
  input: z.optional(z.unknown()),
  chain: z.optional(chainHash),
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

/** A line of messages.jsonl: what the agent or its user said. */
export const messageSchema = z.looseObject({
  v: version,
  ts: timestamp,
  ...streamIds,
  role: z.enum(['system', 'user', 'assistant']),
  kind: z.enum(['text', 'thinking']),
  text: capped(limits.noteMessageBytes),
  afterCalls: z.optional(count),
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

export const runnerRefSchema = z.looseObject({
  schemaVersion: version,
  runner: z.string(),
  runId: id,
  suiteId: id,
  missionId: id,
  attemptId: id,
  agentId: z.optional(z.string()),
  rolloutPath: z.optional(z.string()),
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
  cacheWriteTokens: z.optional(count),
  reasoningOutputTokens: z.optional(count),
  modelContextWindow: z.optional(count),
  modelCalls: z.optional(count),
  toolCalls: z.optional(count),
})

export type RunFile = z.infer<typeof runSchema>
export type AttemptFile = z.infer<typeof attemptSchema>
export type FeedbackFile = z.infer<typeof feedbackSchema>
