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
import type { CampaignOptions, KnownCampaign } from './campaign-open.ts'
import { copiesOf, reportOf, writeReports } from './campaign-report.ts'
import { campaignFile, latestSteps, readSteps, stepKey } from './campaign-state.ts'
import type { CampaignPlan, CampaignState, Step } from './campaign-state.ts'

export async function runStatus(options: CampaignOptions, host: Host): Promise<number> {
  const { plan, state, folder } = await findCampaign(options, host)
  const latest = latestSteps(await readSteps(folder))
  const places = plan.flows.flatMap(({ flowId }) =>
    plan.missions.map((_, index) => stepKey(plan.campaignId, flowId, index)),
  )
  const planned = places.length
  const done = places.filter((place) => latest.has(place)).length
  const { schemaVersion: _own, ...rest } = state
  if (options.json) printJson(host, { ok: true, ...rest, attempts: { planned, done } })
  else {
    const now = (state.running ?? []).map((each) => `  ${each.missionId} ${each.flowId}`)
    const beat = state.heartbeatAt === undefined ? '' : `, last heard of at ${state.heartbeatAt}`
    const head = `${state.campaignId}: ${state.status}, ${done} of ${planned} attempts${beat}`
    printLines(host, [head, ...now])
  }
  return 0
}

export async function runReport(options: CampaignOptions, host: Host): Promise<number> {
  const { plan, state, folder, loaded } = await findCampaign(options, host)
  if (!isTaken(plan, state, options)) throw unfit(state)
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

/** Valid, or ended in another way that the specification or `--force` puts up with. */
function isTaken(
  { publishRequiresValid }: CampaignPlan,
  { status }: CampaignState,
  { force }: CampaignOptions,
): boolean {
  if (status === 'valid' || force === true) return true
  return publishRequiresValid === false && status !== 'running'
}

function unfit({ status, campaignId, code }: CampaignState): Error {
  const why = code === undefined ? '' : ` (${code})`
  return zclError(
    unfitCode(status),
    `${campaignId} is ${status}${why}; --force takes it all the same`,
  )
}

function unfitCode(status: CampaignState['status']): ErrorCode {
  return status === 'aborted' ? 'ZCL_E_CAMPAIGN_ABORTED' : 'ZCL_E_CAMPAIGN_GATE_FAILED'
}

/** Whether the numbers may be shown to others: complete, each place once, every attempt sound. */
export async function runPublishCheck(options: CampaignOptions, host: Host): Promise<number> {
  const campaign = await findCampaign(options, host)
  const { plan, state, folder } = campaign
  const steps = await readSteps(folder)
  const findings: LintFinding[] = []
  if (!isTaken(plan, state, options)) {
    const message = `the campaign is ${state.status}`
    findings.push({ code: unfitCode(state.status), message, path: campaignFile.state })
  }
  for (const { flowId, runId } of plan.flows) {
    for (const [index, missionId] of plan.missions.entries()) {
      const key = stepKey(plan.campaignId, flowId, index)
      findings.push(...placeFindings({ key, missionId, runId }, steps, campaign))
    }
  }
  const ok = findings.length === 0
  if (options.json) {
    printJson(host, { ok, campaignId: plan.campaignId, status: state.status, findings })
  } else printLines(host, [`${plan.campaignId}: ${ok ? '' : 'not '}fit to be published`])
  return complainAbout(findings, host)
}

interface PlannedPlace {
  key: string
  missionId: string
  runId: string
}

/** What is wrong with one place of the plan. */
function placeFindings(
  { key, missionId, runId }: PlannedPlace,
  steps: readonly Step[],
  { outRoot }: KnownCampaign,
): LintFinding[] {
  const own = steps.filter(({ idempotencyKey }) => idempotencyKey === key)
  const latest = own.at(-1)
  const { progress: progressFile } = campaignFile
  if (latest === undefined) {
    const message = `${key} (${missionId}) has no result`
    return [{ code: 'ZCL_E_CAMPAIGN_MISSING_ATTEMPT', message, path: progressFile }]
  }
  const findings: LintFinding[] = []
  const answers = own.filter(({ outcome }) => outcome !== 'infra' && outcome !== 'abandoned')
  if (answers.length > 1) {
    const message = `${key} has ${answers.length} results`
    findings.push({ code: 'ZCL_E_CAMPAIGN_DUPLICATE_ATTEMPT', message, path: progressFile })
  }
  const place = path.join(attemptsFolder(runFolder(outRoot, runId)), latest.attemptId)
  const [error] = validate(latest.attemptId, place, { strict: false }).errors
  if (error !== undefined) {
    const message = `${key}: ${error.code}: ${error.message}`
    const where = path.relative(outRoot, place)
    findings.push({ code: 'ZCL_E_CAMPAIGN_ATTEMPT_NOT_VALID', message, path: where })
  }
  return findings
}
