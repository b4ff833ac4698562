// The table of wire formats. Adding one takes a folder beside this file and a row here.
import type { Wire } from './wire.ts'
export { createStreamDecoder } from './stream-decoder.ts'
export type { Quirks, Wire, WireContext } from './wire.ts'

/** Each row imports its format lazily: a program loads only the one that its provider speaks. */
const wires = {
  'anthropic-messages': async () => (await import('./anthropic/anthropic.ts')).anthropicMessages,
  'openai-chat': async () => (await import('./openai-chat/openai-chat.ts')).openaiChat,
  'openai-responses': async () =>
    (await import('./openai-responses/openai-responses.ts')).openaiResponses,
  gemini: async () => (await import('./gemini/gemini.ts')).gemini,
} satisfies Record<string, () => Promise<Wire>>

export type WireName = keyof typeof wires

export const wireNames = Object.keys(wires) as readonly WireName[]

export function loadWire(name: WireName): Promise<Wire> {
  return wires[name]()
}
