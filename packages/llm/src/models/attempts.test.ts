import { expect, it } from 'vitest'
import { anthropic, ask, hello, helloText } from '../../test/ask.ts'
import { closeAfterEach } from '../../test/closing.ts'
import { brokenAfter, hangUp, json, startServer, type Responder } from '../../test/server.ts'
import type { AbandonedAttempt, ModelEvent } from '../request/request.ts'

const keep = closeAfterEach()

const line = (event: object): string => `data: ${JSON.stringify(event)}\n\n`
const usage = (output: number): string =>
  line({ type: 'message_delta', usage: { input_tokens: 5, output_tokens: output } })
const text =
  line({ type: 'content_block_start', index: 0, content_block: { type: 'text' } }) +
  line({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } })

async function outcome(...answers: Responder[]): Promise<{
  events: ModelEvent[]
  error: unknown
  text: string
  abandoned: AbandonedAttempt[]
  requests: number
}> {
  const abandoned: AbandonedAttempt[] = []
  const server = keep(await startServer(...answers))
  const onAbandoned = (attempt: AbandonedAttempt): void => void abandoned.push(attempt)
  const asked = await ask(keep(anthropic(server)), { onAbandoned })
  return { ...asked, abandoned, requests: server.requests.length }
}

it('a complete answer has one usage event, the last, and is not reported as abandoned', async () => {
  const stream = usage(1) + text + usage(2) + line({ type: 'message_stop' })
  const { events, abandoned } = await outcome((response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream),
  )
  expect(events).toEqual([
    { type: 'text', text: 'Hi' },
    { type: 'usage', usage: { inputTokens: 5, outputTokens: 2 } },
    { type: 'stop', reason: 'end', detail: 'end_turn' },
  ])
  expect(abandoned).toEqual([])
})

it('an answer without token counts has no usage event', async () => {
  const { events } = await outcome((response) =>
    response
      .writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'identity' })
      .end(text + line({ type: 'message_stop' })),
  )
  expect(events.map(({ type }) => type)).toEqual(['text', 'stop'])
})

it('an answer that is cut off is reported as abandoned with the counts and bytes so far', async () => {
  const { events, error, abandoned, requests } = await outcome(brokenAfter(usage(1) + text))
  expect(events).toEqual([{ type: 'text', text: 'Hi' }])
  expect(error).toMatchObject({ kind: 'internal' })
  expect(requests).toBe(1)
  expect(abandoned).toMatchObject([
    { usage: { inputTokens: 5, outputTokens: 1 }, receivedBytes: 2 },
  ])
  expect(abandoned[0]?.sentBytes).toBeGreaterThan(50)
})

it('attempts that the server refused or hung up on are not reported as abandoned', async () => {
  const answers = [json(529, {}), hangUp, hello]
  expect(await outcome(...answers)).toMatchObject({ text: helloText, abandoned: [], requests: 3 })
})

it('an answer with a content encoding is refused by its name, and reported as abandoned', async () => {
  const { error, abandoned } = await outcome((response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
  )
  expect(error).toMatchObject({
    kind: 'parse',
    message: 'The answer has the content encoding gzip, which was not requested',
  })
  expect(abandoned).toMatchObject([{ usage: undefined, receivedBytes: 0 }])
})
