import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLab, until, type Lab, type Started } from './lab.ts'
import { hashOf, startUpstream, type HttpUpstream } from './http-upstream.ts'

let lab: Lab
let upstream: HttpUpstream
let running: Started[] = []
beforeEach(async () => {
  lab = await createLab()
  upstream = await startUpstream()
})
afterEach(async () => {
  for (const { child } of running) if (child.exitCode === null) child.kill('SIGKILL')
  running = []
  await upstream.close()
  lab.remove()
})

interface Listening extends Started {
  url: string
  document: Record<string, unknown>
}

async function proxyTo(url: string, ...flags: string[]): Promise<Listening> {
  const started = lab.start(['http', 'proxy', '--upstream', url, '--json', ...flags])
  running.push(started)
  await until(
    () => started.out().toString().endsWith('}\n') || started.child.exitCode !== null,
    'up',
  )
  const document = JSON.parse(started.out().toString()) as Record<string, unknown>
  return { ...started, url: String(document.proxyUrl), document }
}

interface Got {
  status: number | undefined
  message: string | undefined
  headers: string[]
  body: Buffer
  trailers: string[]
  broken: boolean
}

interface Ask {
  method?: string
  headers?: string[]
  body?: Buffer[]
  trailers?: [string, string][]
}

function ask(
  url: string,
  { method = 'GET', headers = [], body, trailers }: Ask = {},
): Promise<Got> {
  const { host } = new URL(url)
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, agent: false, headers: ['Host', host, ...headers] })
    request.on('response', (response) => void collect(response).then(resolve))
    request.on('error', reject)
    for (const chunk of body ?? []) request.write(chunk)
    if (trailers !== undefined) request.addTrailers(trailers)
    request.end()
  })
}

async function collect(response: IncomingMessage): Promise<Got> {
  const chunks: Buffer[] = []
  const broken = await new Promise<boolean>((resolve) => {
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () => resolve(false))
    response.on('error', () => resolve(true))
  })
  return {
    status: response.statusCode,
    message: response.statusMessage,
    headers: endToEnd(response.rawHeaders),
    body: Buffer.concat(chunks),
    trailers: response.rawTrailers,
    broken,
  }
}

/** All but what belongs to one connection, and the time, which goes on. */
function endToEnd(raw: readonly string[], ...more: string[]): string[] {
  const dropped = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date', ...more])
  return raw.flatMap((name, at) =>
    at % 2 === 0 && !dropped.has(name.toLowerCase()) ? [`${name}: ${raw[at + 1]}`] : [],
  )
}

const large = Buffer.alloc(3_000_000, 'x1y2')

const asks: [string, string, Ask?][] = [
  ['a plain request', '/hello?q=1&q=%2F%20&empty='],
  ['a path that nobody may tidy up', '//a/../b/%2e%2e/%zz;x?y?z=1'],
  [
    'headers as they are',
    '/odd-headers',
    { headers: ['X-ONE', '1', 'x-one', '2', 'Cookie', 'a=b'] },
  ],
  ['a compressed body', '/gzip', { headers: ['Accept-Encoding', 'gzip'] }],
  ['a redirect', '/redirect'],
  ['an error', '/status?code=418'],
  ['a status of its own', '/status?code=599'],
  ['nothing', '/empty'],
  ['a HEAD', '/odd-headers', { method: 'HEAD' }],
  [
    'a POST with a length',
    '/x',
    { method: 'POST', headers: ['Content-Length', '5'], body: [Buffer.from('hello')] },
  ],
  [
    'a POST in chunks',
    '/x',
    { method: 'POST', headers: ['Transfer-Encoding', 'chunked'], body: [large, large] },
  ],
  ['a GET with a body', '/x', { headers: ['Content-Length', '3'], body: [Buffer.from('abc')] }],
  ['a DELETE', '/x', { method: 'DELETE' }],
  ['a method that is rare', '/x', { method: 'PROPFIND', headers: ['Content-Length', '0'] }],
  ['trailers of the answer', '/trailers'],
  [
    'trailers of the request',
    '/x',
    {
      method: 'PUT',
      headers: ['Transfer-Encoding', 'chunked', 'Trailer', 'X-T'],
      body: [Buffer.from('a')],
      trailers: [['X-T', 'last']],
    },
  ],
  ['a large answer', '/large?bytes=5000000'],
  ['long headers', '/x', { headers: ['X-Long', 'l'.repeat(100_000)] }],
  ['hints before the answer', '/hints'],
]

