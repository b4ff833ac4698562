// The stored files of a campaign, checked as they are read: its plan, its status, and one step per
// executed mission of a flow. Files of the original zcl have other fields beside the common ones: missions
// may be objects, a flow may lack its run, and a step may have a status instead of outcomes.
import { isObject } from '@zee/core/json'
import { zclError } from '../../../errors/errors.ts'

export { promptsFileName, readPrompts, type StoredPrompt } from './prompts.ts'

export interface CampaignPlan {
  schemaVersion: 1
  campaignId: string
  /** The hash of the specification and all prompts. */
  specHash: string
  createdAt: string
  missions: string[]
  flows: { flowId: string; runId: string }[]
  isCanary?: true
  /** Whether `report` and `publish-check` refuse an invalid campaign; true by default. */
  publishRequiresValid?: boolean
}

const statuses = ['running', 'valid', 'invalid', 'aborted'] as const
export type CampaignStatus = (typeof statuses)[number]

export interface CampaignState {
  schemaVersion: 1
  campaignId: string
  status: CampaignStatus
  startedAt: string
  updatedAt: string
  missionsTotal: number
  missionsDone: number
  code?: string | undefined
  message?: string | undefined
  /** The time of the latest heartbeat. */
  heartbeatAt?: string
  running?: { flowId: string; missionId: string; since: string }[]
}

/** One executed step: a mission in a flow. */
export interface Step {
  v: 1
  ts: string
  idempotencyKey: string
  campaignId: string
  flowId: string
  missionIndex: number
  missionId: string
  runId: string
  attemptId: string
  outcome: string
  /** The outcome that the agent reported. */
  claimedOk: boolean | null
  /** The outcome after all checks. */
  verifiedOk: boolean
  bucket: 'infra' | 'oracle' | 'mission' | null
  codes: string[]
  durationMs: number
}

type Stored = Record<string, unknown>

/** The plan in a file named `file`; throws if it cannot be one. */
export function planOf(value: Stored, file: string): CampaignPlan {
  requireVersion(value, file)
  // The plan of the original zcl names no flows; its state does.
  const { missions, flows = [] } = value
  if (!Array.isArray(missions)) throw malformed(file, 'missions is not a list')
  if (!Array.isArray(flows)) throw malformed(file, 'flows is not a list')
  return {
    schemaVersion: 1,
    campaignId: requiredText(value, 'campaignId', file),
    specHash: textOr(value.specHash, ''),
    createdAt: textOr(value.createdAt, ''),
    missions: missions.map((each, index) => nameOf(each, 'missionId', `missions.${index}`, file)),
    flows: flows.map((each, index) => ({
      flowId: nameOf(each, 'flowId', `flows.${index}`, file),
      runId: isObject(each) ? textOr(each.runId, '') : '',
    })),
    ...(value.isCanary === true ? { isCanary: true as const } : {}),
    ...(value.publishRequiresValid === false ? { publishRequiresValid: false } : {}),
  }
}

/** The flows that a state of the original zcl names, each once. */
export function flowsOfState({ flowRuns }: Stored): CampaignPlan['flows'] {
  const runs = Array.isArray(flowRuns) ? flowRuns.filter(isObject) : []
  const ids = new Set(runs.map(({ flowId }) => textOr(flowId, '')).filter((id) => id !== ''))
  // A flow may have a run per mission, which its steps name.
  return [...ids].map((flowId) => ({ flowId, runId: '' }))
}

/** The state in a file named `file`; throws if it cannot be one. */
export function stateOf(value: Stored, file: string): CampaignState {
  requireVersion(value, file)
  const status = statuses.find((each) => each === value.status)
  if (status === undefined) throw malformed(file, `status is not one of ${statuses.join(', ')}`)
  const running = Array.isArray(value.running) ? value.running.filter(isObject) : undefined
  const { code, message, heartbeatAt } = value
  return {
    schemaVersion: 1,
    campaignId: requiredText(value, 'campaignId', file),
    status,
    startedAt: textOr(value.startedAt, ''),
    updatedAt: textOr(value.updatedAt, ''),
    missionsTotal: countOr(value.missionsTotal ?? value.totalMissions, 0),
    missionsDone: countOr(value.missionsDone ?? value.missionsCompleted, 0),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof message === 'string' ? { message } : {}),
    ...(typeof heartbeatAt === 'string' ? { heartbeatAt } : {}),
    ...(running === undefined ? {} : { running: running.map(runningOf) }),
  }
}

function runningOf({ flowId, missionId, since }: Stored) {
  return { flowId: textOr(flowId, ''), missionId: textOr(missionId, ''), since: textOr(since, '') }
}

/** A line of the journal; undefined if it names no step. */
export function stepOf(value: Stored): Step | undefined {
  const { flowId, campaignId, missionIndex, claimedOk, bucket, status } = value
  const key = value.idempotencyKey
  if (typeof key !== 'string' || typeof flowId !== 'string') return undefined
  const verifiedOk = value.verifiedOk === true || status === 'valid'
  const buckets = ['infra', 'oracle', 'mission'] as const
  const lists = [value.codes, value.reasonCodes, value.errors]
  const listed: unknown[] = lists.find((each) => Array.isArray(each)) ?? []
  const isInfra = status === 'infra_failed'
  return {
    v: 1,
    ts: textOr(value.ts ?? value.createdAt, ''),
    idempotencyKey: key,
    campaignId: textOr(campaignId, ''),
    flowId,
    missionIndex: countOr(missionIndex, 0),
    missionId: textOr(value.missionId, ''),
    runId: runOf(value),
    attemptId: textOr(value.attemptId, ''),
    outcome: textOr(value.outcome, verifiedOk ? 'passed' : isInfra ? 'infra' : 'failed'),
    claimedOk: typeof claimedOk === 'boolean' ? claimedOk : null,
    verifiedOk,
    bucket: buckets.find((each) => each === bucket) ?? (isInfra ? 'infra' : null),
    codes: listed.filter((each) => typeof each === 'string'),
    durationMs: countOr(value.durationMs, 0),
  }
}

/** The run of the attempt: in a step of the original zcl, `runId` is that of the campaign. */
function runOf({ attemptDir, runId }: Stored): string {
  const run = /\/([^/]+)\/attempts\/[^/]+\/?$/.exec(textOr(attemptDir, ''))?.[1]
  return run ?? textOr(runId, '')
}

function requireVersion({ schemaVersion }: Stored, file: string): void {
  if (schemaVersion === undefined || schemaVersion === 1) return
  throw zclError('ZCL_E_SCHEMA_UNSUPPORTED', `${file}: schemaVersion is not 1`)
}

/** A name, or an object that holds it. */
function nameOf(value: unknown, key: string, place: string, file: string): string {
  const name = isObject(value) ? value[key] : value
  if (typeof name === 'string' && name !== '') return name
  throw malformed(file, `${place} has no ${key}`)
}

function requiredText(value: Stored, key: string, file: string): string {
  const text = value[key]
  if (typeof text === 'string') return text
  throw malformed(file, `${key} is missing`)
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise
}

function countOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : otherwise
}

function malformed(file: string, what: string): Error {
  return zclError('ZCL_E_CONTRACT', `${file}: ${what}`)
}
