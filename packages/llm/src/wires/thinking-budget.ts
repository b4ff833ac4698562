// Token budgets of the thinking levels, the same for every vendor. Vendors count thinking towards
// the token limit, but the user's limit applies to the answer alone.
import type { ThinkingLevel } from '../request/request.ts'

export const thinkingBudgets: Readonly<Record<ThinkingLevel, number>> = {
  off: 0,
  low: 2048,
  medium: 8192,
  high: 24_576,
}

/** The limit to send for `maxTokens` of answer plus the budget of `level`. */
export function withThinkingBudget(maxTokens: number, level: ThinkingLevel | undefined): number {
  return maxTokens + thinkingBudgets[level ?? 'off']
}
