// Sums the token usage of answers by one definition for all runners: the total is fresh input, cached
// input, cache writes and output, thinking included. Runners may write an answer several times while
// it grows, so later usage for the same id replaces earlier usage.
import { asCount, withoutUndefined, sumDefined, type Loose, type RunnerNumbers } from './log.ts'

interface AnswerUsage {
  input?: number
  output?: number
  cached?: number
  written?: number
  reasoning?: number
  total?: number
}

/** The fields of a log, and what its input and output contain. */
export interface UsageFields {
  input?: string
  output?: string
  /** Input read from the cache, and written to it. */
  cached?: string
  written?: string
  /** Thinking. */
  reasoning?: string
  total?: string
  /** The input contains cached input and cache writes. */
  inputHasCached?: boolean
  /** The output does not contain thinking. */
  outputLacksThinking?: boolean
}

export class TokenSum {
  readonly #answers = new Map<string, AnswerUsage>()
  #unnamed = 0

  /** Adds the usage of an answer, read from the keys in `fields`. */
  add(id: string | undefined, usage: Loose, fields: UsageFields): void {
    const read: AnswerUsage = {}
    for (const key of usageKeys) {
      const field = fields[key]
      const value = field === undefined ? undefined : asCount(usage[field])
      if (value !== undefined) read[key] = value
    }
    if (Object.keys(read).length === 0) return
    const answer = { ...read, ...normalised(read, fields) }
    this.#answers.set(id === undefined ? `#${this.#unnamed++}` : `id ${id}`, answer)
  }

  numbers(): RunnerNumbers {
    const answers = [...this.#answers.values()]
    const sum = (key: keyof AnswerUsage) => sumDefined(answers.map((answer) => answer[key]))
    return withoutUndefined({
      totalTokens: sum('total'),
      inputTokens: sum('input'),
      outputTokens: sum('output'),
      cachedInputTokens: sum('cached'),
      cacheWriteTokens: sum('written'),
      reasoningOutputTokens: sum('reasoning'),
      modelCalls: answers.length === 0 ? undefined : answers.length,
    })
  }
}

const usageKeys = ['input', 'output', 'cached', 'written', 'reasoning', 'total'] as const

/** Fresh input, output with thinking, and their total; the log's own total if parts are missing. */
function normalised(
  { input, output, cached = 0, written = 0, reasoning = 0, total }: AnswerUsage,
  { inputHasCached, outputLacksThinking }: UsageFields,
): AnswerUsage {
  const fresh =
    input === undefined || inputHasCached !== true ? input : Math.max(0, input - cached - written)
  const whole = output === undefined || outputLacksThinking !== true ? output : output + reasoning
  const sum = fresh === undefined || whole === undefined ? total : fresh + cached + written + whole
  return withoutUndefined({ input: fresh, output: whole, total: sum })
}

/** The numbers of a log that states its total usage once, without the number of model calls. */
export function usageNumbers(usage: Loose, fields: UsageFields): RunnerNumbers {
  const sum = new TokenSum()
  sum.add(undefined, usage, fields)
  const { modelCalls: _one, ...numbers } = sum.numbers()
  return numbers
}
