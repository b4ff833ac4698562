// `zcl campaign status`, `report` and `publish-check`: what is known of a campaign that was begun.
import { promises } from 'node:fs'
import path from 'node:path'
import { rfc3339 } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import type { ErrorCode } from '@zee/evidence/codes'
import { zclError } from '@zee/evidence/errors'
import { attemptsFolder, runFolder } from '@zee/evidence/layout'
import { validate } from '@zee/evidence/validate'
import { recordedNow } from '../../clocks.ts'
import { printJson, printLines } from '../../output.ts'
import type { LintFinding } from './campaign-lint.ts'
import { complainAbout, findCampaign } from './campaign-open.ts'
import type { CampaignOptions } from './campaign-open.ts'
import { reportOf, writeReports } from './campaign-report.ts'
import {
  campaignFile,
  latestSteps,
  readSteps,
  stepKey,
  type CampaignState,
} from './campaign-state.ts'

export async function runStatus(options: CampaignOptions, host: Host): Promise<number> {
  const { plan, state, folder } = await findCampaign(options, host)
  const done = latestSteps(await readSteps(folder)).size
  const planned = plan.missions.length * plan.flows.length
  const { schemaVersion: _own, ...rest } = state
  if (options.json) printJson(host, { ok: true, ...rest, attempts: { planned, done } })
  else printLines(host, [`${state.campaignId}: ${state.status}, ${done} of ${planned} attempts`])
  return 0
}

export async function runReport(options: CampaignOptions, host: Host): Promise<number> {
  const { plan, state, folder } = await findCampaign(options, host)
  refuseUnfit(state, options)
  const made = reportOf(plan, state, await readSteps(folder), rfc3339(recordedNow(host)))
  await writeReports(folder, made)
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

function refuseUnfit(
  { status, campaignId, code }: CampaignState,
  { force }: CampaignOptions,
): void {
  if (status === 'valid' || force === true) return
  const why = code === undefined ? '' : ` (${code})`
  const known = status === 'aborted' ? 'ZCL_E_CAMPAIGN_ABORTED' : 'ZCL_E_CAMPAIGN_GATE_FAILED'
  throw zclError(known, `${campaignId} is ${status}${why}; --force takes it all the same`)
}

/** Whether the numbers may be shown to others: complete, each place once, every attempt sound. */
export async function runPublishCheck(options: CampaignOptions, host: Host): Promise<number> {
  const { plan, state, folder, outRoot } = await findCampaign(options, host)
  const steps = await readSteps(folder)
  const findings: LintFinding[] = []
  const add = (code: ErrorCode, message: string, place: string) =>
    findings.push({ code, message, path: place })
  if (state.status !== 'valid' && options.force !== true) {
    const code =
      state.status === 'aborted' ? 'ZCL_E_CAMPAIGN_ABORTED' : 'ZCL_E_CAMPAIGN_GATE_FAILED'
    add(code, `the campaign is ${state.status}`, campaignFile.state)
  }
  const latest = latestSteps(steps)
  for (const { flowId, runId } of plan.flows) {
    for (const [index, missionId] of plan.missions.entries()) {
      const key = stepKey(plan.campaignId, flowId, index)
      const step = latest.get(key)
      if (step === undefined) {
        add(
          'ZCL_E_CAMPAIGN_MISSING_ATTEMPT',
          `${key} (${missionId}) has no result`,
          campaignFile.progress,
        )
        continue
      }
      const answers = steps.filter(
        (each) =>
          each.idempotencyKey === key && each.outcome !== 'infra' && each.outcome !== 'abandoned',
      )
      if (answers.length > 1) {
        add(
          'ZCL_E_CAMPAIGN_DUPLICATE_ATTEMPT',
          `${key} has ${answers.length} results`,
          campaignFile.progress,
        )
      }
      const place = path.join(attemptsFolder(runFolder(outRoot, runId)), step.attemptId)
      const [error] = validate(step.attemptId, place, { strict: false }).errors
      if (error !== undefined) {
        const message = `${key}: ${error.code}: ${error.message}`
        add('ZCL_E_CAMPAIGN_ATTEMPT_NOT_VALID', message, path.relative(outRoot, place))
      }
    }
  }
  const ok = findings.length === 0
  if (options.json)
    printJson(host, { ok, campaignId: plan.campaignId, status: state.status, findings })
  else
    printLines(host, [
      `${plan.campaignId}: ${ok ? 'fit to be published' : 'not fit to be published'}`,
    ])
  return complainAbout(findings, host)
}
