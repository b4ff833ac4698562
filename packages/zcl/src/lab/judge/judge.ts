// A judge model grades an answer by a rubric, with several votes. Its question and its answers are
// stored, so that the verdict can be replayed without asking again.
import path from 'node:path'
import type { Redactor } from '@zee/core/redact'
import type { JudgeSpec } from '@zee/evidence/suite'
import { costOf } from '../../cost/cost.ts'
import { zclError } from '../../errors/errors.ts'
import { askOnce, type CachedAnswer } from './ask.ts'
import { questionFor, type JudgedWork, type Question } from './question.ts'
import { parseVote, tally, type ParsedVote } from './vote.ts'

export { judgeFiles, rubricText } from './files.ts'
export type { JudgedWork } from './question.ts'
export { parseVote, tally } from './vote.ts'

export type StoredVote = Omit<CachedAnswer, 'usage'> &
  Partial<ParsedVote> & {
    usage?: object
    costUsd?: number
  }

/** The content of judge.result.json. */
export interface JudgeResult {
  /** Null if too few votes are usable. */
  ok: boolean | null
  provider: string
  model: string
  yes: number
  no: number
  invalid: number
  /** Of all votes that were not cached; absent if the price is unknown. */
  costUsd?: number
  /** Redacted. */
  question: Question
  votes: StoredVote[]
}

export interface JudgeRequest {
  spec: JudgeSpec
  work: JudgedWork
  env: Readonly<Record<string, string | undefined>>
  /** The screenplay of a script model is relative to it. */
  baseFolder: string
  redactor: Redactor
  /** Undefined asks again. */
  cacheFolder: string | undefined
  signal: AbortSignal
}

/** A key for the judge alone; the runner never gets it. */
export const judgeKeyVariable = 'ZCL_JUDGE_API_KEY'
const maxVoteBytes = 16 * 1024
const maxMessageBytes = 300

/** Throws if the environment has no key for the provider of the judge. */
export async function requireJudgeKey(
  { provider }: JudgeSpec,
  env: JudgeRequest['env'],
): Promise<void> {
  const { findApiKey, findProvider } = await import('@zee/llm')
  const row = findProvider(provider)
  if (row?.keyVariable === undefined || row.keyOptional === true) return
  if (findApiKey(row, env, env[judgeKeyVariable]) !== undefined) return
  const message = `the judge needs a key for ${row.title}: set ${judgeKeyVariable} or ${row.keyVariable}`
  throw zclError('ZCL_E_JUDGE_ERROR', message)
}

export async function judgeWork(request: JudgeRequest): Promise<JudgeResult> {
  return askJudge(request, questionFor(request.work))
}

/** Asks the same question, also one that was stored. */
export async function askJudge(
  request: Omit<JudgeRequest, 'work'>,
  question: Question,
): Promise<JudgeResult> {
  const { createModel, findProvider } = await import('@zee/llm')
  const { spec, env, redactor, cacheFolder, signal } = request
  const row = findProvider(spec.provider)
  const ownKey = env[judgeKeyVariable]
  const environment =
    ownKey === undefined || row?.keyVariable === undefined
      ? env
      : { ...env, [row.keyVariable]: ownKey }
  const model = createModel({ provider: spec.provider, environment })
  const settings =
    spec.provider === 'script'
      ? { ...spec, model: path.resolve(request.baseFolder, spec.model) }
      : spec
  try {
    const asked = Array.from({ length: spec.votes ?? 1 }, (_, index) =>
      askOnce(model, settings, question, { vote: index + 1, cacheFolder, signal }),
    )
    const votes = (await Promise.all(asked)).map((answer) => storedVote(answer, spec, redactor))
    const stored = redactor.value(question).value as Question
    return { ...verdictOf(votes), ...resultHead(spec, votes), question: stored, votes }
  } finally {
    model.close()
  }
}

/** The verdict of stored votes: nothing is asked. */
export function verdictOf(
  votes: readonly Pick<StoredVote, 'status' | 'text'>[],
): Pick<JudgeResult, 'ok' | 'yes' | 'no' | 'invalid'> {
  const { ok, ...counts } = tally(
    votes.map(({ status, text }) =>
      status === 'answered' && typeof text === 'string' ? parseVote(text) : undefined,
    ),
  )
  return { ok: ok ?? null, ...counts }
}

function resultHead(spec: JudgeSpec, votes: readonly StoredVote[]) {
  const costs = votes.flatMap(({ cached, costUsd }) => (cached ? [] : [costUsd]))
  const isKnown = costs.every((cost) => cost !== undefined)
  const costUsd = costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0)
  const { provider, model } = spec
  return { provider, model, ...(isKnown ? { costUsd } : {}) }
}

function storedVote(answer: CachedAnswer, spec: JudgeSpec, redactor: Redactor): StoredVote {
  const { usage, text, message, ...rest } = answer
  const shown = redactor.cut(text, maxVoteBytes).text
  const vote = answer.status === 'answered' ? parseVote(shown) : undefined
  const cost = usage === undefined ? undefined : costOf({ ...freshUsage(usage), ...modelOf(spec) })
  return {
    ...rest,
    ...vote,
    text: shown,
    ...(message === undefined ? {} : { message: redactor.cut(message, maxMessageBytes).text }),
    ...(usage === undefined ? {} : { usage }),
    ...(cost === undefined ? {} : { costUsd: cost }),
  }
}

function modelOf({ provider, model }: JudgeSpec) {
  return { modelProvider: provider, model }
}

/** The price table counts cached input apart. */
function freshUsage(usage: NonNullable<CachedAnswer['usage']>) {
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage
  const fresh = inputTokens - cachedInputTokens - cacheWriteTokens
  return { inputTokens: fresh, outputTokens, cachedInputTokens, cacheWriteTokens }
}
