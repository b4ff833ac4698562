// Harbor: the folder of a job with a folder per trial, or of one trial. `result.json` grades a trial,
// `agent/trajectory.json` (ATIF) tells what the agent did.
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { evidenceError } from '../errors/errors.ts'
import { asObject, asText } from '../json/json.ts'
import { countUnmapped, failedOutcome, newAttempt } from './imported.ts'
import type { ImportedAttempt, ImportedRun } from './imported.ts'
import type { ImportSource } from './source.ts'
import { trajectoryAttempt } from './atif.ts'

const resultFile = 'result.json'
const maxDepth = 3

export async function readHarbor(source: ImportSource): Promise<ImportedRun> {
  const trials = trialFolders(source.path, 0)
  if (trials.length === 0) {
    throw evidenceError('ZCL_E_USAGE', `${source.path} holds no trial of Harbor (result.json)`)
  }
  const tries = new Map<string, number>()
  const attempts = trials.map((folder) => {
    const attempt = trialAttempt(source, folder)
    attempt.retry = (tries.get(attempt.mission) ?? 0) + 1
    tries.set(attempt.mission, attempt.retry)
    return attempt
  })
  const suite = path.basename(source.path)
  return { suite, createdAt: attempts[0]?.startedAt, attempts, unmapped: {} }
}

/** Folders with a result that names a trial; a job has a result of its own. */
function trialFolders(folder: string, depth: number): string[] {
  const own = existsSync(path.join(folder, resultFile)) && isTrial(folder) ? [folder] : []
  if (own.length > 0 || depth >= maxDepth) return own
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .flatMap((name) => trialFolders(path.join(folder, name), depth + 1))
}

function isTrial(folder: string): boolean {
  return ['agent', 'verifier', 'config.json'].some((name) => existsSync(path.join(folder, name)))
}

function trialAttempt(source: ImportSource, folder: string): ImportedAttempt {
  const result = asObject(source.json(path.join(folder, resultFile)))
  const trajectory = path.join(folder, 'agent/trajectory.json')
  const attempt = existsSync(trajectory)
    ? trajectoryAttempt(asObject(source.json(trajectory)))
    : newAttempt('trial')
  const info = asObject(result.agent_info)
  attempt.mission = asText(result.task_name) || path.basename(folder)
  attempt.sourceId = asText(result.trial_name) || path.basename(folder)
  attempt.agent = asText(info.name) || attempt.agent
  attempt.startedAt = asText(result.started_at) || attempt.startedAt
  attempt.endedAt = asText(result.finished_at) || attempt.endedAt
  attempt.outcome = outcomeOf(result, folder, source)
  attempt.numbers = { ...attempt.numbers, ...numbersOf(result) }
  if (!existsSync(trajectory)) countUnmapped(attempt, 'trial without a trajectory')
  for (const _ of Array.isArray(result.step_results) ? result.step_results : []) {
    countUnmapped(attempt, 'step result')
  }
  return attempt
}

/** All rewards must be 1. */
function outcomeOf(
  result: Record<string, unknown>,
  folder: string,
  source: ImportSource,
): ImportedAttempt['outcome'] {
  const error = asText(asObject(result.exception_info).exception_message)
  const stated = asObject(asObject(result.verifier_result).rewards)
  const rewards = Object.keys(stated).length > 0 ? stated : rewardFile(folder, source)
  const values = Object.values(rewards)
  if (values.length === 0) {
    return error === '' ? undefined : failedOutcome('HARBOR', error)
  }
  const ok = values.every((value) => typeof value === 'number' && value >= 1)
  return { ok, resultJson: { rewards, ...(error === '' ? {} : { error }) } }
}

function rewardFile(folder: string, source: ImportSource): Record<string, unknown> {
  const file = path.join(folder, 'verifier/reward.txt')
  if (!existsSync(file)) return {}
  const value = Number(source.bytes(file).toString('utf8').trim())
  return Number.isFinite(value) ? { reward: value } : {}
}

function numbersOf(result: Record<string, unknown>) {
  const used = asObject(result.agent_result)
  const model = asText(asObject(asObject(result.agent_info).model_info).name)
  const { n_input_tokens: input, n_cache_tokens: cached, n_output_tokens: output } = used
  const hasAll = typeof input === 'number' && typeof output === 'number'
  const cache = typeof cached === 'number' ? cached : 0
  return {
    ...(model === '' ? {} : { model }),
    ...(hasAll
      ? {
          inputTokens: Math.max(0, input - cache),
          cachedInputTokens: cache,
          outputTokens: output,
          totalTokens: input + output,
        }
      : {}),
  }
}
