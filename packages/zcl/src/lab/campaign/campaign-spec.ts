// The specification of a campaign: what may stand in it and what it means when something is left out.
// Unknown keys are refused, so that a typo never changes a comparison; `x-...` is for notes.
import path from 'node:path'
import { kebabId } from '@zee/core/ids'
import { formatPolicies, oracleModes } from '@zee/evidence/oracles/verdict'
import { timeoutStarts } from '@zee/evidence/vocabulary'
import { zclError } from '@zee/evidence/errors'
import * as z from 'zod/mini'
import { feedbackPolicies, finalizationModes, resultChannels } from '../lab-words.ts'
import { sessionIsolations } from '../lab-words.ts'
import { loadYaml, readText } from '../suite-file.ts'

const text = z.string().check(z.minLength(1))
const texts = z.array(z.string())
const command = z.array(z.string()).check(z.minLength(1))
const count = z.int().check(z.gte(0))
const positive = z.int().check(z.gte(1))
const folder = z.strictObject({ path: text })

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
  type: z.enum([
    'process_cmd',
    'codex_exec',
    'codex_subagent',
    'claude_subagent',
    'codex_app_server',
  ]),
  command: z.optional(command),
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
      retain: z.optional(z.boolean()),
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
  mcp: z.optional(z.looseObject({})),
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
})

const specSchema = z.strictObject({
  schemaVersion: z.literal(1),
  campaignId: text,
  outRoot: z.optional(text),
  promptMode: z.optional(z.enum(['default', 'mission_only', 'exam'])),
  totalMissions: z.optional(positive),
  canaryMissions: z.optional(positive),
  failFast: z.optional(z.boolean()),
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
      watchdogHeartbeatMs: z.optional(positive),
      watchdogHardKillContinue: z.optional(z.boolean()),
      timeoutStart: z.optional(z.enum(timeoutStarts)),
    }),
  ),
  output: z.optional(z.looseObject({})),
  invalidRunPolicy: z.optional(z.looseObject({})),
  flows: z.array(flow).check(z.minLength(1)),
})

export type CampaignSpec = z.infer<typeof specSchema>
export type FlowSpec = z.infer<typeof flow>

export interface LoadedSpec {
  spec: CampaignSpec
  /** Canonical. */
  campaignId: string
  /** What relative paths in it start from. */
  folder: string
  file: string
}

export async function loadSpec(file: string, cwd: string): Promise<LoadedSpec> {
  const source = await readText(file, cwd)
  let value: unknown
  try {
    value = (await loadYaml())(source)
  } catch {
    throw zclError('ZCL_E_INVALID_JSON', `${file} is neither YAML nor JSON`)
  }
  const spec = parseSpec(value, file)
  const campaignId = kebabId(spec.campaignId)
  if (campaignId === '')
    throw zclError('ZCL_E_CONTRACT', `${file}: campaignId has no usable character`)
  return { spec, campaignId, folder: path.dirname(path.resolve(cwd, file)), file }
}

export function parseSpec(value: unknown, file: string): CampaignSpec {
  const read = z.safeParse(specSchema, withoutNotes(value))
  if (!read.success) throw zclError('ZCL_E_CONTRACT', `${file}: ${problemOf(read.error.issues[0])}`)
  const { flowGate, pairGate, ...rest } = read.data
  if (flowGate !== undefined && pairGate !== undefined) {
    throw zclError('ZCL_E_CONTRACT', `${file}: flowGate is another name of pairGate; keep one`)
  }
  const ids = rest.flows.map(({ flowId }) => kebabId(flowId))
  const twice = ids.find((id, index) => id === '' || ids.indexOf(id) !== index)
  if (twice !== undefined) {
    throw zclError('ZCL_E_CONTRACT', `${file}: flowId '${twice}' is empty or there twice`)
  }
  const flows = rest.flows.map((each, index) => ({ ...each, flowId: ids[index] ?? '' }))
  const used = pairGate ?? flowGate
  return { ...rest, flows, ...(used === undefined ? {} : { pairGate: used }) }
}

function withoutNotes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNotes)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => !key.startsWith('x-'))
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutNotes(each)]))
}

interface Issue {
  code?: string | undefined
  path: PropertyKey[]
  keys?: string[] | undefined
}

function problemOf(issue: Issue | undefined): string {
  const place = issue?.path.map(String).join('.') ?? ''
  if (issue?.code === 'unrecognized_keys') {
    const inside = place === '' ? '' : ` in ${place}`
    return `unknown key ${(issue.keys ?? []).join(', ')}${inside} (x-... is for notes)`
  }
  return `${place || 'the specification'} is missing or not valid`
}
