import { request as httpRequest } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ask } from './http-client.ts'
import { startUpstream, type HttpUpstream } from './http-upstream.ts'
import { createLab, startProxy, until, type Lab } from './lab.ts'

let lab: Lab
let upstream: HttpUpstream
beforeEach(async () => {
  lab = await createLab()
  upstream = await startUpstream()
})
afterEach(async () => {
  await lab.remove()
  await upstream.close()
})

const proxyTo = (url: string, ...flags: string[]) => startProxy(lab, 'http', url, flags)

const large = Buffer.alloc(3_000_000, 'x1y2')

describe('events of the HTTP proxy', () => {
  it('hold the request and its verdict, but no header values', async () => {
    const proxy = await proxyTo(`${upstream.url}/base`)
    const headers = ['Authorization', 'Bearer abcdefghijklmnop', 'X-Odd', 'header-value']
    await ask(`${proxy.url.origin}/x?access_token=hunter2hunter2&n=1`, { headers })
    await ask(`${proxy.url.origin}/status?code=404`)
    await ask(`${proxy.url.origin}/redirect`)
    await ask(`${proxy.url.origin}/gzip`)
    await ask(`${proxy.url.origin}/binary`)
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

  it('record an unreachable upstream and a truncated answer', async () => {
    const { url } = upstream
    const gone = await startUpstream()
    const proxy = await proxyTo(gone.url)
    await gone.close()
    const got = await ask(`${proxy.url.origin}/x`, {
      method: 'POST',
      body: [large],
      headers: ['Transfer-Encoding', 'chunked'],
    })
    expect(got.status).toBe(502)
    const [event] = await lab.traced(1)
    expect(event?.result).toMatchObject({ ok: false, code: 'HTTP_PROXY_ERROR' })
    expect(event?.enrichment?.http).toMatchObject({ status: 502, error: 'ECONNREFUSED' })
    const other = await proxyTo(url)
    expect((await ask(`${other.url.origin}/broken`)).broken).toBe(true)
    const [, second] = await lab.traced(2)
    expect(second?.result).toMatchObject({ ok: false, code: 'HTTP_PROXY_ERROR' })
    expect(second?.enrichment?.http).toMatchObject({ status: 200, respBytes: 9 })
  })

  it('record a client that aborted', async () => {
    const proxy = await proxyTo(upstream.url)
    const request = httpRequest(`${proxy.url.origin}/wait`, { agent: false })
    request.on('error', () => {})
    request.on('response', () => request.destroy())
    request.end()
    const [event] = await lab.traced(1)
    expect(event?.result).toMatchObject({ ok: false, code: 'HTTP_CLIENT_ABORTED' })
  })

  it('list injected faults', async () => {
    const late = await proxyTo(upstream.url, '--inject', 'latency=200ms')
    expect((await ask(`${late.url.origin}/x`)).status).toBe(200)
    await lab.traced(1)
    const wrong = await proxyTo(upstream.url, '--inject', 'status=503,p=1', '--inject', 'reset,p=0')
    expect((await ask(`${wrong.url.origin}/x`)).status).toBe(503)
    await lab.traced(2)
    const cut = await proxyTo(upstream.url, '--inject', 'reset')
    await expect(ask(`${cut.url.origin}/x`)).rejects.toThrow(/hang up|ECONNRESET/)
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

  it('list the same injected faults for the same seed', async () => {
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
      for (let n = 0; n < 20; n++) seen.push((await ask(`${proxy.url.origin}/x`)).status)
      statuses.push(seen)
    }
    expect(statuses[0]).toEqual(statuses[1])
    expect(new Set(statuses[0])).toEqual(new Set([200, 500]))
  })
})

describe('an HTTP proxy', () => {
  it('first prints its loopback address', async () => {
    const proxy = await proxyTo(`${upstream.url.replace('//', '//user:pass-word@')}/v1/`)
    expect(Object.keys(proxy.document)).toEqual(['ok', 'listenAddr', 'proxyUrl', 'upstream'])
    expect(proxy.document).toMatchObject({
      ok: true,
      listenAddr: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      upstream: `${upstream.url}/v1`,
    })
    await ask(`${proxy.url.origin}/x`)
    expect(upstream.seen[0]?.url).toBe('/v1/x')
    expect(upstream.seen[0]?.headers.join(' ')).toContain('Basic ')
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('exits 0 on %s', async (signal) => {
    const proxy = await proxyTo(upstream.url)
    await ask(`${proxy.url.origin}/x`)
    const open = httpRequest(`${proxy.url.origin}/wait`)
    open.on('error', () => {})
    open.end()
    await until(() => upstream.seen.length === 2, 'a request under way')
    proxy.child.kill(signal)
    expect(await proxy.ended).toEqual({ code: 0, signal: null })
    expect(lab.trace()).toHaveLength(2)
  })

  it('ends after --max-requests, with or without keep-alive', async () => {
    const proxy = await proxyTo(upstream.url, '--max-requests', '3')
    for (let n = 0; n < 3; n++)
      expect((await fetch(`${proxy.url.origin}/large?bytes=300000`)).status).toBe(200)
    await fetch(`${proxy.url.origin}/x`).catch(() => {})
    expect((await proxy.ended).code).toBe(0)
    expect(lab.trace()).toHaveLength(3)
  })

  it('exits 124 at the deadline of the attempt', async () => {
    await lab.remove()
    lab = await createLab(['--timeout-ms', '1500'])
    const proxy = await proxyTo(upstream.url)
    const open = httpRequest(`${proxy.url.origin}/wait`)
    open.on('error', () => {})
    open.end()
    expect((await proxy.ended).code).toBe(124)
    expect(lab.trace()[0]?.result).toMatchObject({ ok: false, code: 'ZCL_E_TIMEOUT' })
    const late = await lab.zcl(['http', 'proxy', '--upstream', upstream.url])
    expect(late.stderr).toMatch(/^ZCL_E_TIMEOUT: /)
    expect(late.stdout).toBe('')
  })

  it('refuses invalid options and reports an address in use', async () => {
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
      env: { ZCL_OUT_DIR: '' },
    })
    expect(without.code).toBe(2)
  })

  it('forwards many concurrent requests', async () => {
    const proxy = await proxyTo(upstream.url)
    const got = await Promise.all(
      Array.from({ length: 500 }, (_, n) =>
        fetch(`${proxy.url.origin}/x?n=${n}`).then((r) => r.json()),
      ),
    )
    expect(new Set(got.map((each) => (each as { url: string }).url)).size).toBe(500)
    expect(await lab.traced(500)).toHaveLength(500)
  })
})
