// Harbor: the folder of a job with a folder per trial, or of one trial. `result.json` grades a trial, the
// ATIF trajectories tell what the agent did: one of the trial, or one per step.
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { evidenceError } from '../errors/errors.ts'
import { asObject, asText } from '../json/json.ts'
import { countUnmapped, failedOutcome, newAttempt, numberTries, objectsIn } from './imported.ts'
import type { ImportedAttempt, ImportedRun } from './imported.ts'
import type { ImportSource } from './source.ts'
import { continuationsOf, trajectoryAttempt } from './atif.ts'

type Loose = Readonly<Record<string, unknown>>

const resultFile = 'result.json'
const trajectoryFile = 'agent/trajectory.json'
const maxDepth = 3

export async function readHarbor(source: ImportSource): Promise<ImportedRun> {
  const run: ImportedRun = { suite: path.basename(source.path), attempts: [], unmapped: {} }
  const sources = new Set<string>()
  for (const { folder, result } of trialsBelow(source, source.path, 0, run)) {
    run.attempts.push(trialAttempt(source, folder, result))
    sources.add(asText(result.source))
  }
  if (run.attempts.length === 0) {
    const why = Object.keys(run.unmapped).length === 0 ? resultFile : 'its trials have no result'
    throw evidenceError('ZCL_E_USAGE', `${source.path} holds no trial of Harbor (${why})`)
  }
  numberTries(run.attempts)
  const [dataset = ''] = sources
  // The folder of a job is named by its time, so that jobs over one dataset would be of different suites.
  if (sources.size === 1 && dataset !== '') run.suite = dataset
  run.createdAt = run.attempts[0]?.startedAt
  return run
}

interface Trial {
  folder: string
  result: Loose
}

/** The trials of a folder, in the order of their names. */
function trialsBelow(
  source: ImportSource,
  folder: string,
  depth: number,
  run: ImportedRun,
): Trial[] {
  const trial = trialIn(source, folder, run)
  if (trial !== undefined || depth >= maxDepth) return trial ?? []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .flatMap((name) => trialsBelow(source, path.join(folder, name), depth + 1, run))
}

/** The trial in a folder, if it can be read; undefined for a job or another folder. */
function trialIn(source: ImportSource, folder: string, run: ImportedRun): Trial[] | undefined {
  const has = (name: string) => existsSync(path.join(folder, name))
  // A job has a configuration and a result, too, but no folder of an agent.
  if (!has(resultFile)) {
    if (!has('config.json') || !(has('agent') || has('trial.log'))) return undefined
    countUnmapped(run, 'trial without a result')
    return []
  }
  const result = source.object(path.join(folder, resultFile))
  if (result === undefined) {
    countUnmapped(run, 'trial with a damaged result')
    return []
  }
  const isJob = result.stats !== undefined || result.n_total_trials !== undefined
  const isTrial =
    ['agent', 'verifier', 'steps', 'config.json'].some(has) ||
    ['task_name', 'trial_name', 'verifier_result'].some((key) => result[key] !== undefined)
  return isTrial && !isJob ? [{ folder, result }] : undefined
}

function trialAttempt(source: ImportSource, folder: string, result: Loose): ImportedAttempt {
  const steps = objectsIn(result.step_results)
  const read = trajectoriesOf(source, folder, steps)
  const [first, ...more] = read.documents
  const attempt = first === undefined ? newAttempt('trial') : trajectoryAttempt(first, more)
  const info = asObject(result.agent_info)
  attempt.mission = asText(result.task_name) || path.basename(folder)
  attempt.sourceId = asText(result.trial_name) || path.basename(folder)
  attempt.agent = asText(info.name) || attempt.agent
  attempt.startedAt = asText(result.started_at) || attempt.startedAt
  attempt.endedAt = asText(result.finished_at) || attempt.endedAt
  attempt.outcome = outcomeOf(result, steps, folder, source)
  attempt.numbers = { ...attempt.numbers, ...numbersOf(result, steps) }
  for (let n = 0; n < read.damaged; n++) countUnmapped(attempt, 'damaged trajectory')
  if (first === undefined && read.damaged === 0)
    countUnmapped(attempt, 'trial without a trajectory')
  for (const step of steps) {
    if (asText(step.step_name) === '') countUnmapped(attempt, 'step result')
  }
  return attempt
}

