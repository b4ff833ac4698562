// Running totals of a log: turns, tool calls and tokens. Repeated entries with the same id count
// once.
import {
  withoutUndefined,
  type Collector,
  type Loose,
  type RunnerNumbers,
  type RunnerReading,
} from './log.ts'
import { TokenSum } from './token-sum.ts'

export class LogTotals {
  usableLines = 0
  sessionId: string | undefined
  model: string | undefined
  provider: string | undefined
  readonly tokens = new TokenSum()
  readonly #turns = new Map<string, number>()
  readonly #calls = new Map<string, number>()
  readonly #firstUserTexts: string[] = []
  #isAnswered = false

  /** Counts a user turn; pass `id` if the log may repeat it. */
  addTurn(id?: string): void {
    this.#turns.set(id ?? `#${this.#turns.size}`, 1)
  }

  /** Counts tool calls; a later count for the same `id` replaces the earlier one. */
  addCalls(count: number, id?: string): void {
    this.#calls.set(id ?? `#${this.#calls.size}`, count)
  }

  addUserText(text: string): void {
    if (!this.#isAnswered) this.#firstUserTexts.push(text)
  }

  markAnswered(): void {
    this.#isAnswered = true
  }

  reading(): RunnerReading {
    return {
      usableLines: this.usableLines,
      ...withoutUndefined({ sessionId: this.sessionId }),
      firstUserTexts: this.#firstUserTexts,
      numbers: this.#numbers(),
    }
  }

  #numbers(): RunnerNumbers {
    const calls = [...this.#calls.values()].reduce((sum, count) => sum + count, 0)
    return {
      ...withoutUndefined({
        model: this.model,
        modelProvider: this.provider,
        turnCount: this.#turns.size === 0 ? undefined : this.#turns.size,
      }),
      ...this.tokens.numbers(),
      ...withoutUndefined({ toolCalls: this.#isAnswered ? calls : undefined }),
    }
  }
}

/** A factory of collectors that add each line to the totals on its own. */
export function totalsCollector(add: (line: Loose, totals: LogTotals) => void): () => Collector {
  return () => {
    const totals = new LogTotals()
    return { addLine: (line) => add(line, totals), reading: () => totals.reading() }
  }
}
