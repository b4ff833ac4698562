// A scripted model that calls tools in order, and access to its requests.
import type { Block } from '../../support/fake-anthropic.ts'
import { answer, say } from '../../support/fake-anthropic.ts'
import type { Place } from './with-server.ts'

export type ToolBlock = Extract<Block, { tool: string }>
export type Envelope = Record<string, unknown>

/** Runs the calls in order, then answers ok; returns the results that zdx sent back. */
export function scriptCalls(place: Place, calls: readonly ToolBlock[]): () => Envelope[] {
  const { requests } = place.server
  const before = requests.length
  place.respond = (request, response) => {
    const call = calls[requests.length - before - 1]
    return (call === undefined ? say('ok') : answer(call))(request, response)
  }
  return () =>
    requests
      .slice(before + 1)
      .map(({ body }) => body.messages.at(-1)?.content as { content: string }[])
      .map((blocks) => JSON.parse(blocks[0]?.content ?? '') as Envelope)
}

/** The names of the tools in the latest request. */
export function offeredTools({ server }: Place): string[] | undefined {
  return server.requests.at(-1)?.body.tools?.map(({ name }) => name)
}
