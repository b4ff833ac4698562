// Answers a question about a corpus: a root model reads with tools, asks sub-models about chunks, and cites what it
// read. Citations are checked before the answer is returned.
import { ZeeError } from '@zee/core/errors'
import type { AskBudget, BudgetKind } from '../budget/budget.ts'
import { Spending } from '../budget/budget.ts'
import { checkCitations, markClaims } from '../citations/citations.ts'
import type { CheckedCitation, EvidenceSource } from '../citations/citations.ts'
import { EvidenceLedger } from '../evidence/evidence.ts'
import type { Evidence } from '../evidence/evidence.ts'
import { memoKey } from '../memo/memo.ts'
import type { Memo } from '../memo/memo.ts'
import { callModel } from '../model/model.ts'
import type { ModelChoice, ModelContext, RecordedCalls } from '../model/model.ts'
import { readSlice, runTool, toolsAt } from '../tools/tools.ts'
import type { AskChunk, Corpus, Recorder, ToolContext } from '../tools/tools.ts'
import { Conversation } from './conversation.ts'
import { chunkInstructions, correction, lastRequest, rootInstructions } from './prompts.ts'

export interface AskOptions {
  question: string
  corpus: Corpus
  root: ModelChoice
  /** The model of sub-calls. */
  sub: ModelChoice
  budget?: Partial<AskBudget>
  /** Levels of models, the root model included; 2 by default. */
  depth?: number
  /** Sub-calls at a time; 8 by default. */
  parallel?: number
  /** Characters that a model sees at most; 200,000 by default. */
  windowChars?: number
  /** Characters of one chunk of a sub-call; 40,000 by default. */
  chunkChars?: number
  memo?: Memo | undefined
  /** Answers of an interrupted run of the same question. */
  recorded?: RecordedCalls
  record?: Recorder
  progress?: (line: string) => void
  monotonicMs: () => number
  signal?: AbortSignal
}

export type AskStatus = 'verified' | 'unverified' | 'budget_spent'

export interface Answer {
  status: AskStatus
  text: string
  /** What the answer cites, in order. */
  evidence: Evidence[]
  /** Citations that do not hold, in words. */
  problems: string[]
  /** Claims that are marked. */
  unverified: number
  /** The kind of budget that is spent. */
  spent?: BudgetKind
  used: { calls: number; tokens: number; bytes: number }
}

const defaults = { depth: 2, parallel: 8, windowChars: 200_000, chunkChars: 40_000 }
const maxResultChars = 24_000
const maxTurns = 100

/** Rejects with a ModelError if the root model fails; what was read stays in the trace. */
export async function ask(options: AskOptions): Promise<Answer> {
  const question = new Question(options)
  try {
    return await question.answer()
  } finally {
    question.close()
  }
}

/** The state of one question, shared by all levels. */
class Question {
  readonly #options: Required<Omit<AskOptions, 'memo' | 'signal' | 'budget'>> & AskOptions
  readonly #ledger = new EvidenceLedger()
  readonly #spending: Spending
  readonly #deadline = new AbortController()
  readonly #timer: NodeJS.Timeout
  #subcalls = 0
  /** The budget ended something that would have gone on. */
  #spent: BudgetKind | undefined

