// MCP over streamable HTTP: passes requests of Node's server to the handler of the official SDK, which makes a server
// for each request, so that no session stays in memory.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import { oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { writeBounded } from '@zee/core/http-guard'
import { mcpServerFactory } from '../../mcp/mcp.ts'
import type { McpOptions } from '../../mcp/mcp.ts'
import type { Service } from '../../service/service.ts'

export type McpEndpoint = Pick<McpHttpHandler, 'fetch' | 'close'>

/** Open notification streams of one client; zeno sends none. */
const maxSubscriptions = 4

export function createMcpEndpoint(service: Service, options: McpOptions, host: Host): McpEndpoint {
  return createMcpHandler(mcpServerFactory(service, options), {
    maxSubscriptions,
    onerror: (error) => void host.stderr.write(`zeno: ${oneLine(error.message)}\n`),
  })
}

/** Ends early if the client leaves, or does not read for `idleMs`. */
export async function answerMcp(
  endpoint: McpEndpoint,
  request: IncomingMessage,
  body: Buffer | undefined,
  response: ServerResponse,
  { idleMs, signal }: { idleMs: number; signal: AbortSignal },
): Promise<void> {
  const answer = await endpoint.fetch(webRequest(request, body, signal))
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  if (answer.body !== null) {
    const reader = answer.body.getReader()
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      if (await writeBounded(response, read.value, idleMs)) continue
      await reader.cancel()
      return
    }
  }
  response.end()
}

function webRequest(
  { method = 'GET', url = '/', headers }: IncomingMessage,
  body: Buffer | undefined,
  signal: AbortSignal,
): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  )
  const target = new URL(url, `http://${headers.host ?? 'localhost'}`)
  const base = { method, headers: pairs, signal }
  return new Request(target, body === undefined ? base : { ...base, body: new Uint8Array(body) })
}
