// Starts or resumes a campaign: takes its lock, writes or checks its plan, executes it, writes the results.
import { promises } from 'node:fs'
import path from 'node:path'
import { rfc3339 } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import { newRunId } from '@zee/core/ids'
import { recordedNow } from '../../clock/clock.ts'
import type { ErrorCode } from '../../codes/codes.ts'
import { complain, printJson, printLines } from '../../output/output.ts'
import { zclError } from '../../errors/errors.ts'
import { catchInterrupts, interruptedExitCode } from '../interrupt.ts'
import type { LabCall } from '../open-lab.ts'
import { requirePrerequisites } from '../prerequisites/prerequisites.ts'
import { reportFindings, openCampaign } from './open.ts'
import type { CampaignOptions, OpenedCampaign } from './open.ts'
import { CampaignProgress, describeCampaign } from './progress/progress.ts'
import { suiteFolder } from './flows.ts'
import { copiesOf, reportOf, writeReports } from './report.ts'
import { executeCampaign } from './run.ts'
import { campaignFile, campaignFolder, lockCampaign, readPlan, readState } from './state.ts'
import { readSteps, specHash, writeCampaignFile } from './state.ts'
import type { CampaignPlan, CampaignState } from './state.ts'

type StartMode = 'run' | 'canary' | 'resume'

export async function startCampaign(
  options: CampaignOptions,
  call: LabCall,
  mode: StartMode,
): Promise<number> {
  const { host } = call
  const opened =
    mode === 'resume' ? await openForResume(options, host) : await openCampaign(options, host)
  if (opened.findings.length > 0) return reportFindings(opened.findings, host, options)
  const { loaded, missions, outRoot } = opened
  await requireUsableFlows(opened, host)
  const isCanary = mode === 'canary'
  const campaignId = isCanary ? `${loaded.campaignId}-canary` : loaded.campaignId
  const folder = campaignFolder(outRoot, campaignId)
  const lock = await lockCampaign(folder)
  const interrupt = catchInterrupts()
  const progress = new CampaignProgress(host, { isSilent: options.json })
  try {
    const plan = await planFor(opened, mode, campaignId, folder, host)
    const startedAt = readState(folder)?.startedAt ?? rfc3339(recordedNow(host))
    const { signal } = interrupt
    const observers = progress.observe(plan)
    const work = { loaded, missions, plan, folder, outRoot, signal, startedAt, ...observers }
    const state = await executeCampaign(work, call)
    progress.end()
    const made = reportOf(plan, state, await readSteps(folder), rfc3339(recordedNow(host)))
    // `output` in the specification applies to the full campaign only.
    await writeReports(folder, made, isCanary ? {} : copiesOf(loaded))
    return printResult({ plan, state, folder, ...made }, options, host, interrupt.received())
  } finally {
    progress.end()
    interrupt.detach()
    await lock.release()
  }
}

/** Throws if an attempt of a flow could not be set up or graded. */
async function requireUsableFlows({ loaded, missions }: OpenedCampaign, host: Host): Promise<void> {
  for (const { flow, suite } of missions.flows) {
    await requirePrerequisites({
      suite,
      file: flow.suiteFile ?? loaded.file,
      baseFolder: suiteFolder(flow, loaded),
      env: { ...host.env, ...flow.runner.env },
      needsKeys: true,
    })
  }
}

/** The stored plan, or a new one; a canary always gets a new plan. */
async function planFor(
  opened: OpenedCampaign,
  mode: StartMode,
  campaignId: string,
  folder: string,
  host: Host,
): Promise<CampaignPlan> {
  if (mode === 'canary') return newPlan(opened, campaignId, folder, host)
  const stored = readPlan(folder)
  refuseMisuse(stored, mode, campaignId)
  if (stored === undefined) return newPlan(opened, campaignId, folder, host)
  if (stored.specHash === specHash(opened.loaded, opened.missions)) return stored
  const message = `${campaignId} was started with another specification; choose another campaignId`
  throw zclError('ZCL_E_CAMPAIGN_STATE_DRIFT', message)
}

/** Opens it with the number of missions in its plan, unless `--missions` is given. */
async function openForResume(options: CampaignOptions, host: Host): Promise<OpenedCampaign> {
  const opened = await openCampaign(options, host)
  if (options.missions !== undefined) return opened
  const plan = readPlan(campaignFolder(opened.outRoot, opened.loaded.campaignId))
  if (plan === undefined || plan.missions.length >= opened.missions.missions.length) return opened
  return openCampaign({ ...options, missions: plan.missions.length }, host)
}

function refuseMisuse(plan: CampaignPlan | undefined, mode: StartMode, campaignId: string): void {
  if (mode === 'run' && plan !== undefined) {
    const message = `${campaignId} was already started; use zcl campaign resume or another campaignId`
    throw zclError('ZCL_E_USAGE', message)
  }
  if (mode === 'resume' && plan === undefined) {
    throw zclError('ZCL_E_USAGE', `${campaignId} was never started; use zcl campaign run`)
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
  await writeCampaignFile(folder, campaignFile.plan, plan)
  return plan
}

interface FinishedCampaign extends ReturnType<typeof reportOf> {
  plan: CampaignPlan
  state: CampaignState
  folder: string
}

function printResult(
  { plan, state, report, summary, folder }: FinishedCampaign,
  options: CampaignOptions,
  host: Host,
  signal: NodeJS.Signals | undefined,
): number {
  const ok = state.status === 'valid'
  const { status, campaignId, code, message } = state
  const results = path.relative(host.cwd, path.join(folder, campaignFile.results))
  if (options.json) {
    printJson(host, { ok, campaignId, status, code, message, summary, resultsPath: results })
  } else printLines(host, [...describeCampaign(plan, report, host), `Results: ${results}`])
  if (code !== undefined) complain(host, code as ErrorCode, message ?? status)
  if (signal !== undefined) return interruptedExitCode(signal)
  return ok ? 0 : 2
}
