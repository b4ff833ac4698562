// What most runners' logs come to, line by line: turns, calls of tools and tokens, each counted once
// however often the log repeats it.
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

  /** The user's words; `id` when the log may tell the same turn again. */
  addTurn(id?: string): void {
    this.#turns.set(id ?? `#${this.#turns.size}`, 1)
  }

  /** Calls of tools; what is said about the same `id` later replaces what was said before. */
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

/** A collector for a log whose lines can be understood one by one. */
export function totalsCollector(take: (line: Loose, totals: LogTotals) => void): () => Collector {
  return () => {
    const totals = new LogTotals()
    return { addLine: (line) => take(line, totals), reading: () => totals.reading() }
  }
}