describe('the HTTP proxy changes nothing', () => {
  it.each(asks)('about %s', async (_name, path, options) => {
    const proxy = await proxyTo(upstream.url)
    const direct = await ask(upstream.url + path, options)
    const proxied = await ask(proxy.url + path, options)
    const comparable = (got: Got) => ({ ...got, body: hashOf(got.body) })
    expect(comparable(proxied)).toEqual(comparable(direct))
    const [wanted, got] = upstream.seen.map((each) => ({
      ...each,
      headers: endToEnd(each.headers, 'host').sort(),
    }))
    expect(got).toEqual(wanted)
  })

  it('for a client like that of a browser', async () => {
    const proxy = await proxyTo(`${upstream.url}/base/`)
    for (const path of ['/gzip', '/trailers', '/large?bytes=100000', '/odd-headers']) {
      const [direct, proxied] = await Promise.all([
        fetch(`${upstream.url}/base${path}`),
        fetch(proxy.url + path),
      ])
      expect(proxied.status).toBe(direct.status)
      const bodies = await Promise.all([direct, proxied].map((each) => each.arrayBuffer()))
      expect(new Set(bodies.map((body) => hashOf(Buffer.from(body)))).size).toBe(1)
      const names = ([name]: [string, string]) =>
        !['date', 'connection', 'keep-alive'].includes(name)
      expect([...proxied.headers].filter(names)).toEqual([...direct.headers].filter(names))
    }
  })

  it('and streams both ways', async () => {
    const proxy = await proxyTo(upstream.url)
    const heard: string[] = []
    const request = httpRequest(`${proxy.url}/wait`, { agent: false })
    request.on('response', (response) => {
      response.setEncoding('utf8')
      response.on('data', (text: string) => heard.push(text))
    })
    request.end()
    await until(() => heard.length === 1, 'the first event')
    expect(heard).toEqual(['data: one\n\n'])
    upstream.goOn()
    await until(() => heard.length === 2, 'the second event')
    // An answer may come before the body of the request has ended.
    const early = httpRequest(`${proxy.url}/early`, { method: 'POST', agent: false })
    early.on('error', () => {})
    early.write('the beginning')
    const answered = new Promise<IncomingMessage>((resolve) => early.on('response', resolve))
    expect((await collect(await answered)).body.toString()).toBe('before the body')
    early.destroy()
  })

  it('waits for the upstream to ask for the body', async () => {
    const proxy = await proxyTo(upstream.url)
    const request = httpRequest(`${proxy.url}/x`, {
      method: 'POST',
      agent: false,
      headers: { Expect: '100-continue', 'Content-Length': '2' },
    })
    const answered = new Promise<IncomingMessage>((resolve) => request.on('response', resolve))
    request.flushHeaders()
    await new Promise((resolve) => request.on('continue', resolve))
    request.end('hi')
    expect((await answered).statusCode).toBe(200)
  })

  it('tunnels an upgraded connection', async () => {
    const proxy = await proxyTo(upstream.url)
    const { port } = new URL(proxy.url)
    const socket = connect(Number(port), '127.0.0.1')
    let heard = ''
    socket.on('data', (chunk: Buffer) => {
      heard += chunk.toString('latin1')
    })
    socket.write(
      'GET /chat HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        'Sec-WebSocket-Key: abc\r\n\r\nearly ',
    )
    await until(() => heard.includes('EARLY'), 'what was sent at once')
    expect(heard).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\nUpgrade: websocket\r\n/)
    socket.write(Buffer.from([0x82, 0x61, 0xd7, 0x00]))
    await until(() => heard.endsWith('\u0082A\u00d7\u0000'), 'the echo')
    socket.end()
    const [event] = await lab.traced(1)
    expect(event).toMatchObject({ op: 'request', result: { ok: true } })
    expect(event?.enrichment?.http).toMatchObject({ status: 101, reqBytes: 10, upgraded: true })
    const refused = await new Promise<string>((resolve) => {
      const other = connect(Number(port), '127.0.0.1')
      let text = ''
      other.on('data', (chunk: Buffer) => (text += chunk.toString()))
      other.on('close', () => resolve(text))
      other.write(
        'GET /no HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
      )
    })
    expect(refused).toMatch(/^HTTP\/1\.1 403 Forbidden[\s\S]*\r\n\r\nno!\n$/)
    expect((await lab.traced(2))[1]?.result).toMatchObject({ ok: false, code: 'HTTP_403' })
  })
})

