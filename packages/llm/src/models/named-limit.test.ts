import { expect, it } from 'vitest'
import { anthropic, ask, hello, helloText } from '../../test/ask.ts'
import { closeAfterEach } from '../../test/closing.ts'
import { json, startServer } from '../../test/server.ts'

const keep = closeAfterEach()
const refusal = (message: string) => json(400, { error: { message } })
const tooMany = 'max_tokens: 5000 > 4096, which is the maximum allowed number of output tokens'
const noRoom = 'input length and `max_tokens` exceed context limit: 190000 + 5000 > 192000'

async function limitsSent(
  answers: Parameters<typeof startServer>,
  requests: number,
): Promise<{ limits: number[]; texts: string[]; errors: unknown[] }> {
  const server = keep(await startServer(...answers))
  const model = keep(anthropic(server))
  const [texts, errors]: [string[], unknown[]] = [[], []]
  for (let n = 0; n < requests; n++) {
    const { text, error } = await ask(model, { maxTokens: 5000 })
    texts.push(text)
    errors.push((error as Error | undefined)?.message)
  }
  const limits = server.requests.map(
    ({ body }) => (JSON.parse(body) as { max_tokens: number }).max_tokens,
  )
  return { limits, texts, errors }
}

it('the smaller limit that a server names is sent once more, and first by the next request', async () => {
  expect(await limitsSent([refusal(tooMany), hello], 2)).toEqual({
    limits: [5000, 4096, 4096],
    texts: [helloText, helloText],
    errors: [undefined, undefined],
  })
})

it('the room in the context counts for one request only', async () => {
  expect(await limitsSent([refusal(noRoom), hello], 2)).toMatchObject({
    limits: [5000, 2000, 5000],
  })
})

it('a second refusal is the error of the request', async () => {
  expect(await limitsSent([refusal(tooMany), refusal('max_tokens: 4096 > 1024')], 1)).toEqual({
    limits: [5000, 4096],
    texts: [''],
    errors: ['HTTP 400: max_tokens: 4096 > 1024'],
  })
})

it('a refusal that names no limit is not repeated', async () => {
  expect(await limitsSent([refusal('max_tokens is odd')], 1)).toMatchObject({ limits: [5000] })
})
