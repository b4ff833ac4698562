// A conversation seen through a renderer: what a single prompt and a chat have in common.
import { runTurn } from '@zee/agent'
import type { Conversation, ConversationChoice } from './conversation.ts'
import { openConversation } from './conversation.ts'
import type { Interrupts } from './interrupt.ts'
import type { Renderer } from './render/renderer.ts'
import type { TurnOutcome } from './render/turn-outcome.ts'

/** Opens a conversation; that there is none to open is shown like everything else. */
export async function openShown(
  choice: ConversationChoice,
  renderer: Renderer,
): Promise<Conversation> {
  return openConversation(choice).catch(async (error: Error) => {
    await renderer.failed(error)
    throw error
  })
}

/** Runs a turn that ends with an interrupt, or when nobody reads the answer any more. */
export function oneTurn(
  conversation: Conversation,
  prompt: string,
  interrupts: Interrupts,
  renderer: Renderer,
): Promise<TurnOutcome> {
  const left = new AbortController()
  const signal = AbortSignal.any([interrupts.signal, left.signal])
  return renderer.turn(runTurn(conversation.turn(prompt, signal)), () => left.abort())
}
