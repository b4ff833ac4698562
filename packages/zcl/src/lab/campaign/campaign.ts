// The schema of a campaign specification. Unknown keys are refused, so that a typo never changes a
// comparison; keys that start with `x-` are notes. Every other key has an effect.
import { formatPolicies, oracleModes } from '@zee/evidence/oracles'
import {
  approvalAnswers,
  approvalPolicies,
  effortPolicies,
  modes,
  runnerPresets,
  sandboxModes,
  timeoutStarts,
} from '@zee/evidence/vocabulary'
import * as z from 'zod/mini'
import { feedbackPolicies, finalizationModes, resultChannels } from '../vocabulary.ts'
import { sessionIsolations } from '../vocabulary.ts'

const text = z.string().check(z.minLength(1))
const texts = z.array(z.string())
const command = z.array(z.string()).check(z.minLength(1))
const count = z.int().check(z.gte(0))
const positive = z.int().check(z.gte(1))
const folder = z.strictObject({ path: text })
/** One hour; Node timers overflow after 24.8 days. */
const maxHeartbeatMs = 3_600_000

const selection = z.strictObject({
  mode: z.enum(['all', 'mission_id', 'index', 'range']),
  missionIds: z.optional(texts),
  indexes: z.optional(z.array(count)),
  range: z.optional(z.strictObject({ start: count, end: count })),
})

const missionSource = z.strictObject({
  path: z.optional(text),
  promptSource: z.optional(folder),
  oracleSource: z.optional(
    z.strictObject({ path: text, visibility: z.optional(z.enum(['workspace', 'host_only'])) }),
  ),
  selection: z.optional(selection),
})

const evaluation = z.strictObject({
  mode: z.enum(['none', 'oracle']),
  evaluator: z.optional(
    z.strictObject({ kind: z.enum(['script', 'builtin_rules']), command: z.optional(command) }),
  ),
  oraclePolicy: z.optional(
    z.strictObject({
      mode: z.optional(z.enum(oracleModes)),
      formatMismatch: z.optional(z.enum(formatPolicies)),
    }),
  ),
})

const gate = z.strictObject({
  enabled: z.optional(z.boolean()),
  stopOnFirstMissionFailure: z.optional(z.boolean()),
  traceProfile: z.optional(z.enum(['none', 'strict_browser_comparison', 'mcp_required'])),
})

const toolRule = z.strictObject({ namespace: z.optional(text), prefix: z.optional(z.string()) })

const runner = z.strictObject({
  /** `process_cmd` by default, if a preset names the command. */
  type: z.optional(
    z.enum(['process_cmd', 'codex_exec', 'codex_subagent', 'claude_subagent', 'codex_app_server']),
  ),
  command: z.optional(command),
  /** The command of a known agent. */
  preset: z.optional(z.enum(runnerPresets)),
  /** Of `codex_app_server`. */
  model: z.optional(text),
  modelReasoningEffort: z.optional(text),
  modelReasoningPolicy: z.optional(z.enum(effortPolicies)),
  /** Tried in order: the first that this machine can run is used. */
  runtimeStrategies: z.optional(texts),
  approvalPolicy: z.optional(z.enum(approvalPolicies)),
  approvals: z.optional(z.enum(approvalAnswers)),
  sandbox: z.optional(z.enum(sandboxModes)),
  minStartIntervalMs: z.optional(positive),
  mode: z.optional(z.enum(modes)),
  timeoutStart: z.optional(z.enum(timeoutStarts)),
  env: z.optional(z.record(z.string(), z.string())),
  sessionIsolation: z.optional(z.enum(sessionIsolations)),
  feedbackPolicy: z.optional(z.enum(feedbackPolicies)),
  timeoutMs: z.optional(positive),
  strict: z.optional(z.boolean()),
  strictExpect: z.optional(z.boolean()),
  freshAgentPerAttempt: z.optional(z.boolean()),
  cwd: z.optional(
    z.strictObject({
      mode: z.enum(['inherit', 'temp_empty_per_attempt']),
      basePath: z.optional(text),
      retain: z.optional(z.union([z.boolean(), z.enum(['always', 'on_failure', 'never'])])),
    }),
  ),
  toolDriver: z.optional(
    z.strictObject({
      kind: z.enum(['shell', 'cli_funnel', 'mcp_proxy', 'http_proxy']),
      shims: z.optional(texts),
    }),
  ),
  finalization: z.optional(
    z.strictObject({
      mode: z.optional(z.enum(finalizationModes)),
      minResultTurn: z.optional(count),
      resultChannel: z.optional(
        z.strictObject({
          kind: z.enum(resultChannels),
          path: z.optional(text),
          marker: z.optional(text),
        }),
      ),
    }),
  ),
  mcp: z.optional(
    z.strictObject({
      maxToolCalls: z.optional(count),
      idleTimeoutMs: z.optional(count),
      shutdownOnComplete: z.optional(z.boolean()),
    }),
  ),
})

