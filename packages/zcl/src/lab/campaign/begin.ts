// Begins a campaign or goes on with one: under its lock, from its plan to its results.
import { promises } from 'node:fs'
import path from 'node:path'
import { rfc3339 } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import { newRunId } from '@zee/core/ids'
import { recordedNow } from '../../clock/clock.ts'
import type { ErrorCode } from '../../codes/codes.ts'
import { complain, printJson, printLines, Progress } from '../../output/output.ts'
import { zclError } from '../../errors/errors.ts'
import { catchInterrupts, interruptedExitCode } from '../interrupt.ts'
import type { LabCall } from '../open-lab.ts'
import { complainAbout, openCampaign } from './open.ts'
import type { CampaignOptions, OpenedCampaign } from './open.ts'
import { copiesOf, reportOf, writeReports } from './report.ts'
import { carryOutCampaign } from './run.ts'
import { campaignFile, campaignFolder, lockCampaign, readPlan, readState } from './state.ts'
import { readSteps, specHash, writeOwn } from './state.ts'
import type { CampaignPlan, CampaignState, Step } from './state.ts'

type Beginning = 'run' | 'canary' | 'resume'

export async function begin(
  options: CampaignOptions,
  call: LabCall,
  how: Beginning,
): Promise<number> {
  const { host } = call
  const opened =
    how === 'resume' ? await openBegun(options, host) : await openCampaign(options, host)
  if (opened.findings.length > 0) return complainAbout(opened.findings, host)
  const { loaded, missions, outRoot } = opened
  const isCanary = how === 'canary'
  const campaignId = isCanary ? `${loaded.campaignId}-canary` : loaded.campaignId
  const folder = campaignFolder(outRoot, campaignId)
  const lock = await lockCampaign(folder)
  const interrupt = catchInterrupts()
  const progress = new Progress(host)
  try {
    const plan = await planFor(opened, how, campaignId, folder, host)
    const startedAt = readState(folder)?.startedAt ?? rfc3339(recordedNow(host))
    const total = plan.missions.length * plan.flows.length
    let done = 0
    const onStep = ({ flowId, missionId, outcome }: Step): void => {
      const text = `${++done}/${total}  ${missionId} ${flowId} ${outcome}`
      progress.show(host.clock.monotonicMs(), text)
    }
    const { signal } = interrupt
    const about = { loaded, missions, plan, folder, outRoot, signal, startedAt, onStep }
    const state = await carryOutCampaign(about, call)
    progress.end()
    const made = reportOf(plan, state, await readSteps(folder), rfc3339(recordedNow(host)))
    // A canary's are not the results that the specification wants copies of.
    await writeReports(folder, made, isCanary ? {} : copiesOf(loaded))
    return tell(state, made.summary, folder, options, host, interrupt.received())
  } finally {
    progress.end()
    interrupt.detach()
    await lock.release()
  }
}

/** The plan that the campaign was begun with, or a new one; a canary may be repeated at will. */
async function planFor(
  opened: OpenedCampaign,
  how: Beginning,
  campaignId: string,
  folder: string,
  host: Host,
): Promise<CampaignPlan> {
  if (how === 'canary') return newPlan(opened, campaignId, folder, host)
  const known = readPlan(folder)
  refuseMisuse(known, how, campaignId)
  if (known === undefined) return newPlan(opened, campaignId, folder, host)
  if (known.specHash === specHash(opened.loaded, opened.missions)) return known
  const message = `${campaignId} was begun with another specification; choose another campaignId`
  throw zclError('ZCL_E_CAMPAIGN_STATE_DRIFT', message)
}

/** With as many missions as it was begun with, unless the caller says how many. */
async function openBegun(options: CampaignOptions, host: Host): Promise<OpenedCampaign> {
  const opened = await openCampaign(options, host)
  if (options.missions !== undefined) return opened
  const plan = readPlan(campaignFolder(opened.outRoot, opened.loaded.campaignId))
  if (plan === undefined || plan.missions.length >= opened.missions.missions.length) return opened
  return openCampaign({ ...options, missions: plan.missions.length }, host)
}

function refuseMisuse(plan: CampaignPlan | undefined, how: Beginning, campaignId: string): void {
  if (how === 'run' && plan !== undefined) {
    const message = `${campaignId} was begun already: zcl campaign resume, or another campaignId`
    throw zclError('ZCL_E_USAGE', message)
  }
  if (how === 'resume' && plan === undefined) {
    throw zclError('ZCL_E_USAGE', `${campaignId} was never begun: zcl campaign run`)
  }
}

async function newPlan(
  { loaded, missions }: OpenedCampaign,
  campaignId: string,
  folder: string,
  host: Host,
): Promise<CampaignPlan> {
  const now = recordedNow(host)
  const plan: CampaignPlan = {
    schemaVersion: 1,
    campaignId,
    specHash: specHash(loaded, missions),
    createdAt: rfc3339(now),
    missions: missions.missions.map(({ missionId }) => missionId),
    flows: loaded.spec.flows.map(({ flowId }) => ({ flowId, runId: newRunId(now) })),
    ...(campaignId === loaded.campaignId ? {} : { isCanary: true }),
    ...(loaded.spec.invalidRunPolicy?.publishRequiresValid === false
      ? { publishRequiresValid: false }
      : {}),
  }
  await promises.rm(path.join(folder, campaignFile.progress), { force: true })
  await promises.rm(path.join(folder, campaignFile.state), { force: true })
  await writeOwn(folder, campaignFile.plan, plan)
  return plan
}

function tell(
  state: CampaignState,
  summary: object,
  folder: string,
  options: CampaignOptions,
  host: Host,
  signal: NodeJS.Signals | undefined,
): number {
  const ok = state.status === 'valid'
  const { status, campaignId, code, message } = state
  if (options.json) {
    const results = path.relative(host.cwd, path.join(folder, campaignFile.results))
    printJson(host, { ok, campaignId, status, code, message, summary, resultsPath: results })
  } else {
    printLines(host, [`${campaignId}: ${status}`, path.join(folder, campaignFile.results)])
  }
  if (code !== undefined) complain(host, code as ErrorCode, message ?? status)
  if (signal !== undefined) return interruptedExitCode(signal)
  return ok ? 0 : 2
}
