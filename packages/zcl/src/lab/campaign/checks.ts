// Checks that a campaign applies to an attempt beyond its own outcome: oracle, tool policy, trace
// profile and semantic rules.
import path from 'node:path'
import { writeJsonAtomic } from '@zee/core/atomic-file'
import { rfc3339 } from '@zee/core/clock'
import { ZeeError } from '@zee/core/errors'
import { readJsonArtifact } from '@zee/evidence/artifact'
import { artifactName, labArtifactName, runFolder } from '@zee/evidence/layout'
import { runOracleScript, judgeByRules, readOracle } from '@zee/evidence/oracles'
import type { OraclePolicy, OracleVerdict } from '@zee/evidence/oracles'
import { isAnswer } from '@zee/evidence/outcome'
import type { FeedbackFile } from '@zee/evidence/schema'
import { checkMeaning, type SemanticRules } from '@zee/evidence/expect'
import { traceEvents, type StoredEvent } from '@zee/evidence/events'
import type { Code } from '../../codes/codes.ts'
import type { Lab, TryResult } from '../attempt/attempt.ts'
import { loadYaml, readText } from '../../input/input.ts'
import type { CampaignMission } from './missions.ts'
import type { CampaignSpec, FlowSpec } from './campaign.ts'

export interface CheckRequest {
  spec: CampaignSpec
  /** The base of relative paths in the specification. */
  folder: string
  flow: FlowSpec
  mission: CampaignMission
  lab: Lab
  result: TryResult
  rules: SemanticRules | undefined
}

export interface Checked {
  claimedOk: boolean | null
  verifiedOk: boolean
  bucket: 'infra' | 'oracle' | 'mission' | null
  codes: Code[]
  /** Whether it can be compared with the other flows. */
  isValid: boolean
}

const oracleTimeoutMs = 60_000

export async function checkAttempt(request: CheckRequest): Promise<Checked> {
  const { result } = request
  const from = { path: result.folder, within: result.folder }
  const read = readJsonArtifact(from, artifactName.feedback)
  const feedback = read.failure === undefined ? (read.value as unknown as FeedbackFile) : undefined
  const claimedOk = feedback?.ok ?? null
  const codes: Code[] = result.code === undefined ? [] : [result.code]
  if (!isAnswer(result.outcome)) {
    return { claimedOk, verifiedOk: false, bucket: 'infra', codes, isValid: false }
  }
  const policy = await traceCodes(request)
  const meaning = await semanticCodes(request)
  const oracle = feedback === undefined ? undefined : await evaluateOracle(request, feedback)
  const hasOracle = request.spec.evaluation?.mode === 'oracle'
  const isUnproven = result.code === 'ZCL_E_UNPROVEN'
  const passed = hasOracle
    ? oracle === undefined && claimedOk === true && !isUnproven
    : result.outcome === 'passed'
  codes.push(...policy, ...meaning, ...(oracle === undefined ? [] : [oracle]))
  const verifiedOk = passed && policy.length === 0 && meaning.length === 0
  const bucket = verifiedOk ? null : oracle === undefined ? 'mission' : 'oracle'
  const isValid =
    policy.length === 0 &&
    meaning.length === 0 &&
    oracle !== 'ZCL_E_CAMPAIGN_ORACLE_EVALUATION_ERROR'
  return { claimedOk, verifiedOk, bucket, codes: [...new Set(codes)], isValid }
}

async function evaluateOracle(
  request: CheckRequest,
  feedback: FeedbackFile,
): Promise<Code | undefined> {
  const { spec, mission, result, lab } = request
  if (spec.evaluation?.mode !== 'oracle' || mission.oracle === undefined) return undefined
  const configured = spec.evaluation.oraclePolicy ?? {}
  const policy: OraclePolicy = {
    mode: configured.mode ?? 'normalized',
    formatMismatch: configured.formatMismatch ?? 'fail',
  }
  const verdict = await verdictOf(request, feedback, mission.oracle, policy)
  const isError = 'error' in verdict
  await writeJsonAtomic(path.join(result.folder, labArtifactName.oracleVerdict), {
    schemaVersion: 1,
    runId: lab.runId,
    suiteId: lab.suite.suiteId,
    missionId: mission.missionId,
    attemptId: result.attemptId,
    ok: isError ? false : verdict.ok,
    policy,
    // The output of a script may contain secrets.
    ...(lab.redactor.value(
      isError
        ? { error: verdict.error }
        : { mismatches: verdict.mismatches, warnings: verdict.warnings },
    ).value as object),
    evaluatedAt: rfc3339(lab.now()),
  })
  if (isError) return 'ZCL_E_CAMPAIGN_ORACLE_EVALUATION_ERROR'
  return verdict.ok ? undefined : 'ZCL_E_CAMPAIGN_ORACLE_EVALUATION_FAILED'
}

