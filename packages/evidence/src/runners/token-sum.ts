// Sums the token usage of answers. Runners may write an answer several times while it grows, so
// later usage for the same id replaces earlier usage.
import { asCount, withoutUndefined, sumDefined, type Loose, type RunnerNumbers } from './log.ts'

export interface AnswerUsage {
  input?: number
  output?: number
  cached?: number
  reasoning?: number
  total?: number
}

export class TokenSum {
  readonly #answers = new Map<string, AnswerUsage>()
  #unnamed = 0

  /** Adds the usage of an answer, read from the keys in `fields`. */
  add(id: string | undefined, usage: Loose, fields: UsageFields): void {
    const answer: AnswerUsage = {}
    for (const key of usageKeys) {
      const field = fields[key]
      const value = field === undefined ? undefined : asCount(usage[field])
      if (value !== undefined) answer[key] = value
    }
    if (Object.keys(answer).length === 0) return
    this.#answers.set(id === undefined ? `#${this.#unnamed++}` : `id ${id}`, answer)
  }

  numbers(): RunnerNumbers {
    const sum = (key: keyof AnswerUsage) =>
      sumDefined([...this.#answers.values()].map((answer) => answer[key]))
    const inputTokens = sum('input')
    const outputTokens = sum('output')
    const hasBoth = inputTokens !== undefined && outputTokens !== undefined
    return withoutUndefined({
      totalTokens: sum('total') ?? (hasBoth ? inputTokens + outputTokens : undefined),
      inputTokens,
      outputTokens,
      cachedInputTokens: sum('cached'),
      reasoningOutputTokens: sum('reasoning'),
    })
  }
}

export type UsageFields = { readonly [K in keyof AnswerUsage]?: string }

const usageKeys = ['input', 'output', 'cached', 'reasoning', 'total'] as const

/** The numbers of a log that states its total usage once. */
export function usageNumbers(usage: Loose, fields: UsageFields): RunnerNumbers {
  const sum = new TokenSum()
  sum.add(undefined, usage, fields)
  return sum.numbers()
}
