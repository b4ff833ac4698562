// Converts the token counts of a vendor to `Usage`.
import { asNumber } from '../json/json.ts'
import type { Usage } from '../request/request.ts'
import type { Emit } from './wire.ts'

/** Raw values from the response; a value that is not a number counts as 0. */
interface Counts {
  /** All input, cached or not. */
  input: unknown
  /** All output, thinking included. */
  output: unknown
  cached?: unknown
  cacheWrite?: unknown
  thinking?: unknown
}

/** Omits cached, written and thinking tokens if they are 0. */
export function tokenUsage({ input, output, cached, cacheWrite, thinking }: Counts): Usage {
  return {
    inputTokens: asNumber(input) ?? 0,
    outputTokens: asNumber(output) ?? 0,
    ...optionalCount('cachedInputTokens', cached),
    ...optionalCount('cacheWriteTokens', cacheWrite),
    ...optionalCount('thinkingTokens', thinking),
  }
}

export type ReportUsage = (usage: Usage | undefined) => void

/** Emits token counts when they change, so that an answer that is cut off has those reported so far. */
export function usageReporter(emit: Emit): ReportUsage {
  let last = ''
  return (usage) => {
    const counts = JSON.stringify(usage)
    if (usage === undefined || counts === last) return
    last = counts
    emit({ type: 'usage', usage })
  }
}

function optionalCount(name: keyof Usage, value: unknown): Partial<Usage> {
  const count = asNumber(value) ?? 0
  return count > 0 ? { [name]: count } : {}
}
