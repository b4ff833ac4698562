// Token counts of every vendor in one form.
import { asNumber } from '../json/json.ts'
import type { Usage } from '../request/request.ts'

/** What a vendor's answer says, wherever it says it; anything but a number counts as 0. */
interface Counts {
  /** All input, cached or not. */
  input: unknown
  /** All output, thinking included. */
  output: unknown
  cached?: unknown
  cacheWrite?: unknown
  thinking?: unknown
}

/** Details of which there are none are left out. */
export function tokenUsage({ input, output, cached, cacheWrite, thinking }: Counts): Usage {
  return {
    inputTokens: asNumber(input) ?? 0,
    outputTokens: asNumber(output) ?? 0,
    ...optionalCount('cachedInputTokens', cached),
    ...optionalCount('cacheWriteTokens', cacheWrite),
    ...optionalCount('thinkingTokens', thinking),
  }
}

function optionalCount(name: keyof Usage, value: unknown): Partial<Usage> {
  const count = asNumber(value) ?? 0
  return count > 0 ? { [name]: count } : {}
}
