// Receipts of requests: token counts as far as the provider reported them, else estimated from sizes.
import type { AbandonedAttempt, Usage } from '@zee/llm'
import type { Receipt } from '../session/session.ts'
import { estimateTokens } from '../tokens/tokens.ts'
import type { AgentEvent } from './events.ts'
import type { Turn } from './options.ts'

/** The receipt of a request that ended with `stop`. */
export async function answerReceipt(
  { model, request, cost }: Pick<Turn, 'model' | 'request' | 'cost'>,
  attempt: AbandonedAttempt,
  stop: NonNullable<Receipt['stop']>,
): Promise<Receipt> {
  const { usage, isEstimated } = completeUsage(attempt, stop)
  return {
    provider: model.provider,
    model: request.model,
    usage,
    ...(isEstimated ? { isUsageEstimated: true } : {}),
    stop,
    durationMs: attempt.durationMs,
    costUsd: await cost?.(usage),
  }
}

/** The receipt of a request that ended the turn without a complete answer. */
export function abandonedReceipt(
  turn: Pick<Turn, 'model' | 'request' | 'cost' | 'signal'>,
  attempt: AbandonedAttempt,
): Promise<Receipt> {
  return answerReceipt(turn, attempt, turn.signal.aborted ? 'interrupted' : 'error')
}

/** The event for a receipt; none if the provider reported no counts. */
export function usageEvents({
  usage,
  isUsageEstimated,
  durationMs,
  costUsd,
}: Receipt): AgentEvent[] {
  if (usage === undefined || isUsageEstimated === true) return []
  return [{ type: 'usage', usage, durationMs: durationMs ?? 0, costUsd }]
}

/** Output tokens by which an estimate must exceed the reported count to replace it. */
const maxUnreportedTokens = 64

/**
 * Some providers report the output only at the end of an answer. For an answer that ended early, an
 * estimate replaces an output count that is clearly too small.
 */
function completeUsage(
  { usage, sentBytes, receivedBytes }: AbandonedAttempt,
  stop: string,
): { usage: Usage; isEstimated: boolean } {
  const outputTokens = estimateTokens(receivedBytes)
  if (usage === undefined) {
    const inputTokens = estimateTokens(sentBytes)
    return { usage: { inputTokens, outputTokens }, isEstimated: true }
  }
  const endedEarly = stop === 'interrupted' || stop === 'error'
  if (!endedEarly || outputTokens <= usage.outputTokens + maxUnreportedTokens) {
    return { usage, isEstimated: false }
  }
  return { usage: { ...usage, outputTokens }, isEstimated: true }
}