async function verdictOf(
  { spec, folder, flow, mission, lab, result }: CheckRequest,
  feedback: FeedbackFile,
  oracle: string,
  policy: OraclePolicy,
): Promise<OracleVerdict | { error: string }> {
  const { evaluator } = spec.evaluation ?? {}
  if (evaluator?.kind === 'script') {
    const { ok, result: text, resultJson } = feedback
    const identity = { missionId: mission.missionId, flowId: flow.flowId, oraclePath: oracle }
    const subject = { ...identity, attemptDir: result.folder, ok, result: text, resultJson, policy }
    const env = { ...lab.env, ZCL_ORACLE_PATH: oracle }
    const command = evaluator.command ?? []
    return runOracleScript(
      { command, cwd: folder, env, timeoutMs: oracleTimeoutMs, subject },
      policy,
    )
  }
  try {
    const { value } = (await loadYaml())(await readText(oracle, folder))
    return judgeByRules(readOracle(value, path.basename(oracle)), feedback, policy)
  } catch (error) {
    return { error: error instanceof ZeeError ? error.message : 'the oracle cannot be read' }
  }
}

async function semanticCodes({ spec, rules, lab, result, mission }: CheckRequest): Promise<Code[]> {
  const missionRules = spec.semantic?.enabled === false ? undefined : rules?.(mission.missionId)
  if (missionRules === undefined) return []
  const run = runFolder(lab.outRoot, lab.runId)
  const location = { folder: result.folder, name: result.attemptId, runFolder: run }
  const failures = await checkMeaning(location, missionRules, lab.env, rfc3339(lab.now()))
  return failures.length === 0 ? [] : ['ZCL_E_CAMPAIGN_SEMANTIC_FAILED']
}

/** Checks the tool policy and the trace profile in one pass over the trace. */
async function traceCodes({ spec, flow, result }: CheckRequest): Promise<Code[]> {
  const { toolPolicy } = flow
  const profile = spec.pairGate?.traceProfile ?? 'none'
  if (toolPolicy === undefined && profile === 'none') return []
  let isViolated = false
  let mcpCalls = 0
  let directCalls = 0
  for await (const event of traceEvents(result.folder)) {
    if (toolPolicy !== undefined && !isAllowed(event, toolPolicy)) isViolated = true
    if (event.tool === 'mcp' && event.op === 'tools/call') mcpCalls++
    if (event.tool === 'http' || isFetch(event)) directCalls++
  }
  const codes: Code[] = isViolated ? ['ZCL_E_CAMPAIGN_TOOL_POLICY_VIOLATION'] : []
  if (profile === 'mcp_required' && mcpCalls === 0) {
    codes.push('ZCL_E_CAMPAIGN_TRACE_PROFILE_MCP_REQUIRED')
  }
  // In a browser comparison, agents must not fetch pages without the browser.
  if (profile === 'strict_browser_comparison' && directCalls > 0) {
    codes.push('ZCL_E_CAMPAIGN_TRACE_PROFILE_BROWSER')
  }
  return codes
}

type ToolPolicy = NonNullable<FlowSpec['toolPolicy']>

export function isAllowed(
  event: StoredEvent,
  { allow = [], deny = [], aliases }: ToolPolicy,
): boolean {
  const name = toolName(event, aliases ?? {})
  const matches = (rule: { namespace?: string | undefined; prefix?: string | undefined }) =>
    (rule.namespace === undefined || rule.namespace === event.tool) &&
    name.startsWith(rule.prefix ?? '')
  if (deny.some(matches)) return false
  return allow.length === 0 || allow.some(matches)
}

function toolName({ tool, op, input }: StoredEvent, aliases: Record<string, string>): string {
  if (tool === 'cli') {
    const [command = '', ...args] = Array.isArray(input.argv) ? input.argv.map(String) : []
    const bare = command.split('/').at(-1) ?? ''
    return [aliases[bare] ?? bare, ...args].join(' ')
  }
  const params = input.params
  const called =
    typeof params === 'object' && params !== null && 'name' in params ? params.name : op
  return aliases[String(called)] ?? String(called)
}

function isFetch(event: StoredEvent): boolean {
  return event.tool === 'cli' && /^(?:curl|wget) /.test(`${toolName(event, {})} `)
}
