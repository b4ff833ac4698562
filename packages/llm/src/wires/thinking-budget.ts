// Token budgets of the thinking levels, the same for every vendor. Vendors count thinking towards
// the token limit, but the user's limit applies to the answer alone.
import type { ThinkingLevel } from '../request/request.ts'

export const thinkingBudgets: Readonly<Record<ThinkingLevel, number>> = {
  off: 0,
  low: 2048,
  medium: 8192,
  high: 24_576,
}

/**
 * The limit to send: `maxTokens` of answer plus the budget of `level`, within the model's maximum. A
 * request without a limit of its own asks for the maximum; undefined if that is unknown.
 */
export function outputTokenLimit(
  maxTokens: number | undefined,
  level: ThinkingLevel | undefined,
  maxOutput: number | undefined,
): number | undefined {
  if (maxTokens === undefined) return maxOutput
  const wanted = maxTokens + thinkingBudgets[level ?? 'off']
  return maxOutput === undefined ? wanted : Math.min(wanted, Math.max(maxTokens, maxOutput))
}
