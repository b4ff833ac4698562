// Finds the mistakes in a campaign that can be found before any attempt runs.
import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { harnessTermsIn, defaultBlindTerms } from '@zee/evidence/suite'
import type { ErrorCode } from '../../codes/codes.ts'
import { isUsableName } from '../../shim/shim.ts'
import type { CampaignSpec, FlowSpec } from './campaign.ts'
import type { LoadedSpec } from './spec.ts'
import { isKnownStrategy } from './flow/flow.ts'
import type { Missions } from './missions.ts'

export interface LintFinding {
  code: ErrorCode
  message: string
  /** The key in the specification. */
  path: string
}

export interface LintEnvironment {
  /** The working folder of agents that inherit it. */
  cwd: string
  outRoot: string
}

export function lintCampaign(
  { spec, folder }: LoadedSpec,
  missions: Missions,
  environment: LintEnvironment,
): LintFinding[] {
  return [
    ...lintIneffectiveKeys(spec),
    ...spec.flows.flatMap((flow, index) => lintFlow(flow, `flows.${index}`)),
    ...lintPromptMode(spec, missions),
    ...lintEvaluation(spec, missions),
    ...lintVisibility(spec, folder, environment),
  ]
}

/** Finds keys that have no effect, or not the expected one. */
function lintIneffectiveKeys({ timeouts, missionSource, flows }: CampaignSpec): LintFinding[] {
  const found: LintFinding[] = []
  const add = (path: string, message: string) =>
    found.push({ code: 'ZCL_E_CONTRACT', message, path })
  if (timeouts?.watchdogHardKillContinue !== undefined && timeouts.missionEnvelopeMs === undefined)
    add(
      'timeouts.watchdogHardKillContinue',
      'set missionEnvelopeMs too; without it no attempt is killed',
    )
  if (missionSource?.path !== undefined && missionSource.promptSource !== undefined)
    add('missionSource.path', 'path and promptSource both name prompts; keep one')
  flows.forEach(({ runner }, index) => {
    if (runner.freshAgentPerAttempt !== false) return
    const message = 'every attempt has its own process; remove the key or set it to true'
    add(`flows.${index}.runner.freshAgentPerAttempt`, message)
  })
  return found
}

function lintFlow(flow: FlowSpec, keyPath: string): LintFinding[] {
  const { runner, toolPolicy } = flow
  const found: LintFinding[] = []
  const chain = runner.runtimeStrategies ?? []
  const isNative = runner.type === 'codex_app_server' || chain.includes('codex_app_server')
  if (runner.sessionIsolation === 'native' && !isNative) {
    const message = `${flow.flowId}: only codex_app_server has native sessions; use process`
    found.push({
      code: 'ZCL_E_RUNTIME_STRATEGY_UNSUPPORTED',
      message,
      path: `${keyPath}.runner.type`,
    })
  } else if (chain.length > 0 && !chain.some(isKnownStrategy)) {
    const message = `${flow.flowId}: none of its runtime strategies is supported: ${chain.join(', ')}`
    const where = `${keyPath}.runner.runtimeStrategies`
    found.push({ code: 'ZCL_E_RUNTIME_STRATEGY_UNSUPPORTED', message, path: where })
  } else if (runner.command === undefined && runner.preset === undefined && !isNative) {
    const message = `${flow.flowId}: the runner has no command`
    found.push({ code: 'ZCL_E_CONTRACT', message, path: `${keyPath}.runner.command` })
  }
  const { toolDriver } = runner
  if (toolDriver?.kind === 'cli_funnel' && (toolDriver.shims ?? []).length === 0) {
    const message = `${flow.flowId}: cli_funnel needs the tools to trace in toolDriver.shims`
    const where = `${keyPath}.runner.toolDriver.shims`
    found.push({ code: 'ZCL_E_CAMPAIGN_TOOL_DRIVER_SHIM_REQUIRED', message, path: where })
  }
  for (const tool of toolDriver?.shims ?? []) {
    if (isUsableName(tool)) continue
    const message = `${flow.flowId}: '${tool}' cannot be the name of a wrapper`
    found.push({ code: 'ZCL_E_SHIM', message, path: `${keyPath}.runner.toolDriver.shims` })
  }
  const key = (rule: object) => JSON.stringify(rule)
  const denied = new Set((toolPolicy?.deny ?? []).map(key))
  if ((toolPolicy?.allow ?? []).some((rule) => denied.has(key(rule)))) {
    const message = `${flow.flowId}: a tool is both allowed and denied`
    found.push({
      code: 'ZCL_E_CAMPAIGN_TOOL_POLICY_INVALID',
      message,
      path: `${keyPath}.toolPolicy`,
    })
  }
  return found
}

