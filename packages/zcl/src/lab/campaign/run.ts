// Executes a campaign: mission by mission, one attempt per flow, with a gate after each mission.
import { maxTimerMs, rfc3339 } from '@zee/core/clock'
import { runProcess } from '@zee/core/process'
import { isAnswer } from '@zee/evidence/outcome'
import type { SemanticRules } from '@zee/evidence/expect'
import { recordedNow } from '../../clock/clock.ts'
import type { ErrorCode } from '../../codes/codes.ts'
import { zclError } from '../../errors/errors.ts'
import type { TryResult } from '../attempt/attempt.ts'
import { runSlot } from '../slot/slot.ts'
import { sweepWorkspaces } from '../workspace/workspace.ts'
import { sweepWitnesses } from '../witness/witness.ts'
import type { LabCall } from '../open-lab.ts'
import { readRulesFile } from '../../input/input.ts'
import { checkAttempt } from './checks.ts'
import { openFlows, type FlowLab } from './flows.ts'
import type { CampaignMission, Missions } from './missions.ts'
import { StateWriter } from './state-writer.ts'
import type { FlowSpec } from './campaign.ts'
import type { LoadedSpec } from './spec.ts'
import { withEmptyFolder } from './flow/flow.ts'
import { appendStep, latestSteps, readSteps, stepKey } from './state.ts'
import type { CampaignPlan, CampaignState, Step } from './state.ts'

export interface CampaignWork {
  loaded: LoadedSpec
  missions: Missions
  plan: CampaignPlan
  /** The campaign folder. */
  folder: string
  /** Absolute. */
  outRoot: string
  signal: AbortSignal
  startedAt: string
  onStart: (flowId: string, missionId: string) => void
  onStep: (step: Step) => void
}

const defaultHookTimeoutMs = 30_000

