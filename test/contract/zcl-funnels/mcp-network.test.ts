import { createServer as createHttpServer, request as httpRequest } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLab, listen, request, startProxy, until, type Lab } from './lab.ts'
import { startMcpHttpServer } from './mcp-http-server.ts'
import { frame } from './web-socket-frame.ts'

let lab: Lab
beforeEach(async () => {
  lab = await createLab()
})
afterEach(() => lab.remove())

const proxyTo = (upstream: string, ...flags: string[]) => startProxy(lab, 'mcp', upstream, flags)

async function talk(url: string): Promise<unknown[]> {
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(url))
  await client.connect(transport)
  const told: unknown[] = [client.getServerVersion(), await client.listTools()]
  told.push(await client.callTool({ name: 'echo', arguments: { text: 'ü\n'.repeat(3) } }))
  told.push(await client.callTool({ name: 'fail', arguments: {} }))
  told.push(await client.callTool({ name: 'none', arguments: {} }).catch((e: unknown) => String(e)))
  const many = Array.from({ length: 20 }, (_, n) =>
    client.callTool({ name: 'echo', arguments: { n } }),
  )
  told.push(await Promise.all(many))
  await transport.terminateSession()
  await client.close()
  return told
}

describe('an MCP proxy for a server on the network', () => {
  it.each([
    ['event streams', false],
    ['JSON', true],
  ])('forwards Streamable HTTP with answers as %s', async (_name, inJson) => {
    const server = await startMcpHttpServer(inJson)
    lab.closeWith(() => server.close())
    const direct = await talk(server.url)
    const proxy = await proxyTo(server.url)
    expect(proxy.document.ok).toBe(true)
    expect(await talk(proxy.url.href)).toEqual(direct)
    proxy.child.kill('SIGTERM')
    expect((await proxy.ended).code).toBe(0)
    const trace = lab.trace().filter(({ op }) => op !== 'unknown')
    expect(trace.slice(0, 5).map(({ op, result }) => [op, result.ok, result.code])).toEqual([
      ['initialize', true, undefined],
      ['tools/list', true, undefined],
      ['tools/call', true, undefined],
      ['tools/call', false, 'MCP_TOOL_ERROR'],
      ['tools/call', false, expect.stringMatching(/^MCP_/)],
    ])
    expect(trace).toHaveLength(25)
    expect(trace[2]?.input).toMatchObject({ method: 'tools/call', params: { name: 'echo' } })
  })

  it('injects faults into the answers to tool calls, with flags or the environment', async () => {
    const server = await startMcpHttpServer(false)
    lab.closeWith(() => server.close())
    const proxy = await proxyTo(server.url, '--inject', 'error:1')
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(proxy.url))
    const call = client.callTool({ name: 'echo', arguments: { n: 1 } })
    await expect(call).rejects.toThrow('injected by zcl')
    await client.close()
    proxy.child.kill('SIGTERM')
    await proxy.ended
    expect(lab.trace().find(({ op }) => op === 'tools/call')).toMatchObject({
      result: { ok: false, code: 'MCP_-32000' },
      enrichment: { injected: [{ kind: 'error' }] },
    })
  })

  it('forwards a WebSocket', async () => {
    const server = createHttpServer()
    const sockets: Socket[] = []
    server.on('upgrade', (asked, socket: Socket) => {
      sockets.push(socket)
      const extensions = asked.headers['sec-websocket-extensions'] ?? 'none'
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
          `X-Extensions: ${extensions}\r\n\r\n`,
      )
      socket.write(frame('{"jsonrpc":"2.0","id":"a","result":{"isError":true}}'))
    })
    const proxy = await proxyTo(`ws://${await listen(lab, server)}/x`)
    expect(proxy.url.protocol).toBe('ws:')
    const client = httpRequest({
      port: proxy.url.port,
      host: '127.0.0.1',
      headers: {
        ...{ Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Key': 'k' },
        'Sec-WebSocket-Extensions': 'permessage-deflate',
      },
    })
    // The request for the answer above is sent only now, so the server repeats the answer.
    client.on('upgrade', (answer, socket) => {
      expect(answer.headers['x-extensions']).toBe('none')
      socket.write(frame(request('a', 'tools/call', { name: 'x' }).trim(), true))
      sockets[0]?.once('data', () => {
        sockets[0]?.write(frame('{"jsonrpc":"2.0","id":"a","result":{"isError":true}}'))
      })
    })
    client.end()
    const [event] = await lab.traced(1)
    expect(event).toMatchObject({
      op: 'tools/call',
      input: { id: 'a', params: { name: 'x' } },
      result: { ok: false, code: 'MCP_TOOL_ERROR' },
    })
    proxy.child.kill('SIGTERM')
    expect((await proxy.ended).code).toBe(0)
  })

  it('forwards lines over TCP', async () => {
    const server = createServer((socket) => {
      socket.on('data', (chunk: Buffer) => {
        for (const line of chunk.toString().trim().split('\n')) {
          const { id } = JSON.parse(line) as { id: unknown }
          if (id !== 3) socket.write(`${JSON.stringify({ id, result: {} })}\n`)
        }
      })
    })
    const proxy = await proxyTo(`tcp://${await listen(lab, server)}`)
    const client = connect(Number(proxy.url.port), '127.0.0.1')
    let heard = ''
    client.on('data', (chunk: Buffer) => {
      heard += chunk.toString()
    })
    client.write(request(1, 'initialize') + request(2, 'tools/list') + request(3, 'tools/call'))
    await until(() => heard.split('\n').length === 3, 'two answers')
    expect(heard).toBe('{"id":1,"result":{}}\n{"id":2,"result":{}}\n')
    client.end()
    await lab.traced(3)
    expect(lab.trace().map(({ op, result }) => [op, result.code])).toEqual([
      ['initialize', undefined],
      ['tools/list', undefined],
      ['tools/call', 'MCP_NO_RESPONSE'],
    ])
    proxy.child.kill('SIGINT')
    expect((await proxy.ended).code).toBe(0)
  })

  it('exits 124 at the idle timeout', async () => {
    const upstream = 'http://user:p@ss-word@127.0.0.1:9/'
    const proxy = await proxyTo(upstream, '--idle-timeout-ms', '300')
    expect(proxy.document.upstream).toBe('http://127.0.0.1:9/')
    expect((await proxy.ended).code).toBe(124)
    expect(lab.trace()[0]?.input).toEqual({ upstream: 'http://127.0.0.1:9/' })
    expect(lab.trace()[0]).toMatchObject({ op: 'idle-timeout', result: { code: 'ZCL_E_TIMEOUT' } })
  })

  it('refuses unsupported upstreams and option combinations', async () => {
    const code = async (...args: string[]) => (await lab.zcl(['mcp', 'proxy', ...args])).code
    expect(await code('--upstream', 'ftp://x')).toBe(2)
    expect(await code('--upstream', 'tcp://x')).toBe(2)
    expect(await code('--listen', '127.0.0.1:0')).toBe(2)
    expect(await code('--upstream', 'http://x', '--', 'server')).toBe(2)
    const env = { ZCL_MCP_MAX_TOOL_CALLS: 'many' }
    expect((await lab.zcl(['mcp', 'proxy', '--upstream', 'http://x'], { env })).code).toBe(2)
  })
})
