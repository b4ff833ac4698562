// Sums the usage of a turn: tokens, cached tokens, cost if the price is known, time.
import type { AgentEvent } from '@zee/agent'
import type { Clock } from '@zee/core/clock'

type UsageEvent = Extract<AgentEvent, { type: 'usage' }>

export interface UsageTotal {
  add(event: UsageEvent): void
  /** `12 tokens in (10 cached), 7 out, $0.0012, 1.2 s`; without usage events only the time, and only if `always`. */
  text(always: boolean): string
}

export function createUsageTotal(clock: Clock): UsageTotal {
  const startedMs = clock.monotonicMs()
  let [input, cached, output, cost] = [0, 0, 0, 0]
  let isPriced = false
  let answers = 0
  return {
    add: ({ usage, costUsd }) => {
      answers += 1
      input += usage.inputTokens
      cached += usage.cachedInputTokens ?? 0
      output += usage.outputTokens
      isPriced ||= costUsd !== undefined
      cost += costUsd ?? 0
    },
    text: (always) => {
      const seconds = `${((clock.monotonicMs() - startedMs) / 1000).toFixed(1)} s`
      if (answers === 0) return always ? seconds : ''
      const parts = [
        `${input} tokens in${cached > 0 ? ` (${cached} cached)` : ''}`,
        `${output} out`,
        ...(isPriced ? [formatDollars(cost)] : []),
        seconds,
      ]
      return parts.join(', ')
    },
  }
}

/** Two decimals, four below $0.10; a smaller amount than $0.0001 never prints as zero. */
export function formatDollars(amount: number): string {
  if (amount > 0 && amount < 0.0001) return '<$0.0001'
  return `$${amount.toFixed(amount > 0 && amount < 0.1 ? 4 : 2)}`
}
