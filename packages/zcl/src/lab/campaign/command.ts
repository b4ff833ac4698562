// The handlers of `zcl campaign`.
import { promises } from 'node:fs'
import path from 'node:path'
import { rfc3339 } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import { recordedNow } from '../../clock/clock.ts'
import { aligned, complain, printJson, printLines } from '../../output/output.ts'
import type { LabCall } from '../open-lab.ts'
import { checkMachine } from './doctor.ts'
import {
  reportFindings,
  findCampaign,
  openCampaign,
  requiredSpec,
  type CampaignOptions,
} from './open.ts'
import { isPublishable, publishFindings, notPublishable } from './publish.ts'
import { copiesOf, reportOf, writeReports } from './report.ts'
import { loadSpec } from './spec.ts'
import { campaignFile, latestSteps, readSteps, stepKey } from './state.ts'

/** Loaded on demand: most of these commands run no attempts. */
const loadStart = async () => (await import('./start.ts')).startCampaign

export async function runLint(options: CampaignOptions, host: Host): Promise<number> {
  const { loaded, missions, findings } = await openCampaign(options, host)
  const ok = findings.length === 0
  const ids = missions.missions.map(({ missionId }) => missionId)
  const flows = loaded.spec.flows.map(({ flowId }) => flowId)
  if (options.json) {
    printJson(host, { ok, campaignId: loaded.campaignId, missions: ids, flows, findings })
  } else printLines(host, [`${loaded.campaignId}: ${ids.length} missions, ${flows.length} flows`])
  return reportFindings(findings, host, options)
}

/** Checks whether this machine can run the campaign. */
export async function runCampaignDoctor(options: CampaignOptions, host: Host): Promise<number> {
  const opened = await openCampaign(options, host)
  const { loaded, outRoot } = opened
  const checks = checkMachine(opened, host)
  const ok = checks.every((check) => check.ok)
  if (options.json) printJson(host, { ok, campaignId: loaded.campaignId, outRoot, checks })
  else
    printLines(
      host,
      aligned(checks.map(({ id, ok: fine, message }) => [fine ? 'ok' : 'bad', id, message ?? ''])),
    )
  const bad = checks.find((check) => !check.ok)
  if (bad !== undefined) {
    complain(host, 'ZCL_E_CAMPAIGN_FLOW_FAILED', `${bad.id}: ${bad.message ?? 'not ok'}`)
  }
  return ok ? 0 : 1
}

/** Runs the first missions as a separate campaign, before the full one costs anything. */
export async function runCanary(options: CampaignOptions, call: LabCall): Promise<number> {
  const loaded = await loadSpec(requiredSpec(options), call.host.cwd)
  const limit = options.missions ?? loaded.spec.canaryMissions ?? 1
  return (await loadStart())({ ...options, missions: limit }, call, 'canary')
}

export async function runCampaign(options: CampaignOptions, call: LabCall): Promise<number> {
  return (await loadStart())(options, call, 'run')
}

export async function runResume(options: CampaignOptions, call: LabCall): Promise<number> {
  return (await loadStart())(options, call, 'resume')
}

export async function runStatus(options: CampaignOptions, host: Host): Promise<number> {
  const { plan, state, folder } = await findCampaign(options, host)
  const latest = latestSteps(await readSteps(folder))
  const keys = plan.flows.flatMap(({ flowId }) =>
    plan.missions.map((_, index) => stepKey(plan.campaignId, flowId, index)),
  )
  const planned = keys.length
  const done = keys.filter((key) => latest.has(key)).length
  const { schemaVersion: _own, ...rest } = state
  if (options.json) printJson(host, { ok: true, ...rest, attempts: { planned, done } })
  else {
    const now = (state.running ?? []).map((each) => `  ${each.missionId} ${each.flowId}`)
    const beat = state.heartbeatAt === undefined ? '' : `, last heartbeat ${state.heartbeatAt}`
    const head = `${state.campaignId}: ${state.status}, ${done} of ${planned} attempts${beat}`
    printLines(host, [head, ...now])
  }
  return 0
}

export async function runReport(options: CampaignOptions, host: Host): Promise<number> {
  const { plan, state, folder, loaded } = await findCampaign(options, host)
  if (!isPublishable(plan, state, options)) throw notPublishable(state)
  const made = reportOf(plan, state, await readSteps(folder), rfc3339(recordedNow(host)))
  const wantsCopies = loaded !== undefined && plan.isCanary !== true
  await writeReports(folder, made, wantsCopies ? copiesOf(loaded) : {})
  if (options.json) printJson(host, { ok: state.status === 'valid', ...made })
  else
    printLines(
      host,
      (await promises.readFile(path.join(folder, campaignFile.results), 'utf8'))
        .trimEnd()
        .split('\n'),
    )
  return 0
}

/** Checks that every planned step has exactly one result and a valid attempt. */
export async function runPublishCheck(options: CampaignOptions, host: Host): Promise<number> {
  const campaign = await findCampaign(options, host)
  const { plan, state } = campaign
  const findings = await publishFindings(campaign, options)
  const ok = findings.length === 0
  if (options.json) {
    printJson(host, { ok, campaignId: plan.campaignId, status: state.status, findings })
  } else printLines(host, [`${plan.campaignId}: ${ok ? '' : 'not '}fit to be published`])
  return reportFindings(findings, host, options)
}
