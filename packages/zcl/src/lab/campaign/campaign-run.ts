// Carries a campaign out: mission by mission, each flow one attempt, a gate after each mission.
import path from 'node:path'
import { promises } from 'node:fs'
import { rfc3339 } from '@zee/core/clock'
import { ensureFolder } from '@zee/core/folders'
import { runProcess } from '@zee/core/process'
import { ensureRun } from '@zee/evidence/attempt-start'
import type { ErrorCode } from '@zee/evidence/codes'
import { zclError } from '@zee/evidence/errors'
import { randomHex } from '@zee/core/ids'
import { scratchFolder } from '@zee/evidence/layout'
import { isAnswer } from '@zee/evidence/outcome'
import type { SemanticRules } from '@zee/evidence/semantic-rules'
import { recordedNow } from '../../clocks.ts'
import { openLab } from '../open-lab.ts'
import type { Lab } from '../run-attempt.ts'
import { comparabilityKeyOf, planExists, writePlan, type RunPlan } from '../run-plan.ts'
import { profileOf } from '../run-profile.ts'
import { runSlot } from '../run-slot.ts'
import type { LabCall } from '../suite-run.ts'
import { readRulesFile } from '../validate-semantic.ts'
import { checkAttempt } from './campaign-checks.ts'
import type { CampaignMission, FlowMissions, Missions } from './campaign-missions.ts'
import type { FlowSpec, LoadedSpec } from './campaign-spec.ts'
import {
  appendStep,
  campaignFile,
  latestSteps,
  readSteps,
  stepKey,
  writeOwn,
} from './campaign-state.ts'
import type { CampaignPlan, CampaignState, Step } from './campaign-state.ts'

export interface CampaignWork {
  loaded: LoadedSpec
  missions: Missions
  plan: CampaignPlan
  /** Of the campaign. */
  folder: string
  /** Absolute. */
  outRoot: string
  signal: AbortSignal
  startedAt: string
  onStep?: (step: Step) => void
}

interface FlowLab extends FlowMissions {
  lab: Lab
}

const defaultHookTimeoutMs = 30_000

/** The state it ended in, which is written as well. */
export async function carryOutCampaign(work: CampaignWork, call: LabCall): Promise<CampaignState> {
  const { spec } = work.loaded
  const global = deadlineOf(spec.timeouts?.campaignGlobalTimeoutMs)
  const signal = AbortSignal.any([work.signal, global.signal])
  const run = new CampaignRun(work, call, signal)
  try {
    const problem = await run.toEnd()
    if (global.isExpired()) {
      return await run.end('aborted', 'ZCL_E_CAMPAIGN_GLOBAL_TIMEOUT', 'its time is used up')
    }
    if (work.signal.aborted) {
      return await run.end('aborted', 'ZCL_E_CAMPAIGN_ABORTED', 'it was told to stop')
    }
    if (problem === undefined) return await run.end('valid')
    return await run.end(problem.isAbort ? 'aborted' : 'invalid', problem.code, problem.message)
  } finally {
    global.end()
  }
}

interface Problem {
  code: ErrorCode
  message: string
  isAbort: boolean
}

class CampaignRun {
  readonly #work: CampaignWork
  readonly #call: LabCall
  readonly #signal: AbortSignal
  #done = 0

  constructor(work: CampaignWork, call: LabCall, signal: AbortSignal) {
    this.#work = work
    this.#call = call
    this.#signal = signal
  }

