// The closing line of a turn: how full the context of the model is, and what the turn cost.
import type { AgentEvent } from '@zee/agent'
import type { Clock } from '@zee/core/clock'

type UsageEvent = Extract<AgentEvent, { type: 'usage' }>

export interface UsageLine {
  add(event: UsageEvent): void
  /** `ctx 12.4k/200k (6 %), $0.0012, 1.2 s`; without usage only the time, and only if `always`. */
  text(contextWindow: number | undefined, always: boolean): string
}

export function createUsageLine(clock: Clock): UsageLine {
  const startedMs = clock.monotonicMs()
  let lastInput: number | undefined
  let cost: number | undefined
  return {
    add: ({ usage, costUsd }) => {
      lastInput = usage.inputTokens
      if (costUsd !== undefined) cost = (cost ?? 0) + costUsd
    },
    text: (contextWindow, always) => {
      const seconds = `${((clock.monotonicMs() - startedMs) / 1000).toFixed(1)} s`
      if (lastInput === undefined) return always ? seconds : ''
      const parts = [formatContext(lastInput, contextWindow)]
      if (cost !== undefined) parts.push(formatDollars(cost))
      return [...parts, seconds].join(', ')
    },
  }
}

function formatContext(tokens: number, window: number | undefined): string {
  if (window === undefined || window <= 0) return `ctx ${formatTokens(tokens)}`
  const percent = Math.round((100 * tokens) / window)
  return `ctx ${formatTokens(tokens)}/${formatTokens(window)} (${percent} %)`
}

/** `815`, `12.4k`, `1M` */
function formatTokens(count: number): string {
  if (count < 1000) return String(count)
  const [value, unit] = count < 999_950 ? [count / 1000, 'k'] : [count / 1e6, 'M']
  return `${value.toFixed(1).replace(/\.0$/, '')}${unit}`
}

/** Two decimals, four below $0.10; a smaller amount than $0.0001 never prints as zero. */
export function formatDollars(amount: number): string {
  if (amount > 0 && amount < 0.0001) return '<$0.0001'
  return `$${amount.toFixed(amount > 0 && amount < 0.1 ? 4 : 2)}`
}