/** The trajectory of the trial, else those of its steps, each with its continuations. */
function trajectoriesOf(
  source: ImportSource,
  folder: string,
  steps: readonly Loose[],
): { documents: Loose[]; damaged: number } {
  const names = steps.map((step) => asText(step.step_name))
  // A name with a folder could lead anywhere.
  const inner = names.filter((name) => name !== '' && name !== '..' && name === path.basename(name))
  const files = [folder, ...inner.map((name) => path.join(folder, 'steps', name))]
    .map((each) => path.join(each, trajectoryFile))
    .filter((file) => existsSync(file))
  const documents = files.flatMap((file) => {
    const document = source.object(file)
    if (document === undefined || !Array.isArray(document.steps)) return []
    return [[document, ...continuationsOf(source, document, file)]]
  })
  return { documents: documents.flat(), damaged: files.length - documents.length }
}

/** All rewards must be 1. */
function outcomeOf(
  result: Loose,
  steps: readonly Loose[],
  folder: string,
  source: ImportSource,
): ImportedAttempt['outcome'] {
  const failed = [result, ...steps].map((each) => asObject(each.exception_info))
  const error = failed.map((each) => asText(each.exception_message)).find(Boolean) ?? ''
  const stated = rewardsOf(result)
  const rewards = Object.keys(stated).length > 0 ? stated : rewardFile(folder, source)
  const values = Object.values(rewards)
  if (values.length === 0) {
    return error === '' ? undefined : failedOutcome('HARBOR', error)
  }
  const ok = values.every((value) => typeof value === 'number' && value >= 1)
  const graded = steps.filter((step) => asText(step.step_name) !== '')
  const byStep = graded.map((step) => [asText(step.step_name), rewardsOf(step)] as const)
  return {
    ok,
    resultJson: {
      rewards,
      ...(byStep.length === 0 ? {} : { steps: Object.fromEntries(byStep) }),
      ...(error === '' ? {} : { error }),
    },
  }
}

function rewardsOf(result: Loose): Record<string, unknown> {
  return asObject(asObject(result.verifier_result).rewards)
}

/** What the verifier wrote, if the result does not have it. */
function rewardFile(folder: string, source: ImportSource): Record<string, unknown> {
  const document = path.join(folder, 'verifier/reward.json')
  if (existsSync(document)) return { ...source.object(document) }
  const file = path.join(folder, 'verifier/reward.txt')
  if (!existsSync(file)) return {}
  const text = source.bytes(file).toString('utf8').trim()
  return text !== '' && Number.isFinite(Number(text)) ? { reward: Number(text) } : {}
}

/** The usage of the trial, else the sum of its steps. */
function numbersOf(result: Loose, steps: readonly Loose[]) {
  const info = asObject(asObject(result.agent_info).model_info)
  const [model, provider] = [asText(info.name), asText(info.provider)]
  const whole = asObject(result.agent_result)
  const used =
    Object.keys(whole).length > 0 ? [whole] : steps.map((step) => asObject(step.agent_result))
  const sum = (key: string): number | undefined => {
    const values = used.map((each) => each[key]).filter((value) => typeof value === 'number')
    return values.length === 0 ? undefined : values.reduce((total, value) => total + value, 0)
  }
  const [input, output] = [sum('n_input_tokens'), sum('n_output_tokens')]
  const cache = sum('n_cache_tokens') ?? 0
  return {
    ...(model === '' ? {} : { model }),
    ...(provider === '' ? {} : { modelProvider: provider }),
    ...(input === undefined || output === undefined
      ? {}
      : {
          inputTokens: Math.max(0, input - cache),
          cachedInputTokens: cache,
          outputTokens: output,
          totalTokens: input + output,
        }),
  }
}