const flow = z.strictObject({
  flowId: text,
  suiteFile: z.optional(text),
  promptSource: z.optional(folder),
  promptTemplate: z.optional(z.strictObject({ path: text, allowRunnerEnvKeys: z.optional(texts) })),
  toolPolicy: z.optional(
    z.strictObject({
      allow: z.optional(z.array(toolRule)),
      deny: z.optional(z.array(toolRule)),
      aliases: z.optional(z.record(z.string(), z.string())),
    }),
  ),
  runner,
  /** Of the original zcl: what an adapter prints. Every attempt has it here. */
  adapterContract: z.optional(z.strictObject({ requiredOutputFields: z.optional(texts) })),
})

export const specSchema = z.strictObject({
  schemaVersion: z.literal(1),
  campaignId: text,
  outRoot: z.optional(text),
  promptMode: z.optional(z.enum(['default', 'mission_only', 'exam'])),
  /** 0 means all. */
  totalMissions: z.optional(count),
  canaryMissions: z.optional(positive),
  failFast: z.optional(z.boolean()),
  /** An answer without a recorded action may pass: the missions need none. */
  allowUnproven: z.optional(z.boolean()),
  missionSource: z.optional(missionSource),
  evaluation: z.optional(evaluation),
  execution: z.optional(z.strictObject({ flowMode: z.optional(z.enum(['sequence', 'parallel'])) })),
  pairGate: z.optional(gate),
  flowGate: z.optional(gate),
  semantic: z.optional(
    z.strictObject({ enabled: z.optional(z.boolean()), rulesPath: z.optional(text) }),
  ),
  noContext: z.optional(z.strictObject({ forbiddenPromptTerms: z.optional(texts) })),
  cleanup: z.optional(
    z.strictObject({
      beforeMission: z.optional(command),
      afterMission: z.optional(command),
      onFailure: z.optional(command),
    }),
  ),
  timeouts: z.optional(
    z.strictObject({
      campaignGlobalTimeoutMs: z.optional(positive),
      defaultAttemptTimeoutMs: z.optional(positive),
      cleanupHookTimeoutMs: z.optional(positive),
      missionEnvelopeMs: z.optional(positive),
      watchdogHeartbeatMs: z.optional(z.int().check(z.gte(1), z.lte(maxHeartbeatMs))),
      watchdogHardKillContinue: z.optional(z.boolean()),
      timeoutStart: z.optional(z.enum(timeoutStarts)),
    }),
  ),
  output: z.optional(
    z.strictObject({
      reportPath: z.optional(text),
      summaryPath: z.optional(text),
      resultsPath: z.optional(text),
      /** Names of the original zcl. */
      resultsMdPath: z.optional(text),
      publishCheck: z.optional(text),
      progressJsonl: z.optional(text),
    }),
  ),
  invalidRunPolicy: z.optional(
    z.strictObject({
      publishRequiresValid: z.optional(z.boolean()),
      /** Of the original zcl; both are fixed here. */
      statuses: z.optional(texts),
      forceFlag: z.optional(text),
    }),
  ),
  flows: z.array(flow).check(z.minLength(1)),
})

export type CampaignSpec = z.infer<typeof specSchema>
export type FlowSpec = z.infer<typeof flow>

/** The JSON Schema (2020-12) of a specification, for editors and `zcl contract`. */
export function campaignJsonSchema(): object {
  const { $schema, ...rules } = z.toJSONSchema(specSchema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) jsonSchema.patternProperties = { '^x-': {} }
    },
  })
  return { $schema, title: 'The specification of a campaign', ...rules }
}
