// How many tokens a level of thinking is worth, the same for every vendor. Thinking counts towards
// the limit of an answer everywhere, but the user's limit is meant for the answer itself.
import type { ThinkingLevel } from '../request/request.ts'

export const thinkingBudgets: Readonly<Record<ThinkingLevel, number>> = {
  off: 0,
  low: 2048,
  medium: 8192,
  high: 24_576,
}

/** The limit to send for an answer of `maxTokens` and the thinking before it, if there is any. */
export function withThinkingBudget(maxTokens: number, level: ThinkingLevel | undefined): number {
  return maxTokens + thinkingBudgets[level ?? 'off']
}
