import { describe, expect, it } from 'vitest'
import { onLoopback } from '../../../../test/support/loopback.ts'
import { isPrivateAddress } from './addresses.ts'
import { webFetchTool } from './web.ts'

type Answer = Parameters<typeof onLoopback>[0]

const context = {
  root: '/',
  timeoutMs: undefined,
  env: {},
  callId: 'c',
  signal: new AbortController().signal,
}

const fetchPage = (url: string, allowedHosts: string[] = [], more: object = {}) =>
  webFetchTool({ allowedHosts, environment: {} }).run({ url, ...more }, context)

const page =
  '<html><head><title>T</title><script>evil()</script></head>' +
  '<body><h1>Head</h1><p>One <b>two</b></p><ul><li>item</li></ul></body></html>'

describe('web_fetch', () => {
  it('returns the text of a page after redirects, without scripts', async () => {
    const server = await onLoopback((request, _body, response) => {
      if (request.url === '/start') return response.writeHead(302, { location: '/page' }).end()
      return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
    })
    try {
      const result = await fetchPage(`${server.url}/start`, ['127.0.0.1'])
      expect(result).toMatchObject({ ok: true, data: { status: 200, url: `${server.url}/page` } })
      const text = String(result.ok && result.data.content)
      expect(text).toMatch(/Head/i)
      expect(text).toContain('One two')
      expect(text).not.toContain('evil')
      const window = await fetchPage(`${server.url}/page`, ['127.0.0.1'], { offset: 1, limit: 1 })
      expect(window).toMatchObject({ ok: true, data: { start_line: 1, end_line: 1 } })
    } finally {
      await server.close()
    }
  })

  it.each([
    'http://127.0.0.1:9/',
    'http://localhost:9/',
    'http://[::1]:9/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://[::ffff:127.0.0.1]/',
    'http://0x7f.1/',
  ])('refuses the private address %s', async (url) => {
    expect(await fetchPage(url)).toMatchObject({
      ok: false,
      error: { code: 'fetch_error', message: expect.stringContaining('private address') as string },
    })
  })

  it('refuses a redirect to a private address', async () => {
    const server = await onLoopback((_request, _body, response) => {
      response.writeHead(302, { location: 'http://192.168.0.1/' }).end()
    })
    try {
      expect(await fetchPage(server.url, ['127.0.0.1'])).toMatchObject({
        error: { message: expect.stringContaining('192.168.0.1') as string },
      })
    } finally {
      await server.close()
    }
  })

  it('refuses other schemes, credentials, binary data and large bodies', async () => {
    const server = await onLoopback((request, _body, response) => {
      if (request.url === '/large') return response.end('x'.repeat(6 * 1024 * 1024))
      return response.writeHead(200, { 'content-type': 'image/png' }).end('x')
    })
    try {
      for (const url of ['file:///etc/passwd', 'http://a:b@example.com/', 'no url']) {
        expect(await fetchPage(url)).toMatchObject({ error: { code: 'fetch_error' } })
      }
      for (const path of ['/large', '/image']) {
        const result = await fetchPage(server.url + path, ['127.0.0.1'])
        expect(result).toMatchObject({ error: { code: 'fetch_error' } })
      }
    } finally {
      await server.close()
    }
  })
})

