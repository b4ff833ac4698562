// An MCP server made with the official SDK, with well-behaved and faulty tools. The argument `stubborn`
// makes it ignore the end of its input and SIGTERM.
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { appendFileSync } from 'node:fs'

type Input = Record<string, unknown>

if (process.argv.includes('stubborn')) {
  process.on('SIGTERM', () => {})
  setInterval(() => {}, 1000)
}
if (process.env.MCP_STARTS !== undefined) {
  appendFileSync(process.env.MCP_STARTS, `${process.pid}\n`)
}
if (process.argv.includes('broken')) {
  process.stderr.write('first line\ncannot find the moon\n')
  process.exit(3)
}

const text = (value: string): CallToolResult => ({ content: [{ type: 'text', text: value }] })

function createServer(): McpServer {
  const server = new McpServer({ name: 'test-server', version: '1' })
  const tool = (
    name: string,
    properties: Record<string, { type: string }>,
    work: (input: Input) => CallToolResult | Promise<CallToolResult>,
  ) => {
    const inputSchema = fromJsonSchema<Input>({ type: 'object', properties })
    server.registerTool(name, { description: `the tool ${name}`, inputSchema }, work)
  }
  tool('echo', { text: { type: 'string' } }, (input) => text(String(input.text)))
  tool('environment', {}, () => text(JSON.stringify(process.env)))
  tool('folder', {}, () => text(process.cwd()))
  tool('fail', {}, () => ({ ...text('it failed'), isError: true }))
  tool('large', { bytes: { type: 'number' } }, ({ bytes }) => text('x'.repeat(Number(bytes))))
  tool('mixed', {}, () => ({
    content: [
      { type: 'text', text: 'see' },
      { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'test://note', text: 'the note' } },
      { type: 'resource_link', uri: 'test://link', name: 'a link' },
    ],
  }))
  tool('figures', {}, () => ({ content: [], structuredContent: { sum: 3 } }))
  tool('die', {}, () => {
    process.kill(process.pid, 'SIGKILL')
    return text('never')
  })
  tool('hang', {}, () => new Promise(() => {}))
  if (process.argv.includes('crowd')) {
    for (let count = 0; count < 300; count++) tool(`t${count}`, {}, () => text('x'))
  }
  tool('do.it', {}, () => text('done'))
  return server
}

const legacy = process.argv.includes('modern') ? 'reject' : 'serve'
serveStdio(createServer, { legacy })
if (process.argv.includes('chatty')) process.stdout.write('hello, I am no message\n')
