// Serves the operations as MCP tools over standard input and output, with the official SDK.
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import manifest from '../../package.json' with { type: 'json' }
import type { Answer, Service } from '../service/service.ts'
import { operations } from '../protocol/protocol.ts'
import type { Operation } from '../protocol/protocol.ts'

const instructions =
  'Reads one folder of text, never writes. Paths are relative to its root. Answers are sorted and capped; ' +
  'truncated: true marks a capped answer. Cite lines as path:start-end.'
const maxMessageBytes = 64 * 1024 * 1024

export interface McpOptions {
  /** The `event` tool is offered only with a trace. */
  hasTrace: boolean
}

/** Serves until the client closes standard input. */
export async function serveMcp(
  service: Service,
  { hasTrace }: McpOptions,
  host: Host,
): Promise<void> {
  const call = serializeCalls(service)
  const transport = new StdioServerTransport(host.stdin, host.stdout, {
    maxBufferSize: maxMessageBytes,
  })
  const offered = [...operations.values()].filter(
    ({ name, internal }) => internal !== true && (name !== 'event' || hasTrace),
  )
  const ended = new Promise<void>((resolve) => host.stdin.once('close', resolve))
  const handle = serveStdio(() => createServer(offered, call), {
    transport,
    onerror: (error) => void host.stderr.write(`zeno: ${oneLine(error.message)}\n`),
  })
  await ended
  await handle.close()
}

type Call = (op: string, args: unknown, signal?: AbortSignal) => Promise<Answer>

/** Runs one request at a time: the budget and the order of the trace depend on it. */
function serializeCalls(service: Service): Call {
  let previous: Promise<unknown> = Promise.resolve()
  let number = 0
  return (op, args, signal) => {
    const answer = previous.then(async () => {
      const request = { id: `mcp-${++number}`, op, args: args ?? {} }
      const answered = await service.answer(request, signal)
      answered.writeTrace()
      return answered
    })
    previous = answer.catch(() => undefined)
    return answer
  }
}

function createServer(offered: readonly Operation[], call: Call): McpServer {
  const info = { name: 'zeno', version: manifest.version }
  const server = new McpServer(info, { instructions, capabilities: { tools: {} } })
  for (const operation of offered) {
    const { name, description, properties, required = [] } = operation
    const isReadOnly = name !== 'event'
    server.registerTool(
      name,
      {
        description,
        inputSchema: fromJsonSchema<Record<string, unknown>>({
          type: 'object',
          properties,
          required: [...required],
        }),
        outputSchema: fromJsonSchema<Record<string, unknown>>({
          type: 'object',
          properties: { metrics: { type: 'object' } },
          required: ['metrics'],
        }),
        annotations: {
          readOnlyHint: isReadOnly,
          destructiveHint: false,
          idempotentHint: isReadOnly,
          openWorldHint: false,
        },
      },
      async (args, context) => toolResult(await call(name, args, context.mcpReq.signal)),
    )
  }
  return server
}

function toolResult({ outcome }: Answer): CallToolResult {
  if (!outcome.ok) {
    return { isError: true, content: [{ type: 'text', text: outcome.error.message }] }
  }
  const { result } = outcome
  return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: result }
}
