// Wire formats by name, each loaded when it is first needed.
import type { Wire, WireName } from './wire.ts'
export { createStreamDecoder } from './stream-decoder.ts'
export type { Quirks, Wire, WireContext, WireName } from './wire.ts'

export async function loadWire(name: WireName): Promise<Wire> {
  switch (name) {
    case 'anthropic-messages':
      return (await import('./anthropic/anthropic.ts')).anthropicMessages
    case 'openai-chat':
      return (await import('./openai-chat/openai-chat.ts')).openaiChat
    case 'openai-responses':
      return (await import('./openai-responses/openai-responses.ts')).openaiResponses
    case 'gemini':
      return (await import('./gemini/gemini.ts')).gemini
  }
}
