// The HTTP bridge of the built program, used by OpenAI's own client and by raw requests.
import { once } from 'node:events'
import { statSync, readFileSync } from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FakeOpenAi } from '../../support/fake-openai.ts'
import { delta, fakeOpenAi, status, streaming } from '../../support/fake-openai.ts'
import type { Running } from './sandbox.ts'
import { Sandbox, until } from './sandbox.ts'

let model: FakeOpenAi
let box: Sandbox
let bridge: Running
let base: string
let token: string
let openai: OpenAI

beforeAll(async () => {
  model = await fakeOpenAi(({ body }) => ['you: ', body.messages.at(-1)?.content ?? ''])
  box = new Sandbox({ base: model.base, over: { http: { port: 0, token_file: 'private/token' } } })
  await box.up()
  bridge = box.start(['http', '--config', box.config])
  await until(() => bridge.stdout.includes('listening at '), 30_000)
  base = /listening at (\S+)\//.exec(bridge.stdout)?.[1] ?? ''
  token = readFileSync(box.at('private/token'), 'utf8').trim()
  openai = new OpenAI({ baseURL: `${base}/v1`, apiKey: token })
})
afterAll(async () => {
  await box.remove()
  await model.close()
})

interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: object | string
}

async function send(path: string, { method = 'GET', headers = {}, body }: Sent = {}) {
  const authorization = `Bearer ${token}`
  const text = typeof body === 'object' ? JSON.stringify(body) : body
  const call = http.request(`${base}${path}`, { method, headers: { authorization, ...headers } })
  call.end(text)
  const [response] = (await once(call, 'response')) as [http.IncomingMessage]
  let received = ''
  for await (const chunk of response) received += String(chunk)
  const isJson = response.headers['content-type']?.startsWith('application/json') === true
  const json: unknown = isJson ? JSON.parse(received) : undefined
  return { status: response.statusCode, headers: response.headers, text: received, json }
}

const user = (content: string) => ({ role: 'user' as const, content })
const ask = (content: string) => ({ model: 'zino', messages: [user(content)] })

