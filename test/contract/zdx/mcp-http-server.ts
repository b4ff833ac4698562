// A Streamable HTTP server built with the official SDK that requires a key.
import { fromJsonSchema, McpServer, createMcpHandler } from '@modelcontextprotocol/server'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'

export interface KeyedServer {
  url: string
  seen: IncomingHttpHeaders[]
  close(): Promise<void>
}

export async function startKeyedServer(key: string): Promise<KeyedServer> {
  const seen: IncomingHttpHeaders[] = []
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'keyed', version: '1' })
    const inputSchema = fromJsonSchema<Record<string, unknown>>({ type: 'object' })
    server.registerTool('echo', { inputSchema }, (input) => ({
      content: [{ type: 'text', text: JSON.stringify(input) }],
    }))
    server.registerTool('large', { inputSchema }, () => ({
      content: [{ type: 'text', text: 'x'.repeat(65 * 1024 * 1024) }],
    }))
    return server
  })
  const server = createServer((request, response) => {
    seen.push(request.headers)
    if (request.headers.authorization !== `Bearer ${key}`) {
      response.writeHead(403).end(`wrong key: ${request.headers.authorization}`)
      return
    }
    void handler.fetch(webRequest(request)).then((answer) => {
      response.writeHead(answer.status, Object.fromEntries(answer.headers))
      if (answer.body === null) response.end()
      else Readable.fromWeb(answer.body as never).pipe(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    seen,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function webRequest(request: IncomingMessage): Request {
  const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  return new Request(`http://127.0.0.1${request.url}`, {
    method: request.method,
    headers,
    ...(request.method === 'POST'
      ? { body: Readable.toWeb(request) as never, duplex: 'half' }
      : {}),
  } as RequestInit)
}
