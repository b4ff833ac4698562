// Adds up the usage of single answers. Runners write some answers more than once, each time with
// more in them, so the last word about an answer replaces what was said before.
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

  /** `fields` names where each count stands; an answer without an id counts by itself. */
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
    const isWhole = inputTokens !== undefined && outputTokens !== undefined
    return withoutUndefined({
      totalTokens: sum('total') ?? (isWhole ? inputTokens + outputTokens : undefined),
      inputTokens,
      outputTokens,
      cachedInputTokens: sum('cached'),
      reasoningOutputTokens: sum('reasoning'),
    })
  }
}

export type UsageFields = { readonly [K in keyof AnswerUsage]?: string }

const usageKeys = ['input', 'output', 'cached', 'reasoning', 'total'] as const

/** The numbers of a log that says its usage once, for everything. */
export function usageNumbers(usage: Loose, fields: UsageFields): RunnerNumbers {
  const sum = new TokenSum()
  sum.add(undefined, usage, fields)
  return sum.numbers()
}
