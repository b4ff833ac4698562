import { expect, it } from 'vitest'
import { onLoopback } from '../../../../test/support/loopback.ts'
import { createProxiedFetch } from './proxied-fetch.ts'

it('requests of MCP servers go through the proxy of the environment', async () => {
  const seen: string[] = []
  const proxy = await onLoopback((request, body, response) => {
    seen.push(`${request.method} ${request.url} ${body} ${String(request.headers['x-a'])}`)
    response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's' })
    response.end('{"ok":true}')
  })
  const proxied = createProxiedFetch({ http_proxy: proxy.url })
  try {
    const response = await proxied.fetch(new URL('http://mcp.example/mcp'), {
      method: 'POST',
      headers: { 'x-a': '1' },
      body: '{}',
    })
    expect(await response.json()).toEqual({ ok: true })
    expect(response.headers.get('mcp-session-id')).toBe('s')
    const form = new URLSearchParams({ grant_type: 'refresh_token' })
    await proxied.fetch('http://login.example/token', { method: 'POST', body: form })
    expect(seen).toEqual([
      'POST http://mcp.example/mcp {} 1',
      'POST http://login.example/token grant_type=refresh_token undefined',
    ])
  } finally {
    proxied.close()
    await proxy.close()
  }
})

it('requests without a proxy go directly to the server', async () => {
  const server = await onLoopback((_request, _body, response) => response.end('direct'))
  try {
    const proxied = createProxiedFetch({ http_proxy: 'http://127.0.0.1:1' })
    expect(await (await proxied.fetch(server.url)).text()).toBe('direct')
  } finally {
    await server.close()
  }
})
