// Estimates token counts for APIs that report no usage.
import type { Message } from '../../wire/wire.ts'

const charactersPerToken = 4

export function estimateTokens(messages: readonly Message[], answerLength: number): number {
  const characters = messages.reduce(
    (sum, { content }) => sum + (typeof content === 'string' ? content.length : 0),
    0,
  )
  return Math.ceil((characters + answerLength) / charactersPerToken)
}
