// rtr of the built program against a fake OpenAI-compatible server.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ChatAnswer, FakeOpenAi } from '../../support/fake-openai.ts'
import {
  delta,
  ending,
  event,
  fakeOpenAi,
  slowly,
  status,
  streaming,
} from '../../support/fake-openai.ts'
import type { SandboxOptions } from './sandbox.ts'
import { Sandbox, until } from './sandbox.ts'
import { Caller, textOf } from './wire.ts'

let model: FakeOpenAi
let box: Sandbox | undefined
beforeEach(async () => {
  model = await fakeOpenAi()
})
afterEach(async () => {
  await box?.remove()
  await model.close()
})

async function start(options: SandboxOptions = {}): Promise<Sandbox> {
  box = new Sandbox({ base: model.base, ...options })
  await box.serve('rtr')
  return box
}

const messages = [
  { role: 'system', content: 'be brief' },
  { role: 'user', content: 'a "quote", ☃ and 😀' },
]
const infer = (more: object = {}) => ({
  type: 'infer',
  messages,
  temperature: 0.1,
  top_p: 0.9,
  stream: true,
  ...more,
})

describe('rtr', () => {
  it('sends five fields and the API key, and streams the answer', async () => {
    const zino = await start()
    model.answer = () => ['sn', '☃w ', '', '😀']
    const packets = await zino.exchange('rtr', infer())
    expect(textOf(packets)).toBe('sn☃w 😀')
    expect(packets.at(-1)).toMatchObject({ type: 'done', full_text: 'sn☃w 😀' })
    expect(packets.every(({ type, delta: text }) => type !== 'chunk' || text !== '')).toBe(true)
    expect(model.requests.at(-1)?.body).toEqual({
      model: 'fake',
      messages,
      temperature: 0.1,
      top_p: 0.9,
      stream: true,
    })
    expect(model.requests.at(-1)?.headers.authorization).toBe('Bearer sk-contract-0123456789')
  })

  it('uses the configured sampling for missing fields and answers collected', async () => {
    const zino = await start()
    const packets = await zino.exchange('rtr', { type: 'infer', messages })
    expect(packets).toMatchObject([{ type: 'response', content: 'ok' }])
    expect(model.requests.at(-1)?.body).toMatchObject({
      temperature: 0.25,
      top_p: 0.5,
      stream: false,
    })
  })

  it('accepts a trailing slash in base_url, null content and an empty API key', async () => {
    const zino = await start({
      base: `${model.base}/`,
      over: { api: { key: '' }, rtr: { streaming: false } },
    })
    model.answer = () => (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"choices":[{"message":{"role":"assistant","content":null}}]}')
    }
    expect(await zino.exchange('rtr', infer())).toMatchObject([{ type: 'response', content: '' }])
    expect(model.requests.at(-1)?.headers.authorization).toBeUndefined()
    expect(await zino.ask('rtr', { type: 'capabilities' })).toMatchObject({
      streaming: false,
      model: 'fake',
    })
  })

  it('uses the API key of the environment when the file has none', async () => {
    const zino = await start({
      over: { api: { key: '' } },
      env: { LLM_API_KEY: 'sk-env-987654321' },
    })
    await zino.ask('rtr', infer())
    expect(model.requests.at(-1)?.headers.authorization).toBe('Bearer sk-env-987654321')
  })

  it('reads streams with comments, event lines and CRLF, cut anywhere, up to [DONE]', async () => {
    const zino = await start()
    const text =
      ': hello\r\n\r\nevent: x\r\n' +
      delta('a☃').replaceAll('\n', '\r\n') +
      event({ choices: [] }) +
      event({ choices: [{ delta: { role: 'assistant' } }] }) +
      event({ choices: [{ delta: { content: null } }] }) +
      event({ choices: [], usage: { prompt_tokens: 1 } }) +
      delta('b') +
      ending +
      delta('never')
    model.answer = () =>
      streaming(async (response) => {
        for (const byte of Buffer.from(text)) {
          response.write(Buffer.from([byte]))
          await new Promise(setImmediate)
        }
        response.end()
      })
    const packets = await zino.exchange('rtr', infer())
    expect(textOf(packets)).toBe('a☃b')
    expect(packets.at(-1)).toMatchObject({ type: 'done', full_text: 'a☃b' })
  })

  it.each<[string, () => Parameters<typeof streaming>[0], RegExp]>([
    ['a dropped connection', () => (response) => drop(response, delta('a')), /./],
    [
      'an error event',
      () => (response) => void response.end(delta('a') + event({ error: { message: 'too hot' } })),
      /too hot/,
    ],
    ['an end without a reason', () => (response) => void response.end(delta('a')), /./],
  ])(
    'answers one error after the chunks of a stream that ends with %s',
    async (_what, write, reason) => {
      const zino = await start()
      model.answer = () => streaming(write())
      const packets = await zino.exchange('rtr', infer())
      expect(packets.map(({ type }) => type)).toEqual(['chunk', 'error'])
      expect(packets.at(-1)?.message).toMatch(reason)
      expect(model.requests).toHaveLength(1)
    },
  )

  it('accepts a finish reason without [DONE] as the end', async () => {
    const zino = await start()
    model.answer = () =>
      streaming(
        (response) => void response.end(delta('a') + (ending.split('\n\n')[0] ?? '') + '\n\n'),
      )
    expect((await zino.exchange('rtr', infer())).at(-1)).toMatchObject({
      type: 'done',
      full_text: 'a',
    })
  })

  it.each([408, 409, 429, 500, 503])(
    'sends three requests in total for status %d',
    async (code) => {
      const zino = await start()
      model.answer = () => status(code, 'come back', { 'retry-after': '0' })
      const packets = await zino.exchange('rtr', infer())
      expect(packets).toMatchObject([{ type: 'error' }])
      expect(packets[0]?.message).toMatch(new RegExp(`${code}.*come back`))
      expect(model.requests).toHaveLength(3)
    },
  )

  it.each([400, 401, 403, 404, 422])('sends one request for status %d', async (code) => {
    const zino = await start()
    model.answer = () => status(code, 'no')
    expect(await zino.exchange('rtr', infer())).toMatchObject([{ type: 'error' }])
    expect(model.requests).toHaveLength(1)
  })

  it('accepts a last event without the blank line after it', async () => {
    const zino = await start()
    const last = `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] })}`
    for (const end of ['data: [DONE]', 'data: [DONE]\n', last]) {
      model.answer = () => streaming((response) => void response.end(delta('a') + end))
      const packets = await zino.exchange('rtr', infer())
      expect(packets.at(-1)).toEqual({ type: 'done', full_text: 'a' })
    }
  })

  it("forwards messages in OpenAI's form unchanged", async () => {
    const zino = await start()
    const sent = [
      { role: 'developer', content: 'be brief' },
      { role: 'user', name: 'ada', content: 'look' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png,x' } }] },
      { role: 'assistant', content: null, tool_calls: [{ id: '1', type: 'function' }] },
      { role: 'tool', tool_call_id: '1', content: 'found' },
    ]
    await zino.exchange('rtr', infer({ messages: sent }))
    expect(model.requests.at(-1)?.body).toMatchObject({ messages: sent })
  })

  it("answers the API's own error message and refuses content that is not text", async () => {
    const zino = await start()
    for (const words of [{ message: 'own words' }, { detail: 'own words' }]) {
      model.answer = () => json(400, words)
      const message = expect.stringMatching(/400.*own words/) as string
      expect(await zino.exchange('rtr', infer())).toEqual([{ type: 'error', message }])
    }
    model.answer = () => json(200, { choices: [{ message: { content: 5 } }] })
    expect(await zino.exchange('rtr', infer())).toMatchObject([{ type: 'error' }])
  })

  it('redacts an API key of three characters', async () => {
    const zino = await start({ over: { api: { key: 'k3y' } } })
    model.answer = () => status(401, 'wrong key: k3y, not k3yboard')
    const [packet] = await zino.exchange('rtr', infer())
    expect(packet?.message).toMatch(/401.*wrong key: \[redacted\], not k3yboard/)
  })

  it('never shows the API key, even when the API repeats it', async () => {
    const zino = await start({ env: { ZINO_LOG_LEVEL: 'debug' } })
    model.answer = ({ headers }) => status(401, `bad key: ${headers.authorization}`)
    const [packet] = await zino.exchange('rtr', infer())
    expect(packet?.type).toBe('error')
    expect(JSON.stringify(packet)).not.toContain('sk-contract')
    const [running] = await zino.serve('sys')
    expect(running?.stderr).not.toContain('sk-contract')
  })

  it('aborts the model request when the caller disconnects, also before the first byte', async () => {
    const zino = await start()
    model.answer = () => () => {}
    for (const stream of [true, false]) {
      const caller = await Caller.open(zino.socket('rtr'))
      const count = model.requests.length
      caller.send(infer({ stream }))
      await until(() => model.requests.length > count)
      caller.socket.destroy()
      await until(() => model.requests.at(-1)?.isAborted === true, 1000)
    }
  })

  it('sends sixteen requests concurrently', async () => {
    const zino = await start()
    model.answer = () => slowly(150, 'a', 'b', 'c')
    const began = performance.now()
    const all = await Promise.all(Array.from({ length: 16 }, () => zino.exchange('rtr', infer())))
    expect(all.every((packets) => packets.at(-1)?.full_text === 'abc')).toBe(true)
    expect(performance.now() - began).toBeLessThan(16 * 450 * 0.5)
  })

  it('answers an error when the connection is refused', async () => {
    const zino = await start({ base: 'http://127.0.0.1:9/v1' })
    expect(await zino.exchange('rtr', infer())).toMatchObject([{ type: 'error' }])
  })
})

const json =
  (code: number, body: object): ChatAnswer =>
  (response) => {
    response.writeHead(code, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }

function drop(
  response: { write: (text: string, then: () => void) => unknown; destroy: () => unknown },
  text: string,
) {
  response.write(text, () => setTimeout(() => response.destroy(), 50))
}
