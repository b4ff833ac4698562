// The limits that the capabilities of a turn set to one request: the tokens that are left and the time
// until which the turn is allowed. Checked before the request and while the answer arrives.
import { ZeeError } from '@zee/core/errors'
import { deadlineOf, readAllows, refusalOf, refusedTime, tokensOf } from '../../allow/allow.ts'
import { notAllowedCode } from '../../client/client.ts'
import { optionalInteger } from '../../fields/fields.ts'
import type { ServiceContext } from '../../service/service.ts'
import type { Message } from '../../wire/wire.ts'
import { estimateTokens } from './estimate-tokens.ts'

export interface Budget {
  /** Tokens that the answer may have; undefined without a limit. */
  maxTokens: number | undefined
  /** Seconds until the turn is no longer allowed. */
  seconds: number
  /** Throws when the answer has become longer than allowed. */
  check(answerLength: number): void
}

/** Throws when nothing is left. */
export function openBudget(
  { clock, env }: ServiceContext,
  message: Message,
  messages: readonly Message[],
): Budget {
  const allows = readAllows(message.allow, { cwd: process.cwd(), home: env.HOME })
  const now = clock.now()
  const late = refusedTime(allows, now)
  if (late !== undefined) throw new ZeeError(notAllowedCode, late)
  const end = deadlineOf(allows)
  const seconds = end === undefined ? Infinity : (end - now.getTime()) / 1000
  const limit = tokensOf(allows)
  if (limit === undefined) return { maxTokens: undefined, seconds, check: () => {} }
  const used = optionalInteger(message, 'tokens_used') ?? 0
  const needed = estimateTokens(messages, 0)
  const maxTokens = limit - used - needed
  const refuse = (reason: string) => new ZeeError(notAllowedCode, refusalOf('tokens', reason))
  if (maxTokens < 1) {
    throw refuse(`this turn has used ${used} of ${limit} tokens; the next request needs ${needed}`)
  }
  return {
    maxTokens,
    seconds,
    check: (answerLength) => {
      if (estimateTokens([], answerLength) > maxTokens) {
        throw refuse(`the answer is longer than the ${maxTokens} tokens that are left`)
      }
    },
  }
}
