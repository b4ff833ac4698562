import { expect, it } from 'vitest'
import { boundedFetch } from './bounded-fetch.ts'

const post = { method: 'POST' }

it('refuses more than 256 messages in flight: the server sends requests and reads no answer', async () => {
  const failures: string[] = []
  let answerAll: (response: Response) => void = () => {}
  const answered = new Promise<Response>((resolve) => (answerAll = resolve))
  const send = boundedFetch(
    100,
    ({ message }) => failures.push(message),
    () => answered,
  )
  const sent = Array.from({ length: 256 }, () => send('http://peer.test/', post))
  await expect(send('http://peer.test/', post)).rejects.toThrow('it left 256 messages unanswered')
  expect(failures).toEqual(['it left 256 messages unanswered'])
  answerAll(new Response(null, { status: 202 }))
  await Promise.all(sent)
  await expect(send('http://peer.test/', post)).resolves.toMatchObject({ status: 202 })
})

const bodyOf = (text: string, init: ResponseInit = {}) => new Response(text, init)
const stream = { headers: { 'content-type': 'text/event-stream' } }

async function read(
  method: string,
  response: Response,
): Promise<{ text: string; failed: string[] }> {
  const failed: string[] = []
  const send = boundedFetch(
    6,
    ({ message }) => failed.push(message),
    async () => response,
  )
  const answer = await send('http://peer.test/', { method })
  return { text: await answer.text().catch(({ message }: Error) => message), failed }
}

const tooMuch = 'it sent more than 6 bytes'

it.each([
  ['an answer', 'POST', '1234567', {}, [tooMuch]],
  ['the body of a failure', 'POST', '1234567', { status: 500 }, []],
  ['the body of a refused stream', 'GET', '1234567', { ...stream, status: 405 }, []],
  ['an answer that is no stream', 'GET', '12\n\n567', {}, []],
  ['the answer to the end of a session', 'DELETE', '1234567', {}, []],
  ['an event of a stream', 'GET', '1\n\n1234567', stream, [tooMuch]],
  ['an event in lines', 'GET', '123\n567\n', stream, [tooMuch]],
  ['an event between others', 'GET', '1\n\n1234567\n\n', stream, [tooMuch]],
])('limits the size of %s', async (_what, method, text, init, failed) => {
  expect(await read(method, bodyOf(text, init))).toEqual({ text: tooMuch, failed })
})

it.each(['123456', '1234\n\n1234\n\n', '123\r\r123\r\r', '12\r\n\r\n12\r\n\r\n'])(
  'limits no stream of short events: %j',
  async (text) => {
    expect(await read('GET', bodyOf(text, stream))).toEqual({ text, failed: [] })
  },
)
