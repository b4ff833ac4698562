// Whether the numbers of a campaign may be shown to others.
import path from 'node:path'
import { attemptsFolder, runFolder } from '@zee/evidence/layout'
import { validate } from '@zee/evidence/validate'
import type { ErrorCode } from '../../codes/codes.ts'
import { zclError } from '../../errors/errors.ts'
import type { LintFinding } from './lint.ts'
import type { CampaignOptions, KnownCampaign } from './open.ts'
import { campaignFile, readSteps, stepKey } from './state.ts'
import type { CampaignPlan, CampaignState, Step } from './state.ts'

/** Valid, or ended in another way that the specification or `--force` puts up with. */
export function isTaken(
  { publishRequiresValid }: CampaignPlan,
  { status }: CampaignState,
  { force }: CampaignOptions,
): boolean {
  if (status === 'valid' || force === true) return true
  return publishRequiresValid === false && status !== 'running'
}

export function unfit({ status, campaignId, code }: CampaignState): Error {
  const why = code === undefined ? '' : ` (${code})`
  return zclError(
    unfitCode(status),
    `${campaignId} is ${status}${why}; --force takes it all the same`,
  )
}

function unfitCode(status: CampaignState['status']): ErrorCode {
  return status === 'aborted' ? 'ZCL_E_CAMPAIGN_ABORTED' : 'ZCL_E_CAMPAIGN_GATE_FAILED'
}

/** Complete, each place once, every attempt sound. */
export async function publishFindings(
  campaign: KnownCampaign,
  options: CampaignOptions,
): Promise<LintFinding[]> {
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
  return findings
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
