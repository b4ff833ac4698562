// Asks a judge model for one vote. An answer is cached by its complete question, so that the same work
// is graded, and paid for, once.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { writeJsonAtomic } from '@zee/core/atomic-file'
import { canonicalJson } from '@zee/core/canonical-json'
import { oneLine, reasonOf } from '@zee/core/errors'
import { ensureFolder } from '@zee/core/folders'
import type { Message, Model, ModelEvent, Usage } from '@zee/llm'
import type { JudgeSpec } from '@zee/evidence/suite'
import { parseVote } from './vote.ts'
import type { Question } from './question.ts'

/** What a judge answered; the verdict follows from `text` alone. */
export interface VoteAnswer {
  status: 'answered' | 'refused' | 'invalid' | 'error'
  text: string
  /** Why there is no usable vote, not redacted yet. */
  message?: string
  /** Requests to the model: a broken answer is asked for once more. */
  requests: number
  usage?: Usage
}

export interface CachedAnswer extends VoteAnswer {
  cached: boolean
}

const maxRequests = 2
const maxTokens = 2000
const defaultTimeoutMs = 120_000
const reminder =
  'That was not one JSON object with a boolean "ok". Answer with the JSON object only.'

/** Only votes are cached: the next try of the attempt asks again for the others. */
export async function askOnce(
  model: Model,
  spec: JudgeSpec,
  question: Question,
  {
    vote,
    cacheFolder,
    signal,
  }: { vote: number; cacheFolder: string | undefined; signal: AbortSignal },
): Promise<CachedAnswer> {
  const file = cacheFolder === undefined ? undefined : cacheFile(cacheFolder, spec, question, vote)
  const known = file === undefined ? undefined : readCache(file)
  if (known !== undefined) return { ...known, cached: true }
  const answer = await ask(model, spec, question, signal)
  if (file !== undefined && answer.status === 'answered') {
    ensureFolder(path.dirname(file), 0o700)
    await writeJsonAtomic(file, answer, { mode: 0o600 })
  }
  return { ...answer, cached: false }
}

async function ask(
  model: Model,
  spec: JudgeSpec,
  question: Question,
  signal: AbortSignal,
): Promise<VoteAnswer> {
  const messages: Message[] = [message('user', question.user)]
  let spent: Usage | undefined
  let text = ''
  for (let requests = 1; requests <= maxRequests; requests++) {
    const limit = AbortSignal.timeout(spec.timeoutMs ?? defaultTimeoutMs)
    const read: Reading = { text: '', usage: undefined, isRefusal: false }
    const counted = () => {
      const usage = addUsage(spent, read.usage)
      return usage === undefined ? { requests } : { requests, usage }
    }
    try {
      const { model: name } = spec
      const request = { model: name, maxTokens, system: question.system, messages }
      await readAnswer(model.stream(request, AbortSignal.any([signal, limit])), read)
      text = read.text
      if (read.isRefusal) {
        return { status: 'refused', text, message: 'the judge refused to answer', ...counted() }
      }
      if (parseVote(text) !== undefined) return { status: 'answered', text, ...counted() }
      if (requests === maxRequests) {
        return { status: 'invalid', text, message: 'the judge gave no JSON verdict', ...counted() }
      }
    } catch (error) {
      signal.throwIfAborted()
      const reason = limit.aborted ? 'the judge did not answer in time' : oneLine(reasonOf(error))
      return { status: 'error', text: read.text || text, message: reason, ...counted() }
    }
    spent = addUsage(spent, read.usage)
    messages.push(
      message('assistant', text === '' ? '(no answer)' : text),
      message('user', reminder),
    )
  }
  return { status: 'invalid', text, requests: maxRequests }
}

function message(role: 'user' | 'assistant', text: string): Message {
  return { role, parts: [{ type: 'text', text }] }
}

/** What a stream has said so far; a request that fails has been charged for it. */
interface Reading {
  text: string
  usage: Usage | undefined
  isRefusal: boolean
}

async function readAnswer(events: AsyncIterable<ModelEvent>, reading: Reading): Promise<void> {
  for await (const event of events) {
    if (event.type === 'text') reading.text += event.text
    if (event.type === 'usage') reading.usage = event.usage
    if (event.type === 'stop') reading.isRefusal = event.reason === 'refusal'
  }
}

function addUsage(one: Usage | undefined, two: Usage | undefined): Usage | undefined {
  if (one === undefined || two === undefined) return one ?? two
  const sum = (key: keyof Usage) => (one[key] ?? 0) + (two[key] ?? 0)
  return {
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    cachedInputTokens: sum('cachedInputTokens'),
    cacheWriteTokens: sum('cacheWriteTokens'),
  }
}

function cacheFile(folder: string, spec: JudgeSpec, question: Question, vote: number): string {
  const { provider, model } = spec
  const key = canonicalJson({ provider, model, ...question, vote })
  return path.join(folder, `${createHash('sha256').update(key).digest('hex')}.json`)
}

function readCache(file: string): VoteAnswer | undefined {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as VoteAnswer
    const isVote = value.status === 'answered' && typeof value.text === 'string'
    return isVote ? value : undefined
  } catch {
    return undefined
  }
}
