// The records of a session as the turns of a transcript: from prompt to prompt, each tool call with its
// result, and what the answers of a turn took together.
import type { Receipt, SessionRecord } from '@zee/agent'
import { cutToBytes } from '@zee/core/bounded'
import type { Redactor } from '@zee/core/redact'
import type { EntryFacts, SessionPage, ToolFacts, TurnFacts, Usage } from '@zee/web/data'
import { markdownBlocks } from './markdown.ts'
import { exitCode, toolFacts, toolResult } from './tools.ts'

type Totals = SessionPage['totals']

const longestTitle = 100
const longestPrompt = 64 * 1024

export class TurnCollector {
  readonly redactor: Redactor
  readonly #turns: TurnFacts[] = []
  readonly #open = new Map<string, ToolFacts>()
  readonly #redactions = new Set<string>()
  readonly #counts = { prompts: 0, answers: 0, toolCalls: 0, failedCalls: 0 }
  #total = noUsage()
  #title: string | undefined
  #first: string | undefined
  #last: string | undefined

  constructor(redactor: Redactor) {
    this.redactor = redactor
  }

  add(record: SessionRecord): void {
    this.#first ??= record.ts
    this.#last = record.ts
    switch (record.type) {
      case 'message':
        if (record.role === 'user') this.#prompt(this.#clean(record.text), record.ts)
        else this.#answer(this.#clean(record.text), record.ts)
        if (record.receipt !== undefined) this.#charge(record.receipt)
        return
      case 'thinking':
        if (record.text !== '')
          this.#push({ type: 'thinking', text: this.#clean(record.text), at: record.ts })
        return
      case 'tool_use':
        this.#call(record)
        if (record.receipt !== undefined) this.#charge(record.receipt)
        return
      case 'tool_result':
        this.#result(record)
        return
      case 'interrupted':
        this.#push({ type: 'interrupted', at: record.ts })
        return
      case 'undo':
        this.#push({
          type: 'undo',
          files: record.files.map((file) => this.#clean(file)),
          at: record.ts,
        })
        return
      case 'meta':
    }
  }

  title(): string {
    return this.#title ?? 'a session'
  }

  result(): Pick<SessionPage, 'startedAt' | 'endedAt' | 'totals' | 'turns' | 'redactions'> {
    const totals: Totals = { ...this.#total, ...this.#counts }
    return {
      ...(this.#first === undefined ? {} : { startedAt: this.#first }),
      ...(this.#last === undefined ? {} : { endedAt: this.#last }),
      totals,
      turns: this.#turns,
      redactions: [...this.#redactions].sort(),
    }
  }

  #prompt(text: string, at: string): void {
    this.#counts.prompts++
    this.#title ??= titleOf(text)
    this.#turns.push({ at, entries: [] })
    this.#push({ type: 'prompt', text: cutToBytes(text, longestPrompt).text, at })
  }

  #answer(text: string, at: string): void {
    this.#counts.answers++
    if (text.trim() !== '') this.#push({ type: 'answer', blocks: markdownBlocks(text), at })
  }

  #call(record: Extract<SessionRecord, { type: 'tool_use' }>): void {
    this.#counts.toolCalls++
    const { value, applied } = this.redactor.value(record.input)
    for (const name of applied) this.#redactions.add(name)
    const facts = toolFacts(record.name, value as Record<string, unknown>, record.ts)
    this.#open.set(record.id, facts)
    this.#push(facts)
  }

  #result(record: Extract<SessionRecord, { type: 'tool_result' }>): void {
    const call = this.#open.get(record.tool_use_id)
    if (call === undefined) return
    this.#open.delete(record.tool_use_id)
    if (!record.ok) this.#counts.failedCalls++
    const { value, applied } = this.redactor.value(record.output)
    for (const name of applied) this.#redactions.add(name)
    call.ok = record.ok
    call.result = toolResult(value)
    const exit = exitCode(value)
    if (exit !== undefined) call.exit = exit
  }

  /** What comes before the first prompt, in a session that was cut or forked, is a turn as well. */
  #push(entry: EntryFacts): void {
    if (this.#turns.length === 0) this.#turns.push({ entries: [] })
    this.#turns.at(-1)?.entries.push(entry)
  }

  #charge(receipt: Receipt): void {
    const turn = this.#turns.at(-1)
    if (turn !== undefined) turn.usage = withReceipt(turn.usage ?? noUsage(), receipt)
    this.#total = withReceipt(this.#total, receipt)
  }

  #clean(text: string): string {
    const { text: clean, applied } = this.redactor.text(text)
    for (const name of applied) this.#redactions.add(name)
    return clean
  }
}

function noUsage(): Usage {
  return { input: 0, cached: 0, output: 0, ms: 0, models: [] }
}

function withReceipt(sum: Usage, { provider, model, usage, durationMs, costUsd }: Receipt): Usage {
  const name = `${provider}:${model}`
  const cost = costUsd === undefined ? sum.costUsd : (sum.costUsd ?? 0) + costUsd
  return {
    input: sum.input + (usage?.inputTokens ?? 0),
    cached: sum.cached + (usage?.cachedInputTokens ?? 0),
    output: sum.output + (usage?.outputTokens ?? 0),
    ms: sum.ms + (durationMs ?? 0),
    ...(cost === undefined ? {} : { costUsd: cost }),
    models: sum.models.includes(name) ? sum.models : [...sum.models, name],
  }
}

function titleOf(text: string): string | undefined {
  const line = text.trim().split('\n', 1)[0] ?? ''
  if (line === '') return undefined
  const cut = cutToBytes(line, longestTitle)
  return cut.truncated ? `${cut.text}…` : cut.text
}
