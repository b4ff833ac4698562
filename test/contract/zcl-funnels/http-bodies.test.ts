// What the HTTP funnel records of bodies and streams, whom it serves, and what a served trace answers.
import { readFileSync } from 'node:fs'
import { createServer, request as httpRequest, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { connect as secureConnect } from 'node:tls'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLab, startProxy, until, type Lab } from './lab.ts'

let lab: Lab
let server: Server
let upstream = ''
const token = 'ghp_0123456789abcdefghijklmnopqrstuvwxyzAB'

beforeAll(async () => {
  lab = await createLab()
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      if (request.url?.endsWith('/stream') === true) {
        response.setHeader('Content-Type', 'text/event-stream')
        for (const piece of [token.slice(0, 9), token.slice(9)]) {
          const event = { choices: [{ index: 0, delta: { content: piece } }] }
          response.write(`data: ${JSON.stringify(event)}\n\n`)
        }
        const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 }
        response.end(`data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`)
      } else response.end(JSON.stringify({ path: request.url, body }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await lab.remove()
  server.close()
})

async function post(url: string, body: string): Promise<string> {
  const answer = await fetch(url, { method: 'POST', body })
  return `${answer.status} ${await answer.text()}`
}

/** Sends a raw request and returns the status line of the answer. */
function rawStatus(url: URL, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname, () => socket.write(text))
    socket.once('data', (chunk: Buffer) => {
      resolve(chunk.toString().split('\r\n')[0] ?? '')
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

it('records bodies and joined streams redacted, and serves them again by path and body', async () => {
  const proxy = await startProxy(lab, 'http', `${upstream}/v1`, ['--max-requests', '4'])
  const { origin } = proxy.url
  const first = await post(`${origin}/chat`, `{"n": 1, "key": "${token}"}`)
  await post(`${origin}/chat`, '{"n":2}')
  const raw = await post(`${origin}/stream`, 'x')
  expect(raw).toContain(token.slice(9))
  const other = `GET http://other.example/v1/chat HTTP/1.1\r\nHost: other.example\r\n\r\n`
  expect(await rawStatus(proxy.url, other)).toBe('HTTP/1.1 421 Misdirected Request')
  await proxy.ended
  const trace = await lab.traced(4)
  expect(trace[0]?.input).toEqual({
    method: 'POST',
    url: `${upstream}/v1/chat`,
    body: '{"n": 1, "key": "[REDACTED:GITHUB_TOKEN]"}',
  })
  expect(trace[2]?.io.outPreview).toContain('[REDACTED:GITHUB_TOKEN]')
  expect(trace[2]?.enrichment?.http).toMatchObject({
    basePath: '/v1',
    usage: { inputTokens: 5, outputTokens: 2, totalTokens: 7 },
  })
  expect(trace[3]).toMatchObject({
    input: { method: 'GET', url: 'http://other.example/v1/chat' },
    result: { ok: false, code: 'HTTP_421' },
  })
  expect(JSON.stringify(trace)).not.toContain(token)

  const served = lab.start(['http', 'serve-trace', lab.attempt])
  await until(() => served.out().toString().endsWith('}\n'), 'the service')
  const { url } = JSON.parse(served.out().toString()) as { url: string }
  expect(await post(`${url}/chat`, '{"n":2}')).toContain('"body":"{\\"n\\":2}"')
  expect(await post(`${url}/chat`, `{"key":"${token}","n":1}`)).toBe(
    first.replace(token, '[REDACTED:GITHUB_TOKEN]'),
  )
  expect(await post(`${url}/chat`, '{"n":3}')).toBe('404 not in the recorded trace\n')
  served.child.kill('SIGTERM')
  await served.ended
})

it('accepts CONNECT for the upstream with --tls, signed by a local CA, and no other host', async () => {
  const proxy = await startProxy(lab, 'http', upstream, ['--tls'])
  const caFile = String(proxy.document.caFile)
  const { host } = new URL(upstream)
  const refused = `CONNECT other.example:443 HTTP/1.1\r\nHost: other.example:443\r\n\r\n`
  expect(await rawStatus(proxy.url, refused)).toBe('HTTP/1.1 421 Misdirected Request')
  const body = await new Promise<string>((resolve, reject) => {
    const { hostname, port } = proxy.url
    const asked = httpRequest({ hostname, port, method: 'CONNECT', path: host })
    asked.on('error', reject)
    asked.on('connect', (_answer, socket) => {
      const secure = secureConnect({
        socket,
        ca: readFileSync(caFile),
        checkServerIdentity: () => undefined,
      })
      secure.on('error', reject)
      secure.write(`GET /deep HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      let text = ''
      secure.on('data', (chunk: Buffer) => (text += chunk.toString()))
      secure.on('close', () => resolve(text))
    })
    asked.end()
  })
  expect(body).toContain('{"path":"/deep","body":""}')
  proxy.child.kill('SIGTERM')
  await proxy.ended
  expect(lab.trace().slice(-2)).toMatchObject([
    { input: { method: 'CONNECT', url: 'other.example:443' }, result: { code: 'HTTP_421' } },
    { input: { url: `${upstream}/deep` }, result: { ok: true } },
  ])
})

it('refuses CONNECT without --tls and records the refusal as a request', async () => {
  const proxy = await startProxy(lab, 'http', upstream, ['--max-requests', '1'])
  const { host } = new URL(upstream)
  const asked = `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  expect(await rawStatus(proxy.url, asked)).toBe('HTTP/1.1 501 Not Implemented')
  await proxy.ended
  expect(lab.trace().at(-1)).toMatchObject({
    input: { method: 'CONNECT', url: host },
    result: { ok: false, code: 'HTTP_501' },
    enrichment: { http: { status: 501 } },
  })
})

it('injects no damage into answers without a body, and keeps the bytes of others', async () => {
  const bytes = Buffer.from([0, 255, 254, 1])
  const plain = createServer((request, response) => {
    const isEmpty = request.url === '/empty'
    response.writeHead(isEmpty ? 204 : 200)
    response.end(isEmpty ? undefined : bytes)
  })
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
  const { port } = plain.address() as AddressInfo
  const got: unknown[] = []
  for (const fault of ['truncate', 'malformed']) {
    const inject = ['--inject', `${fault}:1`]
    const proxy = await startProxy(lab, 'http', `http://127.0.0.1:${port}`, inject)
    for (const place of ['/bytes', '/empty']) {
      const answer = await fetch(`${proxy.url.origin}${place}`)
      got.push([answer.status, Buffer.from(await answer.arrayBuffer())])
    }
    proxy.child.kill('SIGTERM')
    await proxy.ended
    expect(lab.trace().at(-2)?.enrichment?.injected).toEqual([{ kind: fault }])
    expect(lab.trace().at(-1)?.enrichment).not.toHaveProperty('injected')
  }
  plain.close()
  const nothing = [204, Buffer.alloc(0)]
  const cut = [200, bytes.subarray(0, 2)]
  const marked = [200, Buffer.concat([Buffer.from('{'), bytes])]
  expect(got).toEqual([cut, nothing, marked, nothing])
})

it('injects truncated, malformed and stale answers and errors by rate and seed', async () => {
  const answers: Record<string, string> = {}
  for (const fault of ['truncate', 'malformed', 'error', 'stale']) {
    const proxy = await startProxy(lab, 'http', upstream, ['--inject', `${fault}:1`])
    if (fault === 'stale') await post(`${proxy.url.origin}/a`, 'old')
    answers[fault] = await post(`${proxy.url.origin}/a`, 'new')
    proxy.child.kill('SIGTERM')
    await proxy.ended
    const injected = [{ kind: fault }]
    expect(lab.trace().at(-1)?.enrichment).toMatchObject({ injected, http: { injected } })
  }
  expect(answers.error).toBe('500 injected by zcl\n')
  expect(answers.truncate).toBe('200 {"path":"/a",')
  expect(answers.malformed).toBe('200 {"path":"/a","body":"new"')
  expect(answers.stale).toBe('200 {"path":"/a","body":"old"}')
  // The first answer has no older one to repeat, so no fault is recorded.
  expect(lab.trace().at(-2)?.enrichment?.http).not.toHaveProperty('injected')
})