describe('events of the HTTP proxy', () => {
  it('say what was asked and how it went, and hold no header', async () => {
    const proxy = await proxyTo(`${upstream.url}/base`)
    const headers = ['Authorization', 'Bearer abcdefghijklmnop', 'X-Odd', 'header-value']
    await ask(`${proxy.url}/x?access_token=hunter2hunter2&n=1`, { headers })
    await ask(`${proxy.url}/status?code=404`)
    await ask(`${proxy.url}/redirect`)
    await ask(`${proxy.url}/gzip`)
    await ask(`${proxy.url}/binary`)
    const trace = await lab.traced(5)
    const base = `${upstream.url}/base`
    expect(trace[0]).toMatchObject({
      tool: 'http',
      op: 'request',
      input: { method: 'GET', url: `${base}/x?access_token=[REDACTED:ENV_SECRET]&n=1` },
      result: { ok: true },
      enrichment: { http: { status: 200, reqBytes: 0, respBytes: trace[0]?.io.outBytes } },
    })
    expect(trace[0]?.result).not.toHaveProperty('code')
    expect(trace[0]?.io.outPreview).toContain('"method":"GET"')
    expect(trace[1]?.result).toMatchObject({ ok: false, code: 'HTTP_404' })
    expect(trace[2]?.result).toMatchObject({ ok: true })
    expect(trace[3]?.io.outPreview).toMatch(/^compressed text text/)
    expect(trace[4]?.io.outPreview).toBeUndefined()
    const text = JSON.stringify(trace)
    for (const secret of ['hunter2', 'header-value', 'abcdefghijklmnop', 'ghp_a1B2']) {
      expect(text).not.toContain(secret)
    }
    await lab.zcl(['feedback', '--ok', '--result', 'x'])
    const checked = await lab.zcl(['validate', '--strict', '--json', lab.attempt])
    expect(JSON.parse(checked.stdout)).toMatchObject({ ok: true, errors: [] })
  })

  it('tell an upstream that cannot be reached, and one that breaks off', async () => {
    const { url } = upstream
    const gone = await startUpstream()
    const proxy = await proxyTo(gone.url)
    await gone.close()
    const got = await ask(`${proxy.url}/x`, {
      method: 'POST',
      body: [large],
      headers: ['Transfer-Encoding', 'chunked'],
    })
    expect(got.status).toBe(502)
    const [event] = await lab.traced(1)
    expect(event?.result).toMatchObject({ ok: false, code: 'HTTP_PROXY_ERROR' })
    expect(event?.enrichment?.http).toMatchObject({ status: 502, error: 'ECONNREFUSED' })
    const other = await proxyTo(url)
    expect((await ask(`${other.url}/broken`)).broken).toBe(true)
    const [, second] = await lab.traced(2)
    expect(second?.result).toMatchObject({ ok: false, code: 'HTTP_PROXY_ERROR' })
    expect(second?.enrichment?.http).toMatchObject({ status: 200, respBytes: 9 })
  })

  it('tell a client that did not wait', async () => {
    const proxy = await proxyTo(upstream.url)
    const request = httpRequest(`${proxy.url}/wait`, { agent: false })
    request.on('error', () => {})
    request.on('response', () => request.destroy())
    request.end()
    const [event] = await lab.traced(1)
    expect(event?.result).toMatchObject({ ok: false, code: 'HTTP_CLIENT_ABORTED' })
  })

  it('say what was injected', async () => {
    const late = await proxyTo(upstream.url, '--inject', 'latency=200ms')
    expect((await ask(`${late.url}/x`)).status).toBe(200)
    await lab.traced(1)
    const wrong = await proxyTo(upstream.url, '--inject', 'status=503,p=1', '--inject', 'reset,p=0')
    expect((await ask(`${wrong.url}/x`)).status).toBe(503)
    await lab.traced(2)
    const cut = await proxyTo(upstream.url, '--inject', 'reset')
    await expect(ask(`${cut.url}/x`)).rejects.toThrow(/hang up|ECONNRESET/)
    const trace = await lab.traced(3)
    expect(trace.map(({ result }) => result.code)).toEqual([
      undefined,
      'HTTP_503',
      'HTTP_PROXY_ERROR',
    ])
    const injected = trace.map(
      ({ enrichment = {} }) => (enrichment.http as { injected: unknown }).injected,
    )
    expect(injected).toEqual([
      [{ kind: 'latency', ms: 200 }],
      [{ kind: 'status', status: 503 }],
      [{ kind: 'reset' }],
    ])
    expect(trace[0]?.result.durationMs).toBeGreaterThanOrEqual(199)
    expect(upstream.seen).toHaveLength(1)
  })

  it('are the same each time for one seed', async () => {
    const statuses: (number | undefined)[][] = []
    for (let round = 0; round < 2; round++) {
      const proxy = await proxyTo(
        upstream.url,
        '--inject',
        'status=500,p=0.5',
        '--inject-seed',
        '7',
      )
      const seen: (number | undefined)[] = []
      for (let n = 0; n < 20; n++) seen.push((await ask(`${proxy.url}/x`)).status)
      statuses.push(seen)
    }
    expect(statuses[0]).toEqual(statuses[1])
    expect(new Set(statuses[0])).toEqual(new Set([200, 500]))
  })
})

