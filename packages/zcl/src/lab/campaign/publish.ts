// Decides whether the results of a campaign may be published.
import path from 'node:path'
import { attemptsFolder, runFolder } from '@zee/evidence/layout'
import { validate } from '@zee/evidence/validate'
import type { ErrorCode } from '../../codes/codes.ts'
import { zclError } from '../../errors/errors.ts'
import type { LintFinding } from './lint.ts'
import type { CampaignOptions, StoredCampaign } from './open.ts'
import { campaignFile, readSteps, stepKey } from './state.ts'
import type { CampaignPlan, CampaignState, Step } from './state.ts'

/** True when valid, or when `--force` or the specification accepts the status. */
export function isPublishable(
  { publishRequiresValid }: CampaignPlan,
  { status }: CampaignState,
  { force }: CampaignOptions,
): boolean {
  if (status === 'valid' || force === true) return true
  return publishRequiresValid === false && status !== 'running'
}

export function notPublishable({ status, campaignId, code }: CampaignState): Error {
  const why = code === undefined ? '' : ` (${code})`
  return zclError(
    notPublishableCode(status),
    `${campaignId} is ${status}${why}; pass --force to use it anyway`,
  )
}

function notPublishableCode(status: CampaignState['status']): ErrorCode {
  return status === 'aborted' ? 'ZCL_E_CAMPAIGN_ABORTED' : 'ZCL_E_CAMPAIGN_GATE_FAILED'
}

/** Lists missing, duplicate and invalid attempts. */
export async function publishFindings(
  campaign: StoredCampaign,
  options: CampaignOptions,
): Promise<LintFinding[]> {
  const { plan, state, folder } = campaign
  const steps = await readSteps(folder)
  const findings: LintFinding[] = []
  if (!isPublishable(plan, state, options)) {
    const message = `the campaign is ${state.status}`
    findings.push({ code: notPublishableCode(state.status), message, path: campaignFile.state })
  }
  for (const { flowId, runId } of plan.flows) {
    for (const [index, missionId] of plan.missions.entries()) {
      const key = stepKey(plan.campaignId, flowId, index)
      findings.push(...stepFindings({ key, missionId, runId }, steps, campaign))
    }
  }
  return findings
}

interface PlannedStep {
  key: string
  missionId: string
  runId: string
}

function stepFindings(
  { key, missionId, runId }: PlannedStep,
  steps: readonly Step[],
  { outRoot }: StoredCampaign,
): LintFinding[] {
  const tries = steps.filter(({ idempotencyKey }) => idempotencyKey === key)
  const latest = tries.at(-1)
  const { progress: progressFile } = campaignFile
  if (latest === undefined) {
    const message = `${key} (${missionId}) has no result`
    return [{ code: 'ZCL_E_CAMPAIGN_MISSING_ATTEMPT', message, path: progressFile }]
  }
  const findings: LintFinding[] = []
  const answers = tries.filter(({ outcome }) => outcome !== 'infra' && outcome !== 'abandoned')
  if (answers.length > 1) {
    const message = `${key} has ${answers.length} results`
    findings.push({ code: 'ZCL_E_CAMPAIGN_DUPLICATE_ATTEMPT', message, path: progressFile })
  }
  // The plan of the original zcl does not name the runs of its flows; its steps do.
  const runDir = runFolder(outRoot, runId === '' ? latest.runId : runId)
  const folder = path.join(attemptsFolder(runDir), latest.attemptId)
  const [error] = validate(latest.attemptId, folder, { strict: false }).errors
  if (error !== undefined) {
    const message = `${key}: ${error.code}: ${error.message}`
    const where = path.relative(outRoot, folder)
    findings.push({ code: 'ZCL_E_CAMPAIGN_ATTEMPT_NOT_VALID', message, path: where })
  }
  return findings
}
