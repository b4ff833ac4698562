// Answers a request from its parts, one root after the other, up to the limits of one answer. A cursor continues where
// the page ended.
import { isObject } from '@zee/core/json'
import type { Result } from '../engine/engine.ts'
import { MergedFields } from './merged-fields.ts'
import { nameItem } from './named-items.ts'
import { readCursor, writeCursor } from './page-cursor.ts'
import { numberOr, PageLimits } from './page-limits.ts'
import type { FailedPart, Part } from './request-parts.ts'
import type { Args } from './root-names.ts'

/** How an operation lists its items. */
export interface ListShape {
  /** The list in the result. */
  list: string
  /** The argument that limits the list, and its default; absent if there is none. */
  amount?: { name: string; fallback: number; isOverAllPages: boolean }
  /** `max_chars` has another meaning. */
  hasNoCharLimit?: boolean
  /** The metric that counts the items; present in every answer. */
  countMetric?: string
  /** The items belong to a root, but have no path. */
  hasRootField?: boolean
}

export interface PageRequest {
  op: string
  args: Args
  /** In the order of the answer. A page asks for no more parts than it needs. */
  parts: Iterable<Part | FailedPart> | AsyncIterable<Part | FailedPart>
  shape: ListShape
  signal: AbortSignal | undefined
  /** Milliseconds since the start of the request. */
  elapsedMs(): number
  /** The size of items in characters; that of their JSON by default. */
  charsOf?: ((items: readonly unknown[]) => number) | undefined
}

export interface MergedPage {
  items: unknown[]
  fields: Record<string, unknown>
  metrics: Result['metrics']
}

export async function answerParts(request: PageRequest): Promise<MergedPage> {
  return new PartPages(request).answer()
}

class PartPages {
  readonly #request: PageRequest
  readonly #items: unknown[] = []
  readonly #merged = new MergedFields()
  readonly #limits: PageLimits
  #next: string | undefined
  #isPartial = false

  constructor(request: PageRequest) {
    this.#request = request
    this.#limits = new PageLimits(request)
  }

  async answer(): Promise<MergedPage> {
    const { op, args, parts, shape } = this.#request
    const start = readCursor(op, args)
    const total = amountOf(shape, args)
    let left = start?.amount ?? total
    let number = 0
    for await (const part of parts) {
      const at = number++
      if (at < (start?.part ?? 0)) continue
      const isFirst = at === start?.part
      const cursor = isFirst ? start.cursor : null
      const before = isFirst ? start.done : 0
      if (this.#isExpired()) break
      // A limit for each page starts anew with the next one.
      const isPerPage = shape.amount?.isOverAllPages === false
      const isFull = this.#limits.isSpent || (isPerPage && left <= 0 && total > 0)
      const page = isFull ? undefined : await this.#run(part, left, cursor)
      if (page === undefined) {
        const amount = isPerPage && cursor === null ? total : left
        this.#next = writeCursor(op, args, { part: at, cursor, amount, done: before })
        break
      }
      const done = before + page.items.length
      if (page.next !== undefined) {
        this.#next = writeCursor(op, args, { part: at, cursor: page.next, amount: left, done })
        break
      }
      if (page.isCut) break
      if (shape.amount === undefined) continue
      left = Math.max(0, left - (shape.amount.isOverAllPages ? done : page.items.length))
    }
    return this.#page()
  }

  #page(): MergedPage {
    const { shape, elapsedMs } = this.#request
    const fields = this.#merged.fields()
    if (this.#next !== undefined && shape.list !== 'items') fields.truncated = true
    if (this.#isPartial) fields.partial = true
    if (this.#next !== undefined) fields.next_cursor = this.#next
    const metrics = this.#merged.metrics(elapsedMs())
    if (this.#merged.isEmpty && shape.list !== 'items') {
      fields.truncated ??= false
      if (shape.countMetric !== undefined) metrics[shape.countMetric] = 0
    }
    return { items: this.#items, fields, metrics }
  }

  #isExpired(): boolean {
    const deadline = this.#request.args.deadline_ms
    if (typeof deadline !== 'number' || this.#request.elapsedMs() < deadline) return false
    // The first root decides alone, so that a deadline of 0 has its usual answer.
    if (this.#merged.isEmpty) return false
    this.#isPartial = true
    return true
  }

  /** Runs a part and adds its items. Undefined if they do not fit into the page any more. */
  async #run(
    part: Part | FailedPart,
    amount: number,
    cursor: string | null,
  ): Promise<{ items: unknown[]; next: string | undefined; isCut: boolean } | undefined> {
    if ('problem' in part) {
      const items = [{ ok: false, error: { message: part.problem } }]
      this.#items.push(...items)
      this.#limits.charge(items, undefined)
      return { items, next: undefined, isCut: false }
    }
    const { shape } = this.#request
    const found = await this.#runFitting(part, amount, cursor)
    if (found === undefined) return undefined
    const { result, items } = found
    this.#items.push(...items)
    this.#merged.add(part.root.name, result)
    this.#limits.charge(items, result)
    const next = typeof result.next_cursor === 'string' ? result.next_cursor : undefined
    // `count` mode counts the lines of all roots.
    const isCut = result.truncated === true && shape.amount !== undefined && !isCounting(result)
    return { items, next, isCut }
  }

  /** Asks again for less if the names of the root made the items too long for the page. */
  async #runFitting(
    part: Part,
    amount: number,
    cursor: string | null,
  ): Promise<{ result: Result; items: unknown[] } | undefined> {
    const { op, shape, signal } = this.#request
    const { name, engine } = part.root
    let limits = this.#limits.args()
    for (let attempt = 0; ; attempt++) {
      const args: Args = { ...part.args, ...limits }
      // A wrong value goes to the root as it is, which names it in its error.
      if (shape.amount !== undefined && isAmount(args[shape.amount.name])) {
        args[shape.amount.name] = Math.max(0, amount)
      }
      if (cursor === null) delete args.cursor
      else args.cursor = cursor
      const result = await engine.run(op, args, signal)
      const raw = listOf(result, shape.list)
      const items = raw.map((item) => this.#named(name, item))
      const excess = this.#limits.excess(items)
      if (excess <= 1) return { result, items }
      if (raw.length <= 1 || attempt === maxAttempts) {
        return this.#items.length === 0 ? { result, items } : undefined
      }
      limits = this.#limits.reduced(raw, excess)
    }
  }

  #named(name: string, item: unknown): unknown {
    const named = nameItem(name, item)
    return this.#request.shape.hasRootField === true && isObject(named)
      ? { root: name, ...named }
      : named
  }
}

const maxAttempts = 4

function amountOf({ amount }: ListShape, args: Args): number {
  return amount === undefined ? 0 : numberOr(args[amount.name], amount.fallback)
}

function isAmount(value: unknown): boolean {
  return value === undefined || value === null || numberOr(value, -1) >= 0
}

function listOf(result: Result, list: string): unknown[] {
  const items = result[list]
  return Array.isArray(items) ? (items as unknown[]) : []
}

function isCounting(result: Result): boolean {
  return typeof result.count === 'number'
}
