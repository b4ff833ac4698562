// A Streamable HTTP server built with the official SDK on node:http.
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import {
  fromJsonSchema,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'

export interface McpHttpServer {
  url: string
  close(): Promise<void>
}

export async function startMcpHttpServer(answersInJson: boolean): Promise<McpHttpServer> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
  const server = createServer((request, response) => {
    void handle(request, response, sessions, answersInJson)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: async () => {
      for (const transport of sessions.values()) await transport.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  sessions: Map<string, WebStandardStreamableHTTPServerTransport>,
  answersInJson: boolean,
): Promise<void> {
  const id = request.headers['mcp-session-id']
  const transport = sessions.get(String(id)) ?? (await newSession(sessions, answersInJson))
  const answer = await transport.handleRequest(webRequest(request))
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  if (answer.body === null) response.end()
  else Readable.fromWeb(answer.body as never).pipe(response)
}

function webRequest(request: IncomingMessage): Request {
  const hasBody = request.method === 'POST'
  const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  return new Request(`http://127.0.0.1${request.url}`, {
    method: request.method,
    headers,
    ...(hasBody ? { body: Readable.toWeb(request) as never, duplex: 'half' } : {}),
  } as RequestInit)
}

async function newSession(
  sessions: Map<string, WebStandardStreamableHTTPServerTransport>,
  enableJsonResponse: boolean,
): Promise<WebStandardStreamableHTTPServerTransport> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    enableJsonResponse,
    onsessioninitialized: (id) => void sessions.set(id, transport),
  })
  const server = new McpServer({ name: 'http-server', version: '1' })
  const inputSchema = fromJsonSchema<Record<string, unknown>>({ type: 'object' })
  server.registerTool('echo', { inputSchema }, (args) => ({
    content: [{ type: 'text', text: JSON.stringify(args) }],
  }))
  server.registerTool('fail', { inputSchema }, () => ({
    content: [{ type: 'text', text: 'no' }],
    isError: true,
  }))
  await server.connect(transport)
  return transport
}
