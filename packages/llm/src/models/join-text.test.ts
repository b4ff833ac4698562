import { expect, it } from 'vitest'
import { anthropic, request } from '../../test/ask.ts'
import { closeAfterEach } from '../../test/closing.ts'
import { startServer } from '../../test/server.ts'
import type { ModelEvent } from '../request/request.ts'

const keep = closeAfterEach()

const line = (event: object): string => `data: ${JSON.stringify(event)}\n\n`
const start = (index: number, type: string): string =>
  line({ type: 'content_block_start', index, content_block: { type } })
const text = (index: number, text: string): string =>
  line({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } })
const thought = (index: number, thinking: string): string =>
  line({ type: 'content_block_delta', index, delta: { type: 'thinking_delta', thinking } })
const stop = line({ type: 'message_stop' })

/** The events without those of the end; the server sends the next part after the first event. */
async function eventsOf(joinText: boolean, ...parts: string[]): Promise<ModelEvent[]> {
  let next = (): unknown => undefined
  const server = keep(
    await startServer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      next = () => {
        const part = parts.shift()
        return part === undefined ? response.end() : response.write(part)
      }
      next()
    }),
  )
  const events: ModelEvent[] = []
  for await (const event of keep(anthropic(server, { joinText })).stream(request)) {
    if (event.type !== 'stop') events.push(event)
    next()
  }
  return events
}

it('two deltas that arrive together are one event with joinText', async () => {
  const parts = [start(0, 'text') + text(0, 'a') + text(0, 'b'), text(0, 'c'), stop]
  expect(await eventsOf(true, ...parts)).toEqual([
    { type: 'text', text: 'ab' },
    { type: 'text', text: 'c' },
  ])
})

it('thinking is joined with thinking only, and text with text', async () => {
  const parts = [
    start(0, 'thinking') + start(1, 'text'),
    thought(0, 'a') + thought(0, 'b') + text(1, 'c') + text(1, 'd') + thought(0, 'e') + stop,
  ]
  expect(await eventsOf(true, parts.join(''))).toEqual([
    { type: 'thinking', text: 'ab' },
    { type: 'text', text: 'cd' },
    { type: 'thinking', text: 'e' },
  ])
})

it('deltas that arrive together are separate events without joinText', async () => {
  const all = start(0, 'text') + text(0, 'a') + text(0, 'b') + stop
  expect(await eventsOf(false, all)).toEqual([
    { type: 'text', text: 'a' },
    { type: 'text', text: 'b' },
  ])
})
