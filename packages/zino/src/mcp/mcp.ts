// Serves the memory to other agents as MCP tools over standard input and output, with the official SDK.
import type { CallToolResult } from '@modelcontextprotocol/server'
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { oneLine, reasonOf } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { isObject } from '@zee/core/json'
import { PacedTransport, type DeliveredRequest } from '@zee/core/pacing'
import manifest from '../../package.json' with { type: 'json' }
import type { ZinoConfig } from '../config/config.ts'
import { tools } from './tools.ts'

const instructions =
  'zino remembers across conversations. Search it before you ask the user for something that may have been ' +
  'said before; add what the user will want to be remembered. Results name their source: "hard" for a stored ' +
  'memory, else a channel and a position.'
/** Claude Code defers tools without it: a model would not know that it has a memory. */
const meta = { 'anthropic/alwaysLoad': true }
const maxMessageBytes = 16 * 1024 * 1024

/** Serves until the client closes standard input. */
export async function serveMcp(config: ZinoConfig, host: Host): Promise<void> {
  const stdio = new StdioServerTransport(host.stdin, host.stdout, {
    maxBufferSize: maxMessageBytes,
  })
  const transport = new PacedTransport(stdio, host.stdin)
  const ended = new Promise<void>((resolve) => host.stdin.once('close', resolve))
  const signalOf = (request: DeliveredRequest) => transport.signalOf(request)
  const handle = serveStdio(() => createServer(config, signalOf), {
    transport,
    onerror: (error) => void host.stderr.write(`zino: ${oneLine(error.message)}\n`),
  })
  await ended
  await handle.close()
}

function createServer(
  config: ZinoConfig,
  signalOf: (request: DeliveredRequest) => AbortSignal,
): McpServer {
  const info = { name: 'zino', version: manifest.version }
  const server = new McpServer(info, { instructions, capabilities: { tools: {} } })
  server.server.setRequestHandler('tools/list', () => ({
    tools: tools.map(({ name, description, inputSchema, annotations }) => {
      return { name, description, inputSchema, annotations, _meta: meta }
    }),
  }))
  server.server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = tools.find(({ name }) => name === params.name)
    if (tool === undefined) return errorResult(`unknown tool: ${params.name}`)
    try {
      const input = isObject(params.arguments) ? params.arguments : {}
      const { text, data } = await tool.call(input, config, signalOf(context.mcpReq))
      return { content: [{ type: 'text', text }], structuredContent: data }
    } catch (error) {
      return errorResult(reasonOf(error))
    }
  })
  return server
}

function errorResult(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] }
}