describe('zino http', () => {
  it('listens on the loopback interface with a token in a private file', () => {
    expect(base).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(statSync(box.at('private/token')).mode & 0o777).toBe(0o600)
    expect(token).toMatch(/^[\w-]{43}$/)
  })

  it("answers OpenAI's client with a completion", async () => {
    const completion = await openai.chat.completions.create(ask('hello'))
    expect(completion).toMatchObject({
      object: 'chat.completion',
      model: 'zino',
      choices: [{ finish_reason: 'stop', message: { role: 'assistant', content: 'you: hello' } }],
    })
    expect((await openai.models.list()).data).toMatchObject([{ id: 'zino' }])
    expect(await openai.models.retrieve('zino')).toMatchObject({ object: 'model' })
  })

  it("streams deltas to OpenAI's client as the model sends them", async () => {
    let release = (): void => {}
    const first = new Promise<void>((resolve) => (release = resolve))
    const before = model.answer
    model.answer = () =>
      streaming(async (response) => {
        response.write(delta('one '))
        await first
        response.end(delta('two') + 'data: [DONE]\n\n')
      })
    const stream = await openai.chat.completions.create({ ...ask('go'), stream: true })
    const deltas: string[] = []
    for await (const chunk of stream) {
      const text = chunk.choices[0]?.delta.content ?? ''
      if (text !== '') deltas.push(text)
      if (text.includes('one')) release()
    }
    model.answer = before
    expect(deltas).toEqual(['one ', 'two'])
  })

  it('reports the tokens of all model calls of a turn, whole and streamed', async () => {
    const before = model.answer
    const call = '<tool_call>{"name":"execute_bash","arguments":{"code":"echo hi"}}</tool_call>'
    model.answer = ({ body }) =>
      streaming((response) => {
        const isFirst = !JSON.stringify(body.messages).includes('tool_response')
        const usage = { prompt_tokens: isFirst ? 10 : 30, completion_tokens: 5, total_tokens: 0 }
        response.write(delta(isFirst ? call : 'done'))
        response.end(`data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`)
      })
    const expected = { prompt_tokens: 40, completion_tokens: 10, total_tokens: 50 }
    expect((await openai.chat.completions.create(ask('run'))).usage).toEqual(expected)
    const stream_options = { include_usage: true }
    const stream = await openai.chat.completions.create({
      ...ask('run'),
      ...{ stream: true, stream_options },
    })
    const chunks = []
    for await (const chunk of stream) chunks.push(chunk)
    model.answer = before
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: expected })
    for (const chunk of chunks.slice(0, -1)) expect(chunk.usage).toBeNull()
    const { usage } = await openai.chat.completions.create(ask('hello'))
    expect(usage).toMatchObject({ estimated: true, completion_tokens: expect.any(Number) })
    const wrong = { ...ask('x'), stream: true, stream_options: 5 }
    const refused = await send('/v1/chat/completions', { method: 'POST', body: wrong })
    expect(refused.status).toBe(400)
  })

  it('sends earlier messages of the client to the model, in order', async () => {
    const messages = [
      { role: 'system' as const, content: 'be brief' },
      user('my name is Ada'),
      { role: 'assistant' as const, content: 'hello Ada' },
      { role: 'user' as const, content: [{ type: 'text' as const, text: 'who am I?' }] },
    ]
    await openai.chat.completions.create({ model: 'zino', messages })
    expect(model.requests.at(-1)?.body.messages.slice(-4)).toEqual([
      ...messages.slice(0, 3),
      user('who am I?'),
    ])
  })

  it('keeps the history of a channel, which the client names by a header', async () => {
    const headers = { 'x-zino-channel': 'web%20%E2%98%83' }
    await openai.chat.completions.create(ask('first'), { headers })
    await openai.chat.completions.create(ask('second'), { headers })
    const sent = model.requests.at(-1)?.body.messages.map(({ content }) => content)
    expect(sent?.slice(-3)).toEqual(['first', 'you: first', 'second'])
    const { json } = await send('/v1/channels/web%20%E2%98%83?limit=2')
    expect(json).toMatchObject({ id: 'web ☃', messages: [{ content: 'second' }, {}] })
    expect((await send('/v1/channels')).text).toContain('web ☃')
  })

  it("reports errors as OpenAI's client expects them, without a repeated turn", async () => {
    const wrong = new OpenAI({ baseURL: `${base}/v1`, apiKey: 'wrong' })
    await expect(wrong.chat.completions.create(ask('x'))).rejects.toThrow(
      OpenAI.AuthenticationError,
    )
    const empty = openai.chat.completions.create({ model: 'zino', messages: [] })
    await expect(empty).rejects.toThrow(OpenAI.BadRequestError)
    const before = model.answer
    const count = model.requests.length
    model.answer = () => status(400, 'no such deployment')
    const failed = openai.chat.completions.create({ ...ask('x'), stream: true })
    await expect(failed).rejects.toMatchObject({
      status: 502,
      message: expect.stringContaining('no such deployment'),
    })
    model.answer = before
    expect(model.requests.length).toBe(count + 1)
  })

  it('cancels the turn when the client leaves', async () => {
    const before = model.answer
    model.answer = () => streaming((response) => void response.write(delta('thinking')))
    const stream = await openai.chat.completions.create({ ...ask('slow'), stream: true })
    for await (const chunk of stream) {
      if (chunk.choices[0]?.delta.content === 'thinking') stream.controller.abort()
    }
    const request = model.requests.at(-1)
    await until(() => request?.isAborted === true, 20_000)
    await until(async () => {
      const { turns } = await box.ask('daemon', { type: 'turns' })
      return Array.isArray(turns) && turns.length === 0
    }, 20_000)
    model.answer = before
  })

  it('adds, finds, shows and forgets memories', async () => {
    const body = { content: 'The spare key is under the blue pot', tag: 'home' }
    const added = await send('/v1/memory', { method: 'POST', body })
    expect(added).toMatchObject({ status: 201, json: { object: 'memory', id: 0 } })
    const { json } = await send('/v1/memory?query=spare+key&top_k=2')
    expect(json).toMatchObject({
      object: 'list',
      data: [{ id: 0, source: 'hard', tag: 'home', content: body.content, ts: expect.any(String) }],
    })
    expect((await send('/v1/memory')).json).toMatchObject({ total: 1 })
    expect((await send('/v1/memory/0')).json).toMatchObject({ content: body.content })
    expect((await send('/v1/memory/0', { method: 'DELETE' })).json).toMatchObject({ deleted: true })
    expect((await send('/v1/memory?query=spare+key&scope=hard')).json).toMatchObject({ data: [] })
    expect((await send('/v1/memory/99')).status).toBe(404)
    expect((await send('/v1/memory', { method: 'POST', body: {} })).status).toBe(400)
    expect((await send('/v1/memory?query=x&top_k=many')).status).toBe(400)
  })

  it('shows health without a token, and metrics as Prometheus text', async () => {
    const health = await send('/healthz', { headers: { authorization: '' } })
    expect(health).toMatchObject({ status: 200, json: { status: 'ok' } })
    const metrics = await send('/metrics')
    expect(metrics.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(metrics.text).toContain(
      '# TYPE zino_service_up gauge\nzino_service_up{service="daemon"} 1',
    )
    expect(metrics.text).toMatch(/zino_http_requests_total\{route="\/v1\/memory",status="201"\} 1/)
    for (const line of metrics.text.trim().split('\n')) {
      expect(line).toMatch(/^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{(?:\w+="[^"]*",?)+\})? -?[\d.e+]+)$/)
    }
    expect((await send('/v1/status')).json).toMatchObject({ model: 'fake', turns: [] })
  })

  it('serves the chat page without a token and without inline code', async () => {
    const page = await send('/', { headers: { authorization: '' } })
    expect(page).toMatchObject({ status: 200, headers: { 'x-frame-options': 'DENY' } })
    const policy = page.headers['content-security-policy']
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /)
    expect(page.text).not.toMatch(/<script>|<style>|style=|onclick/)
    const code = await send('/app.js', { headers: { authorization: '' } })
    expect(code.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect((await send('/app.css', { headers: { host: 'evil.example' } })).status).toBe(403)
  })

  it('refuses a wrong token, another host, another origin and large bodies', async () => {
    const paths = ['/v1/chat/completions', '/v1/memory', '/metrics', '/nothing']
    for (const path of paths) {
      expect((await send(path, { headers: { authorization: 'Bearer x' } })).status).toBe(401)
      expect((await send(path, { headers: { host: 'evil.example' } })).status).toBe(403)
      const origin = 'http://evil.example'
      expect((await send(path, { headers: { origin } })).status).toBe(403)
      expect((await send(path, { method: 'OPTIONS', headers: { origin } })).status).toBe(403)
    }
    expect((await send('/healthz', { headers: { host: 'evil.example' } })).status).toBe(403)
    expect((await send('/nothing')).status).toBe(404)
    const wrongMethod = await send('/v1/models', { method: 'DELETE' })
    expect(wrongMethod).toMatchObject({ status: 405, headers: { allow: 'GET' } })
    const body = { method: 'POST', headers: { 'content-length': '99999999' } }
    const large = http.request(`${base}/v1/memory`, {
      ...body,
      headers: { ...body.headers, authorization: `Bearer ${token}` },
    })
    large.on('error', () => {})
    large.flushHeaders()
    const [response] = (await once(large, 'response')) as [http.IncomingMessage]
    expect(response.statusCode).toBe(413)
    large.destroy()
  })

  it('answers unusable requests with an error and goes on', async () => {
    for (const body of ['', '{', '[]', 'null', '{"messages":5}', '{"messages":[5]}']) {
      const sent = await send('/v1/chat/completions', { method: 'POST', body })
      expect(sent).toMatchObject({
        status: 400,
        json: { error: { type: 'invalid_request_error' } },
      })
    }
    const socket = net.connect(Number(new URL(base).port), '127.0.0.1')
    socket.end('\0\0 nonsense\r\n\r\n')
    socket.resume()
    await once(socket, 'close')
    expect((await send('/healthz')).status).toBe(200)
  })

  it('shows and changes timers, the inbox and approvals', async () => {
    expect((await send('/v1/inbox')).json).toMatchObject({ object: 'list', data: [] })
    const body = { kind: 'remind', when: 'tomorrow 9:00', text: 'water the plants' }
    const added = await send('/v1/timers', { method: 'POST', body })
    expect(added).toMatchObject({ status: 201, json: { text: body.text } })
    const { id } = added.json as { id: string }
    const change = { method: 'POST', body: { change: 'run' } }
    expect((await send(`/v1/timers/${id}`, change)).status).toBe(200)
    await until(async () => (await send('/v1/inbox')).text.includes('water the plants'), 30_000)
    expect((await send('/v1/timers')).json).toMatchObject({ object: 'list' })
    expect((await send('/v1/inbox/1', { method: 'DELETE' })).json).toMatchObject({ deleted: true })
    expect((await send('/v1/inbox/1', { method: 'DELETE' })).status).toBe(404)
    expect((await send('/v1/timers/none', { method: 'DELETE' })).status).toBe(404)
    expect((await send('/v1/timers', { method: 'POST', body: { kind: 'x' } })).status).toBe(400)
    expect((await send('/v1/approvals')).json).toMatchObject({ data: [] })
    const decided = await send('/v1/approvals/none', { method: 'POST', body: { allow: true } })
    expect(decided.status).toBe(404)
  })

  it('refuses an address beyond the machine from an untrusted ZINO.toml', async () => {
    box.put('repo/ZINO.toml', '[http]\nhost = "0.0.0.0"\nport = 0\n')
    const ran = await box.zino(['http'], { cwd: box.at('repo') })
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('zino trust') })
  })

  it('logs neither the token nor a message, and stops cleanly', async () => {
    const log = bridge.stdout + bridge.stderr
    expect(log).toContain('POST /v1/chat/completions 200')
    for (const secret of [token, 'my name is Ada', 'blue pot']) expect(log).not.toContain(secret)
    expect(await bridge.stop()).toMatchObject({ code: 0, signal: null })
  })
})
