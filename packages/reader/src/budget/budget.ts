// What one question may cost: model calls, tokens, bytes of text read, and time. Every level of the recursion shares
// one budget.
import { usageError } from '@zee/core/errors'

export interface AskBudget {
  /** Model calls, of the root model and of all sub-calls. */
  calls: number
  /** Input and output tokens as the provider reports them, or 4 characters each where it does not. */
  tokens: number
  /** Bytes of text that tools return. */
  bytes: number
  /** Seconds. */
  time: number
}

export type BudgetKind = keyof AskBudget

export const defaultBudget: AskBudget = {
  calls: 400,
  tokens: 4_000_000,
  bytes: 100_000_000,
  time: 1800,
}

const kinds: readonly BudgetKind[] = ['calls', 'tokens', 'bytes', 'time']

/** Parses `calls=50,tokens=200000,bytes=5000000,time=600`; each part is optional. */
export function parseAskBudget(text: string): Partial<AskBudget> {
  const budget: Partial<AskBudget> = {}
  for (const part of text.split(',')) {
    const [, name, number] = /^\s*(\w+)=(\d{1,15})\s*$/.exec(part) ?? []
    const kind = kinds.find((each) => each === name)
    if (kind === undefined || number === undefined || budget[kind] !== undefined) {
      throw usageError(
        `'${text}' is not a budget such as calls=50,tokens=200000,bytes=5000000,time=600`,
      )
    }
    budget[kind] = Number(number)
  }
  return budget
}

/** Counts what a question has cost so far. */
export class Spending {
  readonly limits: AskBudget
  readonly used = { calls: 0, tokens: 0, bytes: 0 }
  readonly #startedMs: number
  readonly #monotonicMs: () => number

  constructor(limits: Partial<AskBudget>, monotonicMs: () => number) {
    this.limits = { ...defaultBudget, ...limits }
    this.#monotonicMs = monotonicMs
    this.#startedMs = monotonicMs()
  }

  /** Milliseconds until the time is spent. */
  get remainingMs(): number {
    return this.limits.time * 1000 - (this.#monotonicMs() - this.#startedMs)
  }

  /** A kind of which nothing is left; `reserve` calls are kept for the last answer. */
  spent(reserve = 0): BudgetKind | undefined {
    if (this.remainingMs <= 0) return 'time'
    if (this.used.calls + reserve >= this.limits.calls) return 'calls'
    if (this.used.tokens >= this.limits.tokens) return 'tokens'
    return this.used.bytes >= this.limits.bytes ? 'bytes' : undefined
  }

  addCall(tokens: number): void {
    this.used.calls++
    this.used.tokens += tokens
  }

  /** Counts a text that a tool returns. */
  addText(text: string): void {
    this.used.bytes += Buffer.byteLength(text)
  }
}
