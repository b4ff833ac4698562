// The stored state of a campaign: its plan, a journal with one line per executed step, and its status.
// A campaign that is killed at any instant resumes from these files and repeats no attempt.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { writeJsonAtomic } from '@zee/core/atomic-file'
import { canonicalJson } from '@zee/core/canonical-json'
import { ZeeError } from '@zee/core/errors'
import { ensureFolder } from '@zee/core/folders'
import { lockedAppend, readJournal } from '@zee/core/journal'
import { acquireLock, type Lock } from '@zee/core/lock'
import { artifactError, readJsonArtifact } from '@zee/evidence/artifact'
import { zclError } from '../../errors/errors.ts'
import type { Missions } from './missions.ts'
import type { LoadedSpec } from './spec.ts'
import { flowsOfState, planOf, stateOf, stepOf } from './stored/stored.ts'
import type { CampaignPlan, CampaignState, Step } from './stored/stored.ts'

export const campaignFile = {
  plan: 'campaign.plan.json',
  progress: 'campaign.progress.jsonl',
  state: 'campaign.run.state.json',
  report: 'campaign.report.json',
  summary: 'campaign.summary.json',
  results: 'RESULTS.md',
} as const

export type { CampaignPlan, CampaignState, Step } from './stored/stored.ts'

export function campaignFolder(outRoot: string, campaignId: string): string {
  return path.join(outRoot, 'campaigns', campaignId)
}

export function stepKey(campaignId: string, flowId: string, missionIndex: number): string {
  return `${campaignId}:${flowId}:${missionIndex}`
}

export function specHash({ spec }: LoadedSpec, { missions, flows }: Missions): string {
  const suites = flows.map(({ suite }) => suite)
  const ids = missions.map(({ missionId }) => missionId)
  const text = canonicalJson(JSON.parse(JSON.stringify({ spec, suites, ids })))
  return createHash('sha256').update(text).digest('hex')
}

export async function lockCampaign(folder: string): Promise<Lock> {
  ensureFolder(folder)
  try {
    return await acquireLock(path.join(folder, 'campaign.lock'), { waitMs: 1000 })
  } catch (error) {
    if (!(error instanceof ZeeError) || error.code !== 'lock_timeout') throw error
    throw zclError('ZCL_E_CAMPAIGN_LOCK_TIMEOUT', error.message, error)
  }
}

export function readPlan(folder: string): CampaignPlan | undefined {
  const plan = readCampaignFile(folder, campaignFile.plan, planOf)
  if (plan === undefined || plan.flows.length > 0) return plan
  return { ...plan, flows: readCampaignFile(folder, campaignFile.state, flowsOfState) ?? [] }
}

export function readState(folder: string): CampaignState | undefined {
  return readCampaignFile(folder, campaignFile.state, stateOf)
}

export async function writeCampaignFile(
  folder: string,
  name: string,
  value: object,
): Promise<void> {
  await writeJsonAtomic(path.join(folder, name), value)
}

export async function appendStep(folder: string, step: Step): Promise<void> {
  await lockedAppend(path.join(folder, campaignFile.progress), () => step)
}

/** All steps in the order of writing; a repeated step occurs more than once. */
export async function readSteps(folder: string): Promise<Step[]> {
  const file = path.join(folder, campaignFile.progress)
  if (!existsSync(file)) return []
  const steps: Step[] = []
  for await (const { record } of readJournal(file)) {
    const step = stepOf(record)
    if (step !== undefined) steps.push(step)
  }
  return steps
}

/** The latest step of each key. */
export function latestSteps(steps: readonly Step[]): Map<string, Step> {
  return new Map(steps.map((step) => [step.idempotencyKey, step]))
}

function readCampaignFile<T>(
  folder: string,
  name: string,
  parse: (value: Record<string, unknown>, file: string) => T,
): T | undefined {
  const file = path.join(folder, name)
  const read = readJsonArtifact({ path: folder, within: folder }, name)
  if (read.failure === undefined) return parse(read.value, file)
  if (read.failure === 'missing') return undefined
  throw artifactError(read, file)
}