describe('a fetched page', () => {
  const local = ['127.0.0.1']
  const type = (value: string) => ({ 'content-type': value })
  const withServer = async (answer: Answer, use: (url: string) => Promise<void>) => {
    const server = await onLoopback(answer)
    try {
      await use(server.url)
    } finally {
      await server.close()
    }
  }

  it.each([301, 302, 303, 307, 308])(
    'comes after a redirect with the status %i',
    async (status) => {
      const answer: Answer = (request, _body, response) => {
        if (request.url === '/') response.writeHead(status, { location: '/page' }).end('moved')
        else response.end('here')
      }
      await withServer(answer, async (url) => {
        expect(await fetchPage(url, local)).toMatchObject({
          data: { url: `${url}/page`, status: 200, content: 'here' },
        })
      })
    },
  )

  it.each([
    [300, { location: '/page' }],
    [302, {}],
    [404, {}],
  ])('is the answer with the status %i', async (status, headers) => {
    const answer: Answer = (_request, _body, response) => {
      response.writeHead(status, headers).end('here')
    }
    await withServer(answer, async (url) => {
      expect(await fetchPage(url, local)).toMatchObject({ data: { status, content: 'here' } })
    })
  })

  it('comes after at most five redirects', async () => {
    const answer: Answer = (request, _body, response) => {
      const left = Number(request.url?.slice(1))
      if (left === 0) response.end('here')
      else response.writeHead(302, { location: `/${left - 1}` }).end()
    }
    await withServer(answer, async (url) => {
      expect(await fetchPage(`${url}/5`, local)).toMatchObject({ data: { content: 'here' } })
      expect(await fetchPage(`${url}/6`, local)).toMatchObject({
        error: { message: `Cannot fetch ${url}/6: it redirects more than 5 times` },
      })
    })
  })

  it('has at most 5 MiB', async () => {
    const size = 5 * 1024 * 1024
    const answer: Answer = (request, _body, response) => {
      response.end('x'.repeat(Number(request.url?.slice(1))))
    }
    await withServer(answer, async (url) => {
      expect(await fetchPage(`${url}/${size}`, local)).toMatchObject({ ok: true })
      expect(await fetchPage(`${url}/${size + 1}`, local)).toMatchObject({
        error: { message: `Cannot fetch ${url}/${size + 1}: it is larger than 5242880 bytes` },
      })
    })
  })

  it.each<[headers: Record<string, string>, body: string, content: string]>([
    [{}, 'plain', 'plain'],
    [type('text/plain; charset=latin1'), '\u00fc', 'ü'],
    [type('text/plain; charset="iso-8859-1"'), '\u00fc', 'ü'],
    [type('text/plain; charset=unknown'), 'plain', 'plain'],
    [type('application/ld+json'), '{}', '{}'],
    [type('application/xml'), '<a/>', '<a/>'],
    [type('TEXT/HTML'), '<p>a</p><img src="x"><a href="/b">b</a>', 'a\n\nb [/b]'],
    [type('application/xhtml+xml'), '<p>a</p>', 'a'],
    [type('text/html'), `<p>${'word '.repeat(40)}</p>`, 'word '.repeat(40).trim()],
  ])('with the headers %j is the text %j', async (headers, body, content) => {
    const answer: Answer = (_request, _body, response) => {
      response.writeHead(200, headers).end(Buffer.from(body, 'latin1'))
    }
    await withServer(answer, async (url) => {
      expect(await fetchPage(url, local)).toMatchObject({ data: { content } })
    })
  })

  it.each<[headers: Record<string, string>, body: string, reason: string]>([
    [type('image/png'), 'x', 'it is image/png, not text'],
    [type('application/jsonx'), 'x', 'it is application/jsonx, not text'],
    [{}, 'a\u0000b', 'it is binary data, not text'],
  ])('with the headers %j and the body %j is refused', async (headers, body, reason) => {
    const answer: Answer = (_request, _body, response) => {
      response.writeHead(200, headers).end(body)
    }
    await withServer(answer, async (url) => {
      expect(await fetchPage(url, local)).toMatchObject({
        error: { message: `Cannot fetch ${url}: ${reason}` },
      })
    })
  })

  it('may have a private address if the configuration names its host or port', async () => {
    const answer: Answer = (_request, _body, response) => {
      response.end('here')
    }
    await withServer(answer, async (url) => {
      const { port } = new URL(url)
      for (const [host, allowed] of [
        ['127.0.0.1', `127.0.0.1:${port}`],
        ['localhost', 'localhost'],
        ['localhost', `localhost:${port}`],
      ] as const) {
        expect(await fetchPage(`http://${host}:${port}`, [allowed])).toMatchObject({ ok: true })
      }
      expect(await fetchPage(`http://localhost:${port}`, local)).toMatchObject({ ok: false })
    })
  })

  it.each([
    ['no url', 'it is not a URL'],
    ['file:///etc/passwd', 'only http and https are supported'],
    ['http://ada@example.com/', 'it holds credentials'],
    ['http://:word@example.com/', 'it holds credentials'],
    [
      'http://a.localhost/',
      'a.localhost has a private address; the user can allow it with web_fetch_hosts',
    ],
    ['http://[::1]/', '[::1] has a private address; the user can allow it with web_fetch_hosts'],
  ])('of %s is refused: %s', async (url, reason) => {
    expect(await fetchPage(url)).toEqual({
      ok: false,
      error: { code: 'fetch_error', message: `Cannot fetch ${url}: ${reason}` },
    })
  })

  it('is not fetched with an invalid window or after an interrupt', async () => {
    expect(await fetchPage('http://127.0.0.1:9', local, { limit: 0 })).toMatchObject({
      error: {
        code: 'invalid_input',
        message: expect.stringMatching(/^Invalid input for web_fetch tool: /) as string,
      },
    })
    const signal = AbortSignal.abort('stopped')
    const { run } = webFetchTool({ allowedHosts: local, environment: {} })
    await expect(run({ url: 'http://127.0.0.1:9' }, { ...context, signal })).rejects.toBe('stopped')
  })

  it('belongs to a read-only tool that needs an address', () => {
    expect(webFetchTool({ allowedHosts: [], environment: {} })).toMatchObject({
      name: 'web_fetch',
      isReadOnly: true,
      schema: { required: ['url'] },
    })
  })
})

describe('isPrivateAddress', () => {
  it('accepts public addresses only', () => {
    expect(['8.8.8.8', '2606:4700::1111'].map(isPrivateAddress)).toEqual([false, false])
    const closed = ['127.1.2.3', '10.1.1.1', '172.31.0.1', 'fe80::1', 'fd00::1', '::1', 'x']
    expect(closed.every(isPrivateAddress)).toBe(true)
  })

  it.each([
    ['0.0.0.0', '0.255.255.255', '1.0.0.0'],
    ['10.0.0.0', '10.255.255.255', '11.0.0.0'],
    ['100.64.0.0', '100.127.255.255', '100.128.0.0'],
    ['127.0.0.0', '127.255.255.255', '128.0.0.0'],
    ['169.254.0.0', '169.254.255.255', '169.255.0.0'],
    ['172.16.0.0', '172.31.255.255', '172.32.0.0'],
    ['192.0.0.0', '192.0.0.255', '192.0.1.0'],
    ['192.168.0.0', '192.168.255.255', '192.169.0.0'],
    ['198.18.0.0', '198.19.255.255', '198.20.0.0'],
    ['224.0.0.0', '255.255.255.255', '223.255.255.255'],
    ['::', '::1', '::2'],
    ['64:ff9b::', '64:ff9b::ffff:ffff', '64:ff9b::1:0:0'],
    ['fc00::', 'fdff:ffff::', 'fe00::'],
    ['fe80::', 'febf:ffff::', 'fec0::'],
    ['ff00::', 'ffff::', 'fe00::'],
    ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8'],
  ])('closes the range from %s to %s, and not %s', (first, last, outside) => {
    expect([first, last, outside].map(isPrivateAddress)).toEqual([true, true, false])
  })
})