  constructor(options: AskOptions) {
    const { recorded = new Map(), record = () => {}, progress = () => {} } = options
    this.#options = { ...defaults, ...options, recorded, record, progress }
    this.#spending = new Spending(options.budget ?? {}, options.monotonicMs)
    const ms = Math.min(this.#spending.remainingMs, 2 ** 31 - 1)
    this.#timer = setTimeout(() => this.#deadline.abort(timeSpent()), ms)
    options.signal?.addEventListener('abort', () => this.#deadline.abort(options.signal?.reason))
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  async answer(): Promise<Answer> {
    const { question, record, root, sub } = this.#options
    const models = { model: root.name, sub_model: sub.name }
    record('ask_start', { question, ...models, budget: this.#spending.limits })
    const text = await this.#converse(question)
    const answer = await this.#checked(text)
    this.#recordClaims(answer)
    const { status, used } = answer
    record('ask_end', { status, used })
    return answer
  }

  /** The text of the root model, after its citations went back to it once if they were wrong. */
  async #converse(question: string): Promise<string> {
    const conversation = new Conversation(this.#options.windowChars)
    conversation.addUser(question)
    const text = await this.#run(this.#options.root, rootInstructions, conversation, 1, undefined)
    if (this.#spent !== undefined) return text
    const problems = problemsOf(await checkCitations(text, this.#ledger, this.#source))
    if (problems.length === 0) return text
    this.#options.progress(`${problems.length} wrong citations go back to the model`)
    conversation.addUser(correction(problems))
    const corrected = await this.#run(
      this.#options.root,
      rootInstructions,
      conversation,
      1,
      undefined,
    )
    return corrected.trim() === '' ? text : corrected
  }

  /** Runs a model with tools until it answers without a call. Adds the answer to the conversation. */
  async #run(
    choice: ModelChoice,
    system: string,
    conversation: Conversation,
    level: number,
    callId: string | undefined,
  ): Promise<string> {
    const tools = toolsAt(level < this.#options.depth)
    const specs = tools.map(({ name, description, schema }) => ({ name, description, schema }))
    let lastText = ''
    for (let turn = 0; turn < maxTurns; turn++) {
      const isLast = this.#isSpent()
      if (isLast && this.#isOut) return lastText
      if (isLast) conversation.addUser(lastRequest)
      const request = {
        system,
        messages: conversation.messages,
        ...(isLast ? {} : { tools: specs }),
      }
      const answer = await this.#call(choice, request)
      if (answer === undefined) return lastText
      if (answer.text.trim() !== '') lastText = answer.text
      conversation.addAnswer(answer)
      if (answer.calls.length === 0 || isLast) return lastText
      const results = []
      for (const call of answer.calls) {
        this.#options.progress(`${call.name} ${JSON.stringify(call.input).slice(0, 120)}`)
        const context = this.#toolContext(level, callId)
        results.push({ call, ...(await runTool(tools, call.name, call.input, context)) })
        if (this.#spending.used.bytes >= this.#spending.limits.bytes) this.#spent ??= 'bytes'
      }
      conversation.addResults(results)
    }
    return lastText
  }

  /** Whether nothing but the last answer can be asked for. Remembers why. */
  #isSpent(): boolean {
    const spent = this.#spending.spent(1)
    this.#spent ??= spent
    return spent !== undefined
  }

  /** Not even the last answer can be asked for. */
  get #isOut(): boolean {
    const { used, limits, remainingMs } = this.#spending
    return used.calls >= limits.calls || used.tokens >= limits.tokens || remainingMs <= 0
  }

  /** Undefined if the time is spent before the model answers. */
  async #call(choice: ModelChoice, request: Parameters<typeof callModel>[1]) {
    try {
      return await callModel(choice, request, this.#modelContext)
    } catch (error) {
      if (this.#spending.remainingMs > 0) throw error
      this.#spent ??= 'time'
      return undefined
    }
  }

  get #modelContext(): ModelContext {
    const { recorded, record } = this.#options
    return { spending: this.#spending, recorded, record, signal: this.#deadline.signal }
  }

  #toolContext(level: number, callId: string | undefined): ToolContext {
    const { corpus, record, parallel, chunkChars, progress, windowChars } = this.#options
    return {
      ...{ corpus, record, parallel, progress, callId },
      ledger: this.#ledger,
      spending: this.#spending,
      maxChars: Math.min(maxResultChars, Math.floor(windowChars / 4)),
      chunkChars: Math.min(chunkChars, Math.floor(windowChars / 2)),
      askChunk: this.#chunkAsker(level + 1, callId),
    }
  }

  /** Sub-calls at a level. A sub-model has tools if there is a level below it. */
  #chunkAsker(level: number, parentId: string | undefined): AskChunk {
    const { sub, memo, record, windowChars } = this.#options
    return async ({ question, parts, readText }) => {
      const content = parts.map(({ path, start_line, end_line, sha256 }) => [
        path,
        start_line,
        end_line,
        sha256,
      ])
      const key = memoKey(sub.model.provider, sub.name, chunkInstructions, question, content, level)
      const known = memo?.get(key)
      const callId = `S${++this.#subcalls}`
      if (known !== undefined) return { answer: known, isKnown: true }
      if (this.#isSpent()) return undefined
      const startedMs = this.#options.monotonicMs()
      const paths = [...new Set(parts.map(({ path }) => path))]
      const parent = { parent_id: parentId ?? 'root', depth: level - 1 }
      record('subcall_start', { call_id: callId, ...parent, prompt: question, paths })
      const conversation = new Conversation(windowChars)
      try {
        conversation.addUser(`${question}\n\n${await readText(callId)}`)
        const answer = await this.#askSub(conversation, level, callId)
        const ms = Math.round(this.#options.monotonicMs() - startedMs)
        const ok = answer !== undefined
        record('subcall_end', { call_id: callId, ok, response_chars: answer?.length ?? 0, ms })
        if (answer === undefined) return undefined
        await memo?.set(key, answer)
        return { answer, isKnown: false }
      } catch (error) {
        record('subcall_end', { call_id: callId, ok: false })
        throw error
      }
    }
  }

  async #askSub(
    conversation: Conversation,
    level: number,
    callId: string,
  ): Promise<string | undefined> {
    const { sub, depth } = this.#options
    if (level < depth) return this.#run(sub, chunkInstructions, conversation, level, callId)
    const request = { system: chunkInstructions, messages: conversation.messages }
    return (await this.#call(sub, request))?.text
  }

  async #checked(text: string): Promise<Answer> {
    const citations = await checkCitations(text, this.#ledger, this.#source)
    const problems = problemsOf(citations)
    const wrong = new Set(citations.filter(({ problem }) => problem).map(({ id }) => id))
    const marked = markClaims(text.trim(), wrong)
    const spent = this.#spent
    const isVerified = problems.length === 0 && marked.unverified === 0 && marked.text !== ''
    return {
      status: spent !== undefined ? 'budget_spent' : isVerified ? 'verified' : 'unverified',
      text: marked.text,
      evidence: citations.flatMap(({ evidence, problem }) =>
        evidence === undefined || problem !== undefined ? [] : [evidence],
      ),
      problems,
      unverified: marked.unverified,
      spent,
      used: { ...this.#spending.used },
    }
  }

  get #source(): EvidenceSource {
    const { corpus } = this.#options
    return {
      readLines: (path, start, end) =>
        readSlice(corpus, path, [start, end]).catch((error: unknown) => {
          if (error instanceof ZeeError) return undefined
          throw error
        }),
      async hasHits(args) {
        const { metrics } = await corpus.run('grep', { ...args, max_hits: 1 })
        return metrics.hits !== 0
      },
    }
  }

  #recordClaims({ text, evidence }: Answer): void {
    const { record } = this.#options
    for (const each of evidence) {
      if (each.kind !== 'read') continue
      const { id, kind, path, lines, hash } = each
      record('evidence', { evidence_id: id, kind, path, lines, hash, why: 'cited in the answer' })
    }
    const cited = evidence.filter(({ kind }) => kind === 'read').map(({ id }) => id)
    if (cited.length > 0) record('claim', { claim_id: 'C1', claim: text, evidence: cited })
  }
}

function problemsOf(citations: readonly CheckedCitation[]): string[] {
  return citations.flatMap(({ problem }) => (problem === undefined ? [] : [problem]))
}

function timeSpent(): ZeeError {
  return new ZeeError('time_spent', 'the time of the budget is spent')
}