function lintPromptMode(spec: CampaignSpec, { flows }: Missions): LintFinding[] {
  const mode = spec.promptMode ?? 'default'
  const extra = spec.noContext?.forbiddenPromptTerms ?? []
  const terms = mode === 'default' ? extra : [...defaultBlindTerms, ...extra]
  const found: LintFinding[] = []
  flows.forEach(({ flow, suite }, index) => {
    for (const { missionId, prompt } of suite.missions) {
      const named = harnessTermsIn(prompt ?? '', terms)
      if (named.length === 0) continue
      const message = `${flow.flowId}: the prompt of ${missionId} names ${named.join(', ')}`
      const code = 'ZCL_E_CAMPAIGN_PROMPT_MODE_VIOLATION'
      found.push({ code, message, path: `flows.${index}` })
    }
    if (mode === 'default') return
    if (flow.runner.finalization?.mode === 'auto_from_result_json') return
    const message = `${flow.flowId}: ${mode} needs finalization.mode auto_from_result_json`
    const where = `flows.${index}.runner.finalization.mode`
    found.push({ code: 'ZCL_E_CAMPAIGN_PROMPT_MODE_VIOLATION', message, path: where })
  })
  return found
}

function lintEvaluation(spec: CampaignSpec, { missions }: Missions): LintFinding[] {
  const { evaluation, missionSource, promptMode } = spec
  const found: LintFinding[] = []
  if (promptMode === 'exam') {
    const isSplit =
      missionSource?.promptSource !== undefined && missionSource.oracleSource !== undefined
    if (!isSplit || evaluation?.mode !== 'oracle') {
      const message = 'an exam needs promptSource, oracleSource and evaluation.mode oracle'
      const code = 'ZCL_E_CAMPAIGN_EXAM_PROMPT_VIOLATION'
      found.push({ code, message, path: 'missionSource' })
    }
  }
  if (evaluation?.mode !== 'oracle') return found
  const { evaluator } = evaluation
  if (evaluator === undefined || (evaluator.kind === 'script' && evaluator.command === undefined)) {
    const message =
      'evaluation.mode oracle needs an evaluator: builtin_rules, or script and command'
    const code = 'ZCL_E_CAMPAIGN_ORACLE_EVALUATOR_REQUIRED'
    found.push({ code, message, path: 'evaluation.evaluator' })
  }
  for (const { missionId, oracle } of missions) {
    if (oracle !== undefined) continue
    const message = `there is no oracle for ${missionId}`
    const where = 'missionSource.oracleSource'
    found.push({ code: 'ZCL_E_CAMPAIGN_ORACLE_EVALUATION_ERROR', message, path: where })
  }
  return found
}

/** Refuses hidden oracles below the output root or a folder where agents work. */
function lintVisibility(
  spec: CampaignSpec,
  folder: string,
  { cwd, outRoot }: LintEnvironment,
): LintFinding[] {
  const source = spec.missionSource?.oracleSource
  if (source?.visibility !== 'host_only') return []
  const oracles = realPath(path.resolve(folder, source.path))
  const inherits = spec.flows.some(({ runner }) => runner.cwd?.mode !== 'temp_empty_per_attempt')
  const workspaces = [outRoot, ...(inherits ? [cwd] : [])]
  return workspaces
    .filter((workspace) => isWithin(realPath(workspace), oracles))
    .map((workspace) => ({
      code: 'ZCL_E_CAMPAIGN_ORACLE_VISIBILITY_VIOLATION' as const,
      message: `the hidden oracles are in ${workspace}, where agents work; move them`,
      path: 'missionSource.oracleSource.path',
    }))
}

function realPath(file: string): string {
  return existsSync(file) ? realpathSync(file) : path.resolve(file)
}

function isWithin(outer: string, inner: string): boolean {
  const relative = path.relative(outer, inner)
  const leaves = relative === '..' || relative.startsWith(`..${path.sep}`)
  return !leaves && !path.isAbsolute(relative)
}
