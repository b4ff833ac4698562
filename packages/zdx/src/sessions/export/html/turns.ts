// Groups session records into turns, one per prompt. Each tool call gets its result, and each turn the
// sum of its usage.
import type { Receipt, SessionRecord } from '@zee/agent'
import { cutToBytes } from '@zee/core/bounded'
import type { Redactor } from '@zee/core/redact'
import type { EntryFacts, SessionPage, ToolTexts, TurnFacts, Usage } from '@zee/web/data'
import { markdownBlocks } from './markdown.ts'
import { callOnPage, nonZeroExitCode, toolResult, type CallOnPage } from './tools.ts'

type Totals = SessionPage['totals']

const maxTitleBytes = 100
const maxPromptBytes = 64 * 1024

export class TurnCollector {
  readonly redactor: Redactor
  /** Of all calls, in their order. */
  readonly texts: ToolTexts[] = []
  readonly #turns: TurnFacts[] = []
  readonly #openCalls = new Map<string, CallOnPage>()
  readonly #redactions = new Set<string>()
  readonly #context: number[] = []
  readonly #counts = { prompts: 0, answers: 0, toolCalls: 0, failedCalls: 0 }
  #total = noUsage()
  #title: string | undefined
  #startedAt: string | undefined
  #endedAt: string | undefined

  constructor(redactor: Redactor) {
    this.redactor = redactor
  }

  add(record: SessionRecord): void {
    this.#startedAt ??= record.ts
    this.#endedAt = record.ts
    switch (record.type) {
      case 'message':
        if (record.role === 'user') this.#addPrompt(this.#redact(record.text), record.ts)
        else this.#addAnswer(this.#redact(record.text), record.ts)
        if (record.receipt !== undefined) this.#addReceipt(record.receipt)
        return
      case 'thinking':
        if (record.text !== '')
          this.#push({ type: 'thinking', text: this.#redact(record.text), at: record.ts })
        return
      case 'tool_use':
        this.#addCall(record)
        if (record.receipt !== undefined) this.#addReceipt(record.receipt)
        return
      case 'tool_result':
        this.#addResult(record)
        return
      case 'interrupted':
        this.#push({ type: 'interrupted', at: record.ts })
        return
      case 'receipt':
        this.#addReceipt(record.receipt)
        return
      case 'undo':
      case 'redo':
        this.#push({
          type: record.type,
          files: record.files.map((file) => this.#redact(file)),
          at: record.ts,
        })
        return
      case 'meta':
      case 'elided':
    }
  }

  title(): string {
    return this.#title ?? 'a session'
  }

  result(): Pick<
    SessionPage,
    'startedAt' | 'endedAt' | 'totals' | 'turns' | 'context' | 'redactions'
  > {
    // An answer may consist of tool calls alone.
    const answers = Math.max(this.#counts.answers, this.#context.length)
    const totals: Totals = { ...this.#total, ...this.#counts, answers }
    return {
      startedAt: this.#startedAt,
      endedAt: this.#endedAt,
      totals,
      turns: this.#turns,
      context: this.#context,
      redactions: [...this.#redactions].sort(),
    }
  }

  #addPrompt(text: string, at: string): void {
    this.#counts.prompts++
    this.#title ??= firstLineTitle(text)
    this.#turns.push({ at, entries: [] })
    this.#push({ type: 'prompt', text: cutToBytes(text, maxPromptBytes).text, at })
  }

  #addAnswer(text: string, at: string): void {
    this.#counts.answers++
    if (text.trim() !== '') this.#push({ type: 'answer', blocks: markdownBlocks(text), at })
  }

  #addCall(record: Extract<SessionRecord, { type: 'tool_use' }>): void {
    this.#counts.toolCalls++
    const { value, applied } = this.redactor.value(record.input)
    for (const name of applied) this.#redactions.add(name)
    const place = { number: this.texts.length, at: record.ts }
    const call = callOnPage(record.name, value as Record<string, unknown>, place)
    if (record.receipt?.costUsd !== undefined) call.facts.costUsd = record.receipt.costUsd
    this.#openCalls.set(record.id, call)
    this.texts.push(call.texts)
    this.#push(call.facts)
  }

  #addResult(record: Extract<SessionRecord, { type: 'tool_result' }>): void {
    const call = this.#openCalls.get(record.tool_use_id)
    if (call === undefined) return
    this.#openCalls.delete(record.tool_use_id)
    const { value, applied } = this.redactor.value(record.output)
    for (const name of applied) this.#redactions.add(name)
    const { facts, texts } = call
    facts.ok = record.ok
    texts.result = toolResult(value)
    const exit = nonZeroExitCode(value)
    if (exit !== undefined) facts.exit = exit
    // A command that exits with another code than 0 has failed, too.
    if (!record.ok || exit !== undefined) this.#counts.failedCalls++
    const ms = Date.parse(record.ts) - Date.parse(facts.at ?? '')
    if (ms >= 0) facts.ms = ms
  }

  /** Records before the first prompt form a turn too; a truncated session can start with them. */
  #push(entry: EntryFacts): void {
    if (this.#turns.length === 0) this.#turns.push({ entries: [] })
    this.#turns.at(-1)?.entries.push(entry)
  }

  #addReceipt(receipt: Receipt): void {
    const turn = this.#turns.at(-1)
    if (receipt.usage?.inputTokens !== undefined) this.#context.push(receipt.usage.inputTokens)
    if (turn !== undefined) turn.usage = addReceipt(turn.usage ?? noUsage(), receipt)
    this.#total = addReceipt(this.#total, receipt)
  }

  #redact(text: string): string {
    const { text: clean, applied } = this.redactor.text(text)
    for (const name of applied) this.#redactions.add(name)
    return clean
  }
}

function noUsage(): Usage {
  return { input: 0, cached: 0, output: 0, ms: 0, models: [] }
}

function addReceipt(sum: Usage, { provider, model, usage, durationMs, costUsd }: Receipt): Usage {
  const name = `${provider}:${model}`
  const cost = costUsd === undefined ? sum.costUsd : (sum.costUsd ?? 0) + costUsd
  return {
    input: sum.input + (usage?.inputTokens ?? 0),
    cached: sum.cached + (usage?.cachedInputTokens ?? 0),
    output: sum.output + (usage?.outputTokens ?? 0),
    ms: sum.ms + (durationMs ?? 0),
    costUsd: cost,
    models: sum.models.includes(name) ? sum.models : [...sum.models, name],
  }
}

function firstLineTitle(text: string): string | undefined {
  const line = text.trim().split('\n', 1)[0] ?? ''
  if (line === '') return undefined
  const cut = cutToBytes(line, maxTitleBytes)
  return cut.truncated ? `${cut.text}…` : cut.text
}
