// The spending limit of a run (`--max-usd`, `max_usd`): stops before a request that would exceed it. The
// estimate counts all input as uncached, and no output, because its length is unknown.
import type { Turn } from '@zee/agent'
import { ZeeError } from '@zee/core/errors'
import type { ModelRequest, Usage } from '@zee/llm'
import { formatDollars } from '../render/render.ts'

/** What the run has spent; shared by the conversations of one run. */
export interface Spending {
  usd: number
}

export interface Budget {
  /** Throws `budget` if the request would exceed the limit. */
  check(request: ModelRequest): void
  cost: NonNullable<Turn['cost']>
  /** For the user, if the limit cannot be enforced. */
  warnings: string[]
}

type CostOf = (usage: Usage) => number | undefined

/** Used until the first answer reports its tokens. */
const bytesPerToken = 4

export function openBudget(
  maxUsd: number | undefined,
  spending: Spending,
  costOf: CostOf,
  model: string,
): Budget {
  let requestBytes = 0
  let tokensPerByte = 1 / bytesPerToken
  const cost: Budget['cost'] = async (usage) => {
    const usd = costOf(usage)
    spending.usd += usd ?? 0
    if (requestBytes > 0 && usage.inputTokens > 0) tokensPerByte = usage.inputTokens / requestBytes
    return usd
  }
  if (maxUsd === undefined) return { cost, check: () => {}, warnings: [] }
  const check: Budget['check'] = ({ system, messages, tools }) => {
    requestBytes = Buffer.byteLength(JSON.stringify({ system, messages, tools }))
    const inputTokens = Math.ceil(requestBytes * tokensPerByte)
    const estimate = costOf({ inputTokens, outputTokens: 0 }) ?? 0
    if (spending.usd + estimate > maxUsd) throw overBudget(maxUsd, spending.usd, estimate)
  }
  const isPriced = costOf({ inputTokens: 1, outputTokens: 1 }) !== undefined
  return {
    cost,
    check,
    warnings: isPriced ? [] : [`the price of ${model} is not known: max_usd has no effect`],
  }
}

function overBudget(maxUsd: number, spent: number, estimate: number): ZeeError {
  return new ZeeError(
    'budget',
    `the next request would exceed the limit of ${formatDollars(maxUsd)}: ` +
      `${formatDollars(spent)} spent, about ${formatDollars(estimate)} for its input; ` +
      'raise it with --max-usd and continue the session',
  )
}
