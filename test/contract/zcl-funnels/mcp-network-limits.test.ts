import { createServer as createHttpServer, request as httpRequest } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLab, listen, request, startProxy, until, type Lab } from './lab.ts'
import { frame } from './web-socket-frame.ts'

let lab: Lab
beforeEach(async () => {
  lab = await createLab()
})
afterEach(() => lab.remove())

/** A server that stores requests and answers on demand. */
interface Asked {
  url: string
  ids: unknown[]
  /** Answers the request with this id. */
  answer(id: unknown): void
}

interface Client {
  send(id: unknown, method: string): void
  /** Ids of the answers so far. */
  heard(): unknown[]
  end(): void
}

interface Network {
  serve(): Promise<Asked>
  join(proxy: URL): Promise<Client>
}

const result = (id: unknown) => JSON.stringify({ jsonrpc: '2.0', id, result: {} })
const idOf = (text: string) => (JSON.parse(text) as { id: unknown }).id

/** A client's connection; those of servers are released with the server. */
function kept(socket: Socket): Socket {
  lab.closeWith(() => socket.destroy())
  socket.on('error', () => {})
  return socket
}

const tcp: Network = {
  async serve() {
    const ids: unknown[] = []
    const answers = new Map<unknown, () => void>()
    const place = await listen(
      lab,
      createServer((socket) => {
        socket.on('data', (chunk: Buffer) => {
          for (const line of chunk.toString().trim().split('\n')) {
            const id = idOf(line)
            ids.push(id)
            answers.set(id, () => socket.write(`${result(id)}\n`))
          }
        })
      }),
    )
    return { url: `tcp://${place}`, ids, answer: (id) => answers.get(id)?.() }
  },
  async join({ port }) {
    const socket = kept(connect(Number(port), '127.0.0.1'))
    let heard = ''
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString()))
    return {
      send: (id, method) => socket.write(request(id, method)),
      heard: () => heard.split('\n').slice(0, -1).map(idOf),
      end: () => socket.end(),
    }
  },
}

