// Reads a session completely for its row: calls, failures, cost, growth of the context.
import { readSession, type SessionRecord } from '@zee/agent'
import { cutToBytes } from '@zee/core/bounded'
import { oneLine } from '@zee/core/errors'
import { isObject } from '@zee/core/json'
import type { Redactor } from '@zee/core/redact'
import type { FailedCall, SessionDetails } from '@zee/web/data'

const maxSparkValues = 24
const maxFailedCalls = 5
const maxTitleBytes = 120

export async function sessionDetails(
  folder: string,
  id: string,
  redactor: Redactor,
): Promise<SessionDetails> {
  const reading = new SessionReading(id, redactor)
  for await (const { record } of readSession(folder, id)) reading.add(record)
  return reading.details()
}

class SessionReading {
  readonly #id: string
  readonly #redactor: Redactor
  readonly #titles = new Map<string, string>()
  readonly #inputTokens: number[] = []
  readonly #failed: FailedCall[] = []
  #calls = 0
  #failures = 0
  #outputTokens = 0
  #costUsd: number | undefined
  #firstMs = Number.NaN
  #lastMs = Number.NaN
  #isOpen = false

  constructor(id: string, redactor: Redactor) {
    this.#id = id
    this.#redactor = redactor
  }

  add(record: SessionRecord): void {
    const atMs = Date.parse(record.ts)
    if (Number.isNaN(this.#firstMs)) this.#firstMs = atMs
    if (!Number.isNaN(atMs)) this.#lastMs = atMs
    if ('receipt' in record && record.receipt !== undefined) {
      const { usage, costUsd } = record.receipt
      if (usage !== undefined) this.#inputTokens.push(usage.inputTokens ?? 0)
      this.#outputTokens += usage?.outputTokens ?? 0
      if (costUsd !== undefined) this.#costUsd = (this.#costUsd ?? 0) + costUsd
    }
    if (record.type === 'message') this.#isOpen = record.role === 'user'
    if (record.type === 'interrupted') this.#isOpen = false
    if (record.type === 'tool_use') {
      this.#calls++
      this.#isOpen = true
      this.#titles.set(record.id, callTitle(record.name, record.input))
    }
    if (record.type === 'tool_result' && isFailure(record)) this.#addFailure(record, atMs)
  }

  details(): SessionDetails {
    return {
      calls: this.#calls,
      failures: this.#failures,
      outputTokens: this.#outputTokens,
      durationMs: Math.max(0, this.#lastMs - this.#firstMs) || 0,
      costUsd: this.#costUsd,
      spark: sampled(this.#inputTokens),
      isOpen: this.#isOpen,
      failed: this.#failed,
    }
  }

  #addFailure({ tool_use_id: call }: { tool_use_id: string }, atMs: number): void {
    this.#failures++
    const title = this.#redactor.text(this.#titles.get(call) ?? '').text
    this.#failed.push({ page: `session/${this.#id}`, where: 'session', title, atMs })
    if (this.#failed.length > maxFailedCalls) this.#failed.shift()
  }
}

/** A command that exits with another code than 0 has failed, too. */
function isFailure({ ok, output }: { ok: boolean; output: unknown }): boolean {
  if (!ok) return true
  const data = isObject(output) && isObject(output.data) ? output.data : {}
  return typeof data.exit_code === 'number' && data.exit_code !== 0
}

function callTitle(name: string, input: Record<string, unknown>): string {
  const names = ['command', 'path', 'pattern', 'query', 'url']
  const argument = names.map((key) => input[key]).find((value) => typeof value === 'string')
  return oneLine(cutToBytes(`${name} ${String(argument ?? '')}`, maxTitleBytes).text)
}

function sampled(values: readonly number[]): number[] {
  if (values.length <= maxSparkValues) return [...values]
  const step = (values.length - 1) / (maxSparkValues - 1)
  return Array.from({ length: maxSparkValues }, (_, at) => values[Math.round(at * step)] ?? 0)
}
