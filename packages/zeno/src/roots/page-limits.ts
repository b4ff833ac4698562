// The limits of one answer over several roots, and what is left of them.
import { isObject } from '@zee/core/json'
import type { Result } from '../engine/engine.ts'
import { asciiJson } from '../json/json.ts'
import type { PageRequest } from './part-pages.ts'
import type { Args } from './root-names.ts'

export class PageLimits {
  #chars: number
  #bytes: number
  #textChars: number
  #lines: number
  readonly #request: PageRequest

  constructor(request: PageRequest) {
    const { args, shape } = request
    this.#request = request
    this.#chars = shape.hasNoCharLimit === true ? Infinity : numberOr(args.max_chars, Infinity)
    this.#bytes = numberOr(args.max_answer, Infinity)
    this.#textChars = numberOr(args.max_text_chars, Infinity)
    this.#lines = numberOr(args.max_total_lines, Infinity)
  }

  get isSpent(): boolean {
    return this.#chars <= 0 || this.#bytes <= 0
  }

  /** The limits as arguments of a part. */
  args(): Args {
    const isMeasured = this.#request.charsOf !== undefined
    return {
      ...(this.#chars === Infinity ? {} : { max_chars: isMeasured ? undefined : this.#chars }),
      ...limit('max_answer', this.#bytes),
      ...limit('max_text_chars', this.#textChars),
      ...limit('max_total_lines', this.#lines),
    }
  }

  /** Limits for fewer items, from the size of items that were too many by a factor. */
  reduced(raw: readonly unknown[], excess: number): Args {
    const factor = 0.9 / excess
    const chars = Math.max(1, Math.floor(jsonChars(raw) * factor))
    const bytes = Math.max(1, Math.floor(jsonBytes(raw) * factor))
    const { hasNoCharLimit } = this.#request.shape
    return {
      ...this.args(),
      ...(hasNoCharLimit === true ? {} : { max_chars: chars }),
      max_answer: bytes,
    }
  }

  /** By which factor items exceed the page; at most 1 if they fit. */
  excess(items: readonly unknown[]): number {
    const chars = this.#chars === Infinity ? 0 : this.#charsOf(items) / Math.max(1, this.#chars)
    const bytes = this.#bytes === Infinity ? 0 : jsonBytes(items) / Math.max(1, this.#bytes)
    return Math.max(chars, bytes)
  }

  charge(items: readonly unknown[], result: Result | undefined): void {
    if (this.#chars !== Infinity) this.#chars -= this.#charsOf(items)
    if (this.#bytes !== Infinity) this.#bytes -= jsonBytes(items)
    if (this.#textChars !== Infinity) {
      this.#textChars = Math.max(0, this.#textChars - textChars(items))
    }
    const lines = result?.metrics.lines_returned
    if (typeof lines === 'number') this.#lines = Math.max(0, this.#lines - lines)
  }

  #charsOf(items: readonly unknown[]): number {
    return this.#request.charsOf?.(items) ?? jsonChars(items)
  }
}

function limit(name: string, value: number): Args {
  return value === Infinity ? {} : { [name]: value }
}

/** A finite number, or a text that is one; else the fallback. */
export function numberOr(value: unknown, fallback: number): number {
  const number = typeof value === 'string' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : fallback
}

function jsonChars(items: readonly unknown[]): number {
  return items.reduce<number>((sum, item) => sum + JSON.stringify(item).length, 0)
}

function jsonBytes(items: readonly unknown[]): number {
  return items.reduce<number>((sum, item) => sum + asciiJson(item).length + 1, 0)
}

/** Characters of every field `text`, at any depth. */
function textChars(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + textChars(each), 0)
  if (!isObject(value)) return 0
  let chars = typeof value.text === 'string' ? Array.from(value.text).length : 0
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object') chars += textChars(inner)
  }
  return chars
}