/** Returns the final state, which is also written to the campaign folder. */
export async function executeCampaign(work: CampaignWork, call: LabCall): Promise<CampaignState> {
  const { loaded, plan, folder, startedAt, missions } = work
  const { timeouts } = loaded.spec
  const writer = new StateWriter({
    folder,
    campaignId: plan.campaignId,
    startedAt,
    missionsTotal: missions.missions.length,
    heartbeatMs: timeouts?.watchdogHeartbeatMs,
    clock: call.host.clock,
    now: () => recordedNow(call.host),
  })
  const global = startDeadline(timeouts?.campaignGlobalTimeoutMs)
  const signal = AbortSignal.any([work.signal, global.signal])
  try {
    const problem = await new CampaignRun(work, call, writer, signal).runAll()
    writer.stop()
    if (global.isExpired()) {
      return await writer.save(
        'aborted',
        'ZCL_E_CAMPAIGN_GLOBAL_TIMEOUT',
        'campaignGlobalTimeoutMs is used up',
      )
    }
    if (work.signal.aborted) {
      return await writer.save('aborted', 'ZCL_E_CAMPAIGN_ABORTED', 'the campaign was interrupted')
    }
    if (problem === undefined) return await writer.save('valid')
    return await writer.save(problem.isAbort ? 'aborted' : 'invalid', problem.code, problem.message)
  } finally {
    writer.stop()
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
  readonly #writer: StateWriter
  readonly #signal: AbortSignal
  /** Flows whose attempt at the current mission exceeded missionEnvelopeMs. */
  readonly #killed = new Set<string>()

  constructor(work: CampaignWork, call: LabCall, writer: StateWriter, signal: AbortSignal) {
    this.#work = work
    this.#call = call
    this.#writer = writer
    this.#signal = signal
  }

  /** Runs all missions and returns the first problem. */
  async runAll(): Promise<Problem | undefined> {
    await sweepWorkspaces(this.#work.outRoot)
    sweepWitnesses()
    const labs = await openFlows(this.#work, this.#call)
    try {
      return await this.#runMissions(labs)
    } finally {
      for (const { lab } of labs) await lab.workspaces.close()
    }
  }

  async #runMissions(labs: readonly FlowLab[]): Promise<Problem | undefined> {
    const { loaded, missions, folder } = this.#work
    const { spec } = loaded
    await this.#writer.save('running')
    const rulesPath = spec.semantic?.rulesPath
    const rules =
      rulesPath === undefined ? undefined : await readRulesFile(rulesPath, loaded.folder)
    const storedSteps = latestSteps(await readSteps(folder))
    let first: Problem | undefined
    for (const [index, mission] of missions.missions.entries()) {
      if (this.#signal.aborted) return first
      const problem = await this.#missionWithHooks(labs, index, mission, storedSteps, rules)
      first ??= problem
      this.#writer.missionsDone = index + 1
      await this.#writer.save('running')
      const stops = spec.failFast === true || problem?.isAbort === true
      if (problem !== undefined && stops) return { ...problem, isAbort: true }
    }
    return first
  }

  async #missionWithHooks(
    labs: readonly FlowLab[],
    index: number,
    mission: CampaignMission,
    storedSteps: ReadonlyMap<string, Step>,
    rules: SemanticRules | undefined,
  ): Promise<Problem | undefined> {
    this.#killed.clear()
    const before = await this.#hook('beforeMission', mission)
    const steps =
      before === undefined ? await this.#mission(labs, index, mission, storedSteps, rules) : []
    const problem = before ?? this.#gate(steps, index, mission)
    if (problem !== undefined) await this.#hook('onFailure', mission)
    const after = await this.#hook('afterMission', mission)
    return problem ?? after
  }

  async #mission(
    labs: readonly FlowLab[],
    index: number,
    mission: CampaignMission,
    storedSteps: ReadonlyMap<string, Step>,
    rules: SemanticRules | undefined,
  ): Promise<Step[]> {
    const { spec } = this.#work.loaded
    const one = (each: FlowLab) => this.#step(each, index, mission, storedSteps, rules)
    if (spec.execution?.flowMode === 'parallel') return Promise.all(labs.map(one))
    const steps: Step[] = []
    for (const each of labs) {
      if (this.#signal.aborted) break
      steps.push(await one(each))
    }
    return steps
  }

  /** Returns the stored step when it has an answer; otherwise runs an attempt. */
  async #step(
    { flow, lab }: FlowLab,
    missionIndex: number,
    mission: CampaignMission,
    storedSteps: ReadonlyMap<string, Step>,
    rules: SemanticRules | undefined,
  ): Promise<Step> {
    const { loaded, plan, folder } = this.#work
    const { campaignId } = plan
    const idempotencyKey = stepKey(campaignId, flow.flowId, missionIndex)
    const stored = storedSteps.get(idempotencyKey)
    if (stored !== undefined && isAnswer(stored.outcome)) return stored
    const { missionId } = mission
    const slot = { slot: missionIndex + 1, missionId }
    const result = await this.#watched(flow, missionId, (signal) =>
      withEmptyFolder(flow, loaded.folder, lab, (place) =>
        runSlot(lab, slot, signal, { ...place, isHeld: async () => true }),
      ),
    )
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
      codes: checked.isValid ? checked.codes : [...new Set([...checked.codes, invalidStepCode])],
      durationMs: result.durationMs,
    }
    // An interrupted attempt is not recorded, so that `campaign resume` runs it again.
    if (!this.#signal.aborted || isAnswer(result.outcome)) await appendStep(folder, step)
    this.#work.onStep(step)
    return step
  }

  /** Writes heartbeats while the attempt runs, and stops it after missionEnvelopeMs. */
  async #watched(
    { flowId }: FlowSpec,
    missionId: string,
    run: (signal: AbortSignal) => Promise<TryResult>,
  ): Promise<TryResult> {
    const { missionEnvelopeMs } = this.#work.loaded.spec.timeouts ?? {}
    const message = `the attempt exceeded missionEnvelopeMs (${missionEnvelopeMs} ms)`
    const envelope = startDeadline(missionEnvelopeMs, zclError('ZCL_E_TIMEOUT', message))
    const markEnded = this.#writer.attemptStarted(flowId, missionId)
    this.#work.onStart(flowId, missionId)
    try {
      return await run(AbortSignal.any([this.#signal, envelope.signal]))
    } finally {
      if (envelope.isExpired()) this.#killed.add(flowId)
      envelope.end()
      markEnded()
    }
  }

  #gate(steps: readonly Step[], index: number, mission: CampaignMission): Problem | undefined {
    const { pairGate, flows, timeouts } = this.#work.loaded.spec
    const lacking = steps.length < flows.length || steps.some((step) => !isValidStep(step))
    if (!lacking || this.#signal.aborted) return undefined
    const bad = steps.filter((step) => !isValidStep(step)).map(({ flowId }) => flowId)
    const message = `${mission.missionId}: ${bad.join(', ')} gave no comparable result`
    if (this.#killed.size > 0 && timeouts?.watchdogHardKillContinue === false) {
      const killed = [...this.#killed].sort().join(', ')
      const why = `${mission.missionId}: ${killed} exceeded missionEnvelopeMs`
      return { code: 'ZCL_E_TIMEOUT', message: why, isAbort: true }
    }
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
    const [command, ...args] = hookCommand(spec.cleanup?.[name] ?? [])
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
}

/** A program and its arguments; the original zcl has lines for a shell instead. */
function hookCommand(words: readonly string[]): readonly string[] {
  const areLines = words.length > 0 && words.every((word) => /\s/.test(word.trim()))
  return areLines ? ['sh', '-c', words.join('\n')] : words
}

const invalidStepCode = 'ZCL_E_CAMPAIGN_ATTEMPT_NOT_VALID'

export function isValidStep({ outcome, codes }: Step): boolean {
  return isAnswer(outcome) && !codes.includes(invalidStepCode)
}

function startDeadline(ms: number | undefined, reason?: Error) {
  const abort = new AbortController()
  const timer =
    ms === undefined || ms > maxTimerMs ? undefined : setTimeout(() => abort.abort(reason), ms)
  return {
    signal: abort.signal,
    isExpired: () => abort.signal.aborted,
    end: () => clearTimeout(timer),
  }
}
