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

it('limits the size of an answer, except for streams that stay open', async () => {
  const failures: string[] = []
  const send = boundedFetch(
    5,
    ({ message }) => failures.push(message),
    async () => new Response('123456'),
  )
  const answer = await send('http://peer.test/', post)
  await expect(answer.text()).rejects.toThrow('it sent more than 5 bytes')
  expect(failures).toEqual(['it sent more than 5 bytes'])
  expect(await (await send('http://peer.test/', { method: 'GET' })).text()).toBe('123456')
})
