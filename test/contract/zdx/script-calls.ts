// A model that calls given tools one after another, and what they answered.
import type { Answer, Block, FakeAnthropic } from '../../support/fake-anthropic.ts'
import { answer, say } from '../../support/fake-anthropic.ts'

export type ToolBlock = Extract<Block, { tool: string }>
export type Envelope = Record<string, unknown>

export interface ScriptedCalls {
  /** Calls the tools in order, then says ok. */
  respond: Answer
  /** The results that were sent back, in the same order. */
  results(): Envelope[]
}

export function scriptCalls(server: FakeAnthropic, calls: readonly ToolBlock[]): ScriptedCalls {
  const before = server.requests.length
  return {
    respond: (request, response) => {
      const call = calls[server.requests.length - before - 1]
      return (call === undefined ? say('ok') : answer(call))(request, response)
    },
    results: () =>
      server.requests
        .slice(before + 1)
        .map(({ body }) => body.messages.at(-1)?.content as { content: string }[])
        .map((blocks) => JSON.parse(blocks[0]?.content ?? '') as Envelope),
  }
}
