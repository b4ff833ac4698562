// Wire formats by name, each loaded when it is first needed.
import type { Wire, WireName } from './wire.ts'

export async function loadWire(name: WireName): Promise<Wire> {
  switch (name) {
    case 'anthropic-messages':
      return (await import('./wires/anthropic-messages.ts')).anthropicMessages
    case 'openai-chat':
      return (await import('./wires/openai-chat.ts')).openaiChat
    case 'openai-responses':
      return (await import('./wires/openai-responses.ts')).openaiResponses
    case 'gemini':
      return (await import('./wires/gemini.ts')).gemini
  }
}
