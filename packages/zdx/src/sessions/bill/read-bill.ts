// Reads a session and sums its requests per turn: tokens by kind, cost, sources of the input, and cache
// reads that were too small.
import type { Receipt, SessionRecord } from '@zee/agent'
import { readSession } from '@zee/agent'
import type { Segment } from '@zee/agent/prefix'
import { applyDelta } from '@zee/agent/prefix'
import { oneLine } from '@zee/core/errors'
import { cutToCharacters } from '../../text/text.ts'
import { attribute } from './attribution.ts'
import type { CacheMiss, SentRequest } from './cache.ts'
import { cacheMiss } from './cache.ts'

export interface Charges {
  requests: number
  fresh: number
  cached: number
  cacheWritten: number
  thinking: number
  output: number
  /** Undefined if no request has a price. */
  costUsd: number | undefined
  /** Input tokens per source. */
  sources: Map<string, number>
}

export interface BilledTurn extends Charges {
  /** The event of the prompt; 0 for requests before the first prompt. */
  event: number
  prompt: string
  misses: (CacheMiss & { event: number })[]
}

const maxLabelCharacters = 80

export async function readBill(folder: string, id: string): Promise<BilledTurn[]> {
  const reader = new BillReader()
  for await (const { event, record } of readSession(folder, id)) reader.add(event, record)
  return reader.turns.filter(({ event, requests }) => event > 0 || requests > 0)
}

export function noCharges(): Charges {
  return {
    requests: 0,
    fresh: 0,
    cached: 0,
    cacheWritten: 0,
    thinking: 0,
    output: 0,
    costUsd: undefined,
    sources: new Map(),
  }
}

export function addCharges(total: Charges, more: Charges): void {
  total.requests += more.requests
  total.fresh += more.fresh
  total.cached += more.cached
  total.cacheWritten += more.cacheWritten
  total.thinking += more.thinking
  total.output += more.output
  if (more.costUsd !== undefined) total.costUsd = (total.costUsd ?? 0) + more.costUsd
  for (const [source, tokens] of more.sources) {
    total.sources.set(source, (total.sources.get(source) ?? 0) + tokens)
  }
}

class BillReader {
  readonly turns: BilledTurn[] = [newTurn(0, '')]
  /** Labels of tool calls by id. */
  readonly #labels = new Map<string, string>()
  #segments: Segment[] = []
  /** Segments made from the records, for sessions without stored ones. */
  readonly #recorded: Segment[] = []
  #before: SentRequest | undefined

  add(event: number, record: SessionRecord): void {
    if (record.type === 'message' && record.role === 'user' && record.steered !== true) {
      this.turns.push(newTurn(event, record.text))
    }
    if (record.type === 'tool_use') this.#labels.set(record.id, labelOf(record.name, record.input))
    if ('receipt' in record && record.receipt !== undefined) {
      this.#addRequest(event, record.receipt, record.ts)
    }
    const segment = recordedSegment(record)
    if (segment !== undefined) this.#recorded.push(segment)
  }

  #addRequest(event: number, receipt: Receipt, ts: string): void {
    const turn = this.turns.at(-1)
    const { usage, costUsd, prefix } = receipt
    if (turn === undefined || usage === undefined) return
    if (prefix !== undefined) this.#segments = applyDelta(this.#segments, prefix)
    const isStored = this.#segments.length > 0
    const segments = isStored ? this.#segments : this.#recorded
    const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage
    addCharges(turn, {
      requests: 1,
      fresh: Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens),
      cached: cachedInputTokens,
      cacheWritten: cacheWriteTokens,
      thinking: usage.thinkingTokens ?? 0,
      output: outputTokens,
      costUsd,
      sources: attribute(inputTokens, segments, this.#labels),
    })
    if (!isStored) return
    const request = { receipt, segments: [...segments], atSecs: Date.parse(ts) / 1000 }
    const miss = this.#before && cacheMiss(this.#before, request)
    if (miss !== undefined) turn.misses.push({ ...miss, event })
    this.#before = request
  }
}

function newTurn(event: number, prompt: string): BilledTurn {
  return { ...noCharges(), event, prompt: oneLine(prompt), misses: [] }
}

/** `read src/a.ts`, `bash npm test`: the tool and what it acted on. */
function labelOf(name: string, input: Readonly<Record<string, unknown>>): string {
  const object = [input.path, input.command, input.pattern, input.file_path, input.cmd].find(
    (each) => typeof each === 'string',
  )
  const text = oneLine(typeof object === 'string' ? `${name} ${object}` : name)
  const cut = cutToCharacters(text, maxLabelCharacters)
  return cut.truncated ? `${cut.text}…` : cut.text
}

function recordedSegment(record: SessionRecord): Segment | undefined {
  const segment = (name: string, value: unknown): Segment => ({
    name,
    hash: '',
    bytes: Buffer.byteLength(JSON.stringify(value)),
  })
  if (record.type === 'message') return segment('prompt', record.text)
  if (record.type === 'tool_use') return segment(`call:${record.id}`, record.input)
  if (record.type !== 'tool_result') return undefined
  return segment(`result:${record.tool_use_id}`, record.output)
}