describe('an HTTP proxy', () => {
  it('says first where it listens, on the loopback', async () => {
    const proxy = await proxyTo(`${upstream.url.replace('//', '//user:pass-word@')}/v1/`)
    expect(Object.keys(proxy.document)).toEqual(['ok', 'listenAddr', 'proxyUrl', 'upstream'])
    expect(proxy.document).toMatchObject({
      ok: true,
      listenAddr: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      upstream: `${upstream.url}/v1`,
    })
    await ask(`${proxy.url}/x`)
    expect(upstream.seen[0]?.url).toBe('/v1/x')
    expect(upstream.seen[0]?.headers.join(' ')).toContain('Basic ')
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('ends with 0 on %s', async (signal) => {
    const proxy = await proxyTo(upstream.url)
    await ask(`${proxy.url}/x`)
    const open = httpRequest(`${proxy.url}/wait`)
    open.on('error', () => {})
    open.end()
    await until(() => upstream.seen.length === 2, 'a request under way')
    proxy.child.kill(signal)
    expect(await proxy.ended).toEqual({ code: 0, signal: null })
    expect(lab.trace()).toHaveLength(2)
  })

  it('ends after so many requests, kept connections or not', async () => {
    const proxy = await proxyTo(upstream.url, '--max-requests', '3')
    for (let n = 0; n < 3; n++)
      expect((await fetch(`${proxy.url}/large?bytes=300000`)).status).toBe(200)
    await fetch(`${proxy.url}/x`).catch(() => {})
    expect((await proxy.ended).code).toBe(0)
    expect(lab.trace()).toHaveLength(3)
  })

  it('ends at the deadline', async () => {
    lab.remove()
    lab = await createLab(['--timeout-ms', '1500'])
    const proxy = await proxyTo(upstream.url)
    const open = httpRequest(`${proxy.url}/wait`)
    open.on('error', () => {})
    open.end()
    expect((await proxy.ended).code).toBe(124)
    expect(lab.trace()[0]?.result).toMatchObject({ ok: false, code: 'ZCL_E_TIMEOUT' })
    const late = await lab.zcl(['http', 'proxy', '--upstream', upstream.url])
    expect(late.stderr).toMatch(/^ZCL_E_TIMEOUT: /)
    expect(late.stdout).toBe('')
  })

  it('refuses what it cannot understand, and tells when it cannot listen', async () => {
    const code = async (...flags: string[]) => (await lab.zcl(['http', 'proxy', ...flags])).code
    expect(await code()).toBe(2)
    expect(await code('--upstream', 'ftp://x')).toBe(2)
    expect(await code('--upstream', 'nonsense')).toBe(2)
    expect(await code('--upstream', upstream.url, '--listen', 'x:y')).toBe(2)
    expect(await code('--upstream', upstream.url, '--inject', 'flood')).toBe(2)
    expect(await code('--upstream', upstream.url, '--inject', 'reset,p=2')).toBe(2)
    const taken = await lab.zcl([
      'http',
      'proxy',
      '--upstream',
      upstream.url,
      '--listen',
      new URL(upstream.url).host,
    ])
    expect(taken.code).toBe(1)
    expect(taken.stderr).toMatch(/^ZCL_E_IO: cannot listen/)
    const without = await lab.zcl(['http', 'proxy', '--upstream', upstream.url], {
      env: { ZCL_RUN_ID: '' },
    })
    expect(without.code).toBe(2)
  })

  it('carries many requests at once', async () => {
    const proxy = await proxyTo(upstream.url)
    const got = await Promise.all(
      Array.from({ length: 500 }, (_, n) => fetch(`${proxy.url}/x?n=${n}`).then((r) => r.json())),
    )
    expect(new Set(got.map((each) => (each as { url: string }).url)).size).toBe(500)
    expect(await lab.traced(500)).toHaveLength(500)
  })
})
