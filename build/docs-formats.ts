// Schemas of files that zee writes but parses leniently, so that the code has no schema for them. The tests
// validate real files against them.
import { outcomes } from '@zee/evidence/outcome'
import * as z from 'zod/mini'

const text = z.string()
const ts = z.string()
const toolOutput = z.looseObject({
  ok: z.boolean(),
  data: z.optional(z.unknown()),
  error: z.optional(z.looseObject({ code: text, message: text })),
})
const images = z.array(z.looseObject({ media_type: text, data: text }))
const receipt = {
  provider: z.optional(text),
  model: z.optional(text),
  usage: z.optional(z.looseObject({})),
  usage_estimated: z.optional(z.boolean()),
  stop: z.optional(text),
  duration_ms: z.optional(z.number()),
  cost_usd: z.optional(z.number()),
  prefix: z.optional(z.looseObject({ from: z.int(), segments: z.array(z.array(z.unknown())) })),
}

const zdxSession = z.union([
  z.looseObject({
    type: z.literal('meta'),
    schema_version: z.literal(1),
    ts,
    root: z.optional(text),
  }),
  z.looseObject({
    type: z.literal('message'),
    role: z.enum(['user', 'assistant']),
    text,
    images: z.optional(images),
    ts,
    ...receipt,
  }),
  z.looseObject({ type: z.literal('thinking'), text, provider: text, ts }),
  z.looseObject({
    type: z.literal('tool_use'),
    id: text,
    name: text,
    input: z.looseObject({}),
    ts,
    ...receipt,
  }),
  z.looseObject({
    type: z.literal('tool_result'),
    tool_use_id: text,
    output: toolOutput,
    ok: z.boolean(),
    images: z.optional(images),
    ts,
  }),
  z.looseObject({ type: z.literal('receipt'), ts, ...receipt }),
  z.looseObject({ type: z.literal('elided'), events: z.array(z.int()), ts }),
  z.looseObject({ type: z.literal('interrupted'), role: z.literal('system'), text, ts }),
  z.looseObject({ type: z.literal('undo'), files: z.array(text), undone: z.array(z.int()), ts }),
  z.looseObject({ type: z.literal('redo'), files: z.array(text), redone: z.array(z.int()), ts }),
])

const zenoTrace = z.union([
  z.looseObject({ ts, event: z.literal('request'), id: z.unknown(), op: text }),
  z.looseObject({
    ts,
    event: z.literal('response'),
    id: z.unknown(),
    op: text,
    summary: z.looseObject({ truncated: z.boolean(), count: z.nullable(z.int()) }),
    result_sha256: text,
  }),
  z.looseObject({
    ts,
    event: z.literal('error'),
    id: z.unknown(),
    error: z.looseObject({ message: text }),
  }),
  z.looseObject({ ts, event: text }),
])

const zenoEvidence = z.union([
  z.looseObject({
    evidence_id: text,
    kind: z.literal('read'),
    path: text,
    lines: z.tuple([z.int(), z.int()]),
    why: z.optional(text),
    hash: z.optional(text),
  }),
  z.looseObject({
    evidence_id: text,
    kind: z.literal('grep'),
    pattern: text,
    hit: text,
    regex: z.optional(z.boolean()),
    why: z.optional(text),
    hash: z.optional(text),
  }),
])

const zenoClaim = z.looseObject({
  claim_id: text,
  claim: text,
  evidence: z.array(text),
  confidence: z.optional(text),
})

const message = z.looseObject({ role: text, content: text })

const zinoMemories = z.array(
  z.looseObject({ messages: z.array(message), tag: z.optional(z.nullable(text)) }),
)

const zinoHistory = z.array(message)

const meta = z.looseObject({
  executor: z.optional(text),
  file_extension: z.optional(text),
  static_analysis: z.optional(text),
})

const zinoTool = z.looseObject({ meta })

const zinoAllow = z.strictObject({
  tools: z.optional(z.array(text)),
  paths: z.optional(z.array(text)),
  hosts: z.optional(z.array(text)),
  tokens: z.optional(z.int().check(z.gte(0))),
  until: z.optional(text),
})

const zinoSkill = z.looseObject({
  meta,
  allow: z.optional(zinoAllow),
  interpreter: z.array(message),
  fabricator: z.array(message),
})

const zclOutcome = z.looseObject({
  schemaVersion: z.literal(1),
  runId: text,
  suiteId: text,
  missionId: text,
  attemptId: text,
  slot: z.int().check(z.gte(1)),
  outcome: z.enum(outcomes),
  code: z.optional(text),
  message: z.optional(text),
  exitCode: z.optional(z.int()),
  durationMs: z.optional(z.number()),
  endedAt: ts,
})

/** Keyed by file name: title and schema. */
export const formats: Readonly<Record<string, { title: string; schema: z.ZodMiniType }>> = {
  'zdx-session.json': { title: 'One line of sessions/<id>.jsonl', schema: zdxSession },
  'zeno-trace.json': { title: 'One line of a trace of zeno', schema: zenoTrace },
  'zeno-evidence.json': { title: 'One line of an evidence ledger', schema: zenoEvidence },
  'zeno-claim.json': { title: 'One line of a claim ledger', schema: zenoClaim },
  'zino-memories.json': { title: 'hard_memories.json', schema: zinoMemories },
  'zino-history.json': { title: 'channels/<id>.json', schema: zinoHistory },
  'zino-tool.json': { title: 'tools/<name>.json', schema: zinoTool },
  'zino-skill.json': { title: 'skills/<name>.json', schema: zinoSkill },
  'zcl-outcome.json': { title: 'attempt.outcome.json', schema: zclOutcome },
}