const webSocket: Network = {
  async serve() {
    const ids: unknown[] = []
    const answers = new Map<unknown, () => void>()
    const server = createHttpServer()
    server.on('upgrade', (_asked, socket: Socket) => {
      const accept = 'Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n'
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${accept}`)
      socket.on('end', () => socket.end())
      const texts = textReader()
      socket.on('data', (chunk: Buffer) => {
        for (const text of texts(chunk)) {
          const id = idOf(text)
          ids.push(id)
          answers.set(id, () => socket.write(frame(result(id))))
        }
      })
    })
    return { url: `ws://${await listen(lab, server)}/x`, ids, answer: (id) => answers.get(id)?.() }
  },
  join({ port }) {
    const asking = httpRequest({
      ...{ port, host: '127.0.0.1' },
      headers: { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Key': 'k' },
    })
    asking.end()
    return new Promise((resolve) => {
      asking.on('upgrade', (_answer, socket: Socket) => {
        const heard: unknown[] = []
        const texts = textReader()
        kept(socket).on('data', (chunk: Buffer) => heard.push(...texts(chunk).map(idOf)))
        resolve({
          // Two frames with a ping between them, split at awkward offsets.
          send: (id, method) => {
            const bytes = inTwoFrames(request(id, method).trim())
            socket.write(bytes.subarray(0, 3))
            socket.write(bytes.subarray(3))
          },
          heard: () => heard,
          end: () => socket.end(),
        })
      })
    })
  },
}

const http: Network = {
  async serve() {
    const ids: unknown[] = []
    const answers = new Map<unknown, () => void>()
    const server = createHttpServer((asked, response) => {
      let text = ''
      asked.on('data', (chunk: Buffer) => (text += chunk.toString()))
      asked.on('end', () => {
        if (asked.method === 'DELETE') {
          response.end()
          return
        }
        const id = idOf(text)
        ids.push(id)
        response.writeHead(200, { 'Content-Type': 'text/event-stream' })
        response.flushHeaders()
        answers.set(id, () => response.end(`data: ${result(id)}\n\n`))
      })
    })
    return {
      url: `http://${await listen(lab, server)}/mcp`,
      ids,
      answer: (id) => answers.get(id)?.(),
    }
  },
  async join({ port }) {
    const heard: unknown[] = []
    const ask = (method: string, body: string) => {
      const asking = httpRequest({
        ...{ port, host: '127.0.0.1', method, agent: false },
        headers: { 'Mcp-Session-Id': 's1' },
      })
      asking.on('error', () => {})
      asking.on('response', (response) => {
        let text = ''
        response.on('error', () => {})
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('end', () => {
          if (text !== '') heard.push(idOf(text.replace('data: ', '')))
        })
      })
      asking.end(body)
    }
    return {
      send: (id, method) => ask('POST', request(id, method)),
      heard: () => heard,
      end: () => ask('DELETE', ''),
    }
  },
}

const proxyTo = (upstream: string, ...flags: string[]) => startProxy(lab, 'mcp', upstream, flags)

describe.each([
  ['lines over TCP', tcp],
  ['a WebSocket', webSocket],
  ['Streamable HTTP', http],
] as const)('limits of an MCP proxy for %s', (_name, network) => {
  it('forward the permitted tool calls, refuse the next and end', async () => {
    const server = await network.serve()
    const proxy = await proxyTo(server.url, '--max-tool-calls', '2')
    const client = await network.join(proxy.url)
    client.send('list', 'tools/list')
    await until(() => server.ids.length === 1, 'the first request')
    server.answer('list')
    await until(() => client.heard().length === 1, 'the first answer')
    client.send(1, 'tools/call')
    client.send(2, 'tools/call')
    await until(() => server.ids.length === 3, 'two calls')
    client.send(3, 'tools/call')
    client.send(4, 'tools/list')
    // Pending requests may still be answered.
    server.answer(1)
    await until(() => client.heard().length === 2, 'an answer after the limit')
    expect(proxy.child.exitCode).toBeNull()
    server.answer(2)
    expect((await proxy.ended).code).toBe(2)
    expect(server.ids.slice(0, 1)).toEqual(['list'])
    expect(server.ids.slice(1).sort()).toEqual([1, 2])
    const trace = lab.trace()
    expect(trace.map(({ op, result: { code } }) => [op, code])).toEqual([
      ['tools/list', undefined],
      ['tools/call', undefined],
      ['tools/call', undefined],
      ['limit', 'ZCL_E_MCP_MAX_TOOL_CALLS'],
    ])
    expect(trace.at(-1)?.enrichment).toEqual({ maxToolCalls: 2 })
    expect(trace.at(-1)?.warnings?.[0]?.code).toBe('ZCL_W_MCP_MAX_TOOL_CALLS')
    expect(proxy.err()).toMatch(/^ZCL_E_MCP_MAX_TOOL_CALLS: .+\n$/)
  })

  it('forward requests one by one', async () => {
    const server = await network.serve()
    const proxy = await proxyTo(server.url, '--sequential')
    const client = await network.join(proxy.url)
    client.send(1, 'tools/call')
    await until(() => server.ids.length === 1, 'the first request')
    client.send(2, 'tools/call')
    const other = await network.join(proxy.url)
    other.send(3, 'tools/call')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(server.ids).toEqual([1])
    server.answer(1)
    await until(() => server.ids.length === 2, 'the second request')
    server.answer(server.ids[1])
    await until(() => server.ids.length === 3, 'the third request')
    server.answer(server.ids[2])
    await lab.traced(3)
    proxy.child.kill('SIGTERM')
    expect((await proxy.ended).code).toBe(0)
  })

  it('end with the last client with --shutdown-on-complete', async () => {
    const server = await network.serve()
    const proxy = await proxyTo(server.url, '--shutdown-on-complete')
    const client = await network.join(proxy.url)
    client.send(1, 'tools/call')
    await until(() => server.ids.length === 1, 'the request')
    server.answer(1)
    await until(() => client.heard().length === 1, 'the answer')
    expect(proxy.child.exitCode).toBeNull()
    client.end()
    expect((await proxy.ended).code).toBe(0)
    expect(lab.trace().map(({ op }) => op)).toEqual(['tools/call'])
  })
})

/** Decodes text frames across chunks; lengths in these tests take at most two bytes. */
function textReader(): (chunk: Buffer) => string[] {
  let rest = Buffer.alloc(0)
  let message = ''
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    const found: string[] = []
    for (let next = wholeFrame(rest); next !== undefined; next = wholeFrame(rest)) {
      rest = rest.subarray(next.size)
      if ((next.first & 0x0f) > 2) continue
      message += next.payload
      if (!(next.first & 0x80)) continue
      found.push(message)
      message = ''
    }
    return found
  }
}

function wholeFrame(bytes: Buffer): { first: number; payload: string; size: number } | undefined {
  const [first = 0, second = 0] = bytes
  const isLong = (second & 0x7f) === 126
  if (bytes.length < (isLong ? 4 : 2)) return undefined
  const length = isLong ? bytes.readUInt16BE(2) : second & 0x7f
  const maskAt = isLong ? 4 : 2
  const isMasked = (second & 0x80) !== 0
  const start = maskAt + (isMasked ? 4 : 0)
  if (bytes.length < start + length) return undefined
  const mask = isMasked ? bytes.subarray(maskAt, start) : Buffer.alloc(4)
  const plain = bytes.subarray(start, start + length).map((byte, n) => byte ^ (mask[n & 3] ?? 0))
  return { first, payload: Buffer.from(plain).toString(), size: start + length }
}

function inTwoFrames(text: string): Buffer {
  const first = frame(text.slice(0, 10), true)
  const last = frame(text.slice(10), true)
  first[0] = 0x01
  last[0] = 0x80
  return Buffer.concat([first, Buffer.from([0x89, 0x80, 0, 0, 0, 0]), last])
}
