// An MCP server built with the official SDK: several kinds of tools, a resource, notifications and a request
// to the client. The transparency tests run against it.
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

const server = new McpServer(
  { name: 'sdk-server', version: '1.0.0' },
  { capabilities: { logging: {} }, instructions: 'for tests' },
)

function tool(
  name: string,
  properties: Record<string, { type: string }>,
  work: (args: Record<string, unknown>) => unknown,
): void {
  server.registerTool(
    name,
    {
      description: `the tool ${name}`,
      inputSchema: fromJsonSchema<Record<string, unknown>>({ type: 'object', properties }),
    },
    async (args) => (await work(args)) as { content: [] },
  )
}

const text = (value: string) => ({ content: [{ type: 'text', text: value }] })

tool('echo', { text: { type: 'string' } }, (args) => text(String(args.text)))
tool('sum', { a: { type: 'number' }, b: { type: 'number' } }, ({ a, b }) =>
  text(String(Number(a) + Number(b))),
)
tool('fail', {}, () => ({ ...text('it failed'), isError: true }))
tool('throw', {}, () => {
  throw new Error('thrown on purpose')
})
tool('large', { bytes: { type: 'number' } }, ({ bytes }) => text('ü'.repeat(Number(bytes) / 2)))
tool('image', {}, () => ({
  content: [{ type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }],
}))
tool('structured', {}, () => ({
  ...text('{}'),
  structuredContent: { nested: { list: [1, null] } },
}))
tool('roots', {}, async () => text(JSON.stringify(await server.server.listRoots())))
tool('log', {}, async () => {
  await server.server.sendLoggingMessage({ level: 'info', data: 'a notification' })
  return text('logged')
})

server.registerResource('note', 'test://note', { description: 'a resource' }, (uri) => ({
  contents: [{ uri: uri.href, text: 'the note' }],
}))

void server.connect(new StdioServerTransport())
