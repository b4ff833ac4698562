import { describe, expect, it } from 'vitest'
import { onLoopback } from '../../../../test/support/loopback.ts'
import { isPrivateAddress } from './addresses.ts'
import { webFetchTool } from './web.ts'

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