  /** The first thing that makes the campaign worth less than planned. */
  async toEnd(): Promise<Problem | undefined> {
    const { loaded, missions, folder } = this.#work
    const { spec } = loaded
    const labs = await this.#openFlows()
    const rulesPath = spec.semantic?.rulesPath
    const rules =
      rulesPath === undefined ? undefined : await readRulesFile(rulesPath, loaded.folder)
    const known = latestSteps(await readSteps(folder))
    let first: Problem | undefined
    for (const [index, mission] of missions.missions.entries()) {
      if (this.#signal.aborted) return first
      const hook = await this.#hook('beforeMission', mission)
      const steps =
        hook === undefined ? await this.#mission(labs, index, mission, known, rules) : []
      const problem = hook ?? this.#gate(steps, index, mission)
      if (problem !== undefined) await this.#hook('onFailure', mission)
      first ??= problem ?? (await this.#hook('afterMission', mission))
      this.#done = index + 1
      await this.#save('running')
      const stops = spec.failFast === true || problem?.isAbort === true
      if (problem !== undefined && stops) return { ...problem, isAbort: true }
    }
    return first
  }

  async end(
    status: CampaignState['status'],
    code?: ErrorCode,
    message?: string,
  ): Promise<CampaignState> {
    return this.#save(status, code, message)
  }

  async #mission(
    labs: readonly FlowLab[],
    index: number,
    mission: CampaignMission,
    known: ReadonlyMap<string, Step>,
    rules: SemanticRules | undefined,
  ): Promise<Step[]> {
    const { spec } = this.#work.loaded
    const one = (each: FlowLab) => this.#step(each, index, mission, known, rules)
    if (spec.execution?.flowMode === 'parallel') return Promise.all(labs.map(one))
    const steps: Step[] = []
    for (const each of labs) {
      if (this.#signal.aborted) break
      steps.push(await one(each))
    }
    return steps
  }

  /** A place that has its answer is not tried again, whoever tried it. */
  async #step(
    { flow, lab }: FlowLab,
    missionIndex: number,
    mission: CampaignMission,
    known: ReadonlyMap<string, Step>,
    rules: SemanticRules | undefined,
  ): Promise<Step> {
    const { loaded, plan, folder } = this.#work
    const { campaignId } = plan
    const idempotencyKey = stepKey(campaignId, flow.flowId, missionIndex)
    const before = known.get(idempotencyKey)
    if (before !== undefined && (before.outcome === 'passed' || before.outcome === 'failed')) {
      return before
    }
    const { missionId } = mission
    const slot = { slot: missionIndex + 1, missionId }
    const cwd = await this.#workspace(flow, lab)
    const place = cwd === undefined ? {} : { cwd }
    const envelope = deadlineOf(loaded.spec.timeouts?.missionEnvelopeMs)
    const signal = AbortSignal.any([this.#signal, envelope.signal])
    const result = await runSlot(lab, slot, signal, place).finally(() => envelope.end())
    if (cwd !== undefined && flow.runner.cwd?.retain !== true) {
      await promises.rm(cwd, { recursive: true, force: true })
    }
    const request = { spec: loaded.spec, folder: loaded.folder, flow, mission, lab, result, rules }
    const checked = await checkAttempt(request)
    const step: Step = {
      v: 1,
      ts: rfc3339(this.#call.host.clock.now()),
      idempotencyKey,
      campaignId,
      flowId: flow.flowId,
      missionIndex,
      missionId,
      runId: lab.runId,
      attemptId: result.attemptId,
      outcome: result.outcome,
      claimedOk: checked.claimedOk,
      verifiedOk: checked.verifiedOk,
      bucket: checked.bucket,
      codes: checked.isValid ? checked.codes : [...new Set([...checked.codes, invalidMark])],
      durationMs: result.durationMs,
    }
    // What was merely interrupted is tried again by whoever goes on.
    if (!this.#signal.aborted || isAnswer(result.outcome)) await appendStep(folder, step)
    this.#work.onStep?.(step)
    return step
  }

  #gate(steps: readonly Step[], index: number, mission: CampaignMission): Problem | undefined {
    const { pairGate, flows } = this.#work.loaded.spec
    const lacking = steps.length < flows.length || steps.some((step) => !isValidStep(step))
    if (!lacking || this.#signal.aborted) return undefined
    const bad = steps.filter((step) => !isValidStep(step)).map(({ flowId }) => flowId)
    const message = `${mission.missionId}: ${bad.join(', ')} gave nothing that can be compared`
    if (pairGate?.enabled !== true) {
      return { code: 'ZCL_E_CAMPAIGN_FLOW_FAILED', message, isAbort: false }
    }
    if (index === 0 && pairGate.stopOnFirstMissionFailure === true) {
      return { code: 'ZCL_E_CAMPAIGN_FIRST_MISSION_GATE_FAILED', message, isAbort: true }
    }
    return { code: 'ZCL_E_CAMPAIGN_GATE_FAILED', message, isAbort: false }
  }

  async #hook(
    name: 'beforeMission' | 'afterMission' | 'onFailure',
    { missionId }: CampaignMission,
  ): Promise<Problem | undefined> {
    const { spec, folder } = this.#work.loaded
    const [command, ...args] = spec.cleanup?.[name] ?? []
    if (command === undefined) return undefined
    const ran = await runProcess({
      command,
      args,
      cwd: folder,
      env: { ...this.#call.host.env, ZCL_MISSION_ID: missionId },
      captureBytes: 0,
      deadlineMs: spec.timeouts?.cleanupHookTimeoutMs ?? defaultHookTimeoutMs,
      signal: this.#signal,
    })
    if ((ran.outcome === 'exited' && ran.exitCode === 0) || this.#signal.aborted) return undefined
    const message = `${missionId}: the hook ${name} failed (${ran.error ?? `exit ${ran.exitCode}`})`
    return { code: 'ZCL_E_CAMPAIGN_HOOK_FAILED', message, isAbort: false }
  }

  async #workspace({ runner }: FlowSpec, lab: Lab): Promise<string | undefined> {
    if (runner.cwd?.mode !== 'temp_empty_per_attempt') return undefined
    const folder = path.join(scratchFolder(lab.outRoot, lab.runId), `work-${randomHex(6)}`)
    ensureFolder(folder)
    return folder
  }

  async #openFlows(): Promise<FlowLab[]> {
    const labs: FlowLab[] = []
    for (const each of this.#work.missions.flows) {
      labs.push({ ...each, lab: await this.#openFlow(each) })
    }
    return labs
  }

  async #openFlow({ flow, suite }: FlowMissions): Promise<Lab> {
    const { loaded, plan, outRoot, missions } = this.#work
    const { host, launcher } = this.#call
    const { runner } = flow
    const command = commandOf(flow, loaded)
    const runId = plan.flows.find(({ flowId }) => flowId === flow.flowId)?.runId ?? ''
    const profile = profileOf(profileOptions(flow, loaded), suite)
    const ids = missions.missions.map(({ missionId }) => missionId)
    const runPlan: RunPlan = {
      schemaVersion: 1,
      runId,
      suiteId: suite.suiteId,
      createdAt: plan.createdAt,
      comparabilityKey: comparabilityKeyOf(suite, profile),
      total: ids.length,
      missions: ids,
      profile,
      runner: [],
      runnerRedacted: true,
    }
    await ensureRun({ outRoot, runId, suiteId: suite.suiteId, suite, now: recordedNow(host) })
    if (!planExists(outRoot, runId)) await writePlan(outRoot, runPlan)
    const lab = openLab({ host, launcher, outRoot, plan: runPlan, suite, runner: command })
    const { strict, strictExpect } = runner
    return {
      ...lab,
      env: { ...lab.env, ...runner.env, ZCL_FLOW_ID: flow.flowId },
      ...(strict === undefined ? {} : { strict }),
      ...(strictExpect === undefined ? {} : { strictExpect }),
    }
  }

  async #save(
    status: CampaignState['status'],
    code?: ErrorCode,
    message?: string,
  ): Promise<CampaignState> {
    const { plan, folder, startedAt, missions } = this.#work
    const state: CampaignState = {
      schemaVersion: 1,
      campaignId: plan.campaignId,
      status,
      startedAt,
      updatedAt: rfc3339(recordedNow(this.#call.host)),
      missionsTotal: missions.missions.length,
      missionsDone: this.#done,
      ...(code === undefined ? {} : { code }),
      ...(message === undefined ? {} : { message }),
    }
    await writeOwn(folder, campaignFile.state, state)
    return state
  }
}

const invalidMark = 'ZCL_E_CAMPAIGN_ATTEMPT_NOT_VALID'

export function isValidStep({ outcome, codes }: Step): boolean {
  return (outcome === 'passed' || outcome === 'failed') && !codes.includes(invalidMark)
}

/** A program with a slash in its name is found from the specification, wherever agents work. */
function commandOf({ flowId, runner }: FlowSpec, { folder }: LoadedSpec): string[] {
  const [command, ...args] = runner.command ?? []
  if (command === undefined)
    throw zclError('ZCL_E_CAMPAIGN_FLOW_FAILED', `${flowId} has no command`)
  return [command.includes('/') ? path.resolve(folder, command) : command, ...args]
}

function profileOptions({ runner }: FlowSpec, { spec }: LoadedSpec) {
  const { finalization, toolDriver } = runner
  const channel = finalization?.resultChannel
  return {
    timeoutMs: runner.timeoutMs ?? spec.timeouts?.defaultAttemptTimeoutMs,
    timeoutStart: spec.timeouts?.timeoutStart,
    feedbackPolicy: runner.feedbackPolicy,
    finalizationMode: finalization?.mode,
    resultChannel: channel?.kind,
    resultFile: channel?.path,
    resultMarker: channel?.marker,
    resultMinTurn: finalization?.minResultTurn,
    sessionIsolation: runner.sessionIsolation,
    shim: toolDriver?.shims ?? [],
  }
}

function deadlineOf(ms: number | undefined) {
  const abort = new AbortController()
  const timer = ms === undefined ? undefined : setTimeout(() => abort.abort(), ms)
  return {
    signal: abort.signal,
    isExpired: () => abort.signal.aborted,
    end: () => clearTimeout(timer),
  }
}
