// `zeno mcp`, driven by the client of the official SDK.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Client as McpClient } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtProgram } from '../../support/paths.ts'
import type { Json, Sandbox } from './sandbox.ts'
import { createSandbox, readEvents } from './sandbox.ts'

let box: Sandbox
let client: McpClient
let log: string

async function connect(...args: string[]): Promise<McpClient> {
  const transport = new StdioClientTransport({
    command: builtProgram('zeno'),
    args: ['mcp', '--root', box.root, ...args],
  })
  const mcp = new McpClient({ name: 'test', version: '1.0.0' })
  await mcp.connect(transport)
  return mcp
}

beforeAll(async () => {
  box = createSandbox({ 'a.txt': 'one\ntwo\n', 'src/b.ts': 'export const x = 1\n' })
  log = path.join(box.base, 'trace.jsonl')
  client = await connect('--log', log, '--hash')
})
afterAll(async () => {
  await client.close()
  await box.remove()
})

const call = (name: string, args: Json = {}) => client.callTool({ name, arguments: args })

describe('zeno mcp', () => {
  it('offers every operation as a tool with a short description and a read-only hint', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'list_files',
      'read_file',
      'peek',
      'grep',
      'extract_symbols',
      'stat',
      'summary',
      'chunks',
      'read_many',
      'locate',
      'symbols',
      'references',
      'log',
      'blame',
      'event',
    ])
    for (const tool of tools) {
      expect(tool.annotations).toMatchObject({ readOnlyHint: true })
      expect(tool.description?.length).toBeLessThan(150)
    }
    expect(JSON.stringify({ tools }).length).toBeLessThan(6000)
  })

  it('returns the result as structured content and as text', async () => {
    const result = await call('read_file', { path: 'a.txt', end_line: 2 })
    expect(result.structuredContent).toMatchObject({
      path: 'a.txt',
      text: 'one\ntwo',
      total_lines: 2,
    })
    expect(result.structuredContent).toHaveProperty('sha256')
    const [content] = result.content as { type: string; text: string }[]
    expect(JSON.parse(content?.text ?? '')).toEqual(result.structuredContent)
    const hits = await call('grep', { pattern: 'const', paths: ['**/*.ts'] })
    expect(hits.content).toEqual([{ type: 'text', text: 'src/b.ts\n1: export const x = 1\n' }])
    const json = await call('grep', { pattern: 'const', options: { format: 'json' } })
    expect(json.structuredContent).toMatchObject({ hits: [{ path: 'src/b.ts', line: 1 }] })
  })

  it('returns a failed operation as a tool error', async () => {
    const result = await call('read_file', { path: '../x' })
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'path outside root' }],
    })
    expect(await call('read_file', {})).toMatchObject({ isError: true })
    expect(await call('grep', { pattern: 5 })).toMatchObject({ isError: true })
  })

  it('traces a call whose arguments it refuses, and names the argument', async () => {
    const refused = await call('read_file', { path: 'a.txt', offset: 2 })
    expect(refused).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'unknown argument: offset' }],
    })
    const events = readEvents(log)
    const request = events.find(({ args }) => (args as Json | undefined)?.offset === 2)
    expect(request).toMatchObject({ event: 'request', op: 'read_file' })
    expect(events).toContainEqual(
      expect.objectContaining({
        event: 'error',
        id: request?.id,
        error: { message: 'unknown argument: offset' },
      }),
    )
  })

  it('traces a call of an unknown tool, and refuses unknown prompts and resources by their codes', async () => {
    expect(await call('write_file', { path: 'a.txt' })).toMatchObject({
      isError: true,
      content: [{ text: 'unknown tool: write_file' }],
    })
    const request = readEvents(log).find(({ op }) => op === 'write_file')
    expect(request).toMatchObject({ event: 'request', args: { path: 'a.txt' } })
    await expect(client.getPrompt({ name: 'none' })).rejects.toMatchObject({ code: -32602 })
    const read = client.readResource({ uri: 'zeno://none' })
    await expect(read).rejects.toMatchObject({ code: -32602 })
  })

  it('goes on inside a line that is longer than an answer', async () => {
    box.put({ 'one.txt': Array.from({ length: 4000 }, (_, n) => `word${n} `).join('') })
    const pages: string[] = []
    let next: Json | undefined = { start_line: 1 }
    while (next !== undefined) {
      const { structuredContent } = await call('read_file', { path: 'one.txt', ...next })
      const page = structuredContent as { text: string; next?: Json }
      pages.push(page.text)
      next = page.next
    }
    expect(pages.length).toBe(4)
    expect(pages.join('')).toBe(readFileSync(path.join(box.root, 'one.txt'), 'utf8'))
  })

  it('stays below 10,000 characters for chunks of many small files', async () => {
    for (let n = 0; n < 200; n++) box.put({ [`small/file-${n}.txt`]: `text ${n}\n` })
    const paths = new Set<string>()
    let cursor: string | undefined
    do {
      const { content, structuredContent } = await call('chunks', { glob: 'small/**', cursor })
      expect((content as { text: string }[])[0]?.text.length).toBeLessThan(10_000)
      const page = structuredContent as {
        chunks: { parts: { path: string }[] }[]
        next_cursor?: string
      }
      for (const { parts } of page.chunks) for (const part of parts) paths.add(part.path)
      cursor = page.next_cursor
    } while (cursor !== undefined)
    expect(paths.size).toBe(200)
  })

  it('reads 400 lines from a path alone and says where to go on', async () => {
    box.put({ 'long.txt': 'line\n'.repeat(900), 'wide.txt': `${'x'.repeat(300)}\n`.repeat(100) })
    const long = await call('read_file', { path: 'long.txt' })
    expect(long.structuredContent).toMatchObject({ end_line: 400, next: { start_line: 401 } })
    const past = await call('read_file', { path: 'a.txt', end_line: 9999 })
    expect(past.structuredContent).toMatchObject({ end_line: 2, truncated: false })
    expect(past.structuredContent).not.toHaveProperty('next')
    const wide = await call('read_file', { path: 'wide.txt' })
    const [content] = wide.content as { text: string }[]
    expect(content?.text.length).toBeLessThanOrEqual(10_000)
    expect(wide.structuredContent).toMatchObject({
      truncated: true,
      next: { start_line: expect.any(Number) },
    })
  })

  it('offers four prompts, and the trace and the evidence as resources', async () => {
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual([
      ...['explore', 'trace-a-bug', 'review-changes', 'answer-with-citations'],
    ])
    const prompt = await client.getPrompt({
      name: 'trace-a-bug',
      arguments: { symptom: 'it hangs' },
    })
    expect(JSON.stringify(prompt.messages)).toContain('it hangs')
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(['zeno://trace', 'zeno://evidence'])
    const { contents } = await client.readResource({ uri: 'zeno://trace' })
    expect(JSON.stringify(contents)).toContain('read_file')
  })

  it('keeps the trace in memory for its resources without --log', async () => {
    const plain = await connect()
    await plain.callTool({ name: 'read_file', arguments: { path: 'a.txt' } })
    await plain.callTool({ name: 'grep', arguments: { pattern: 'two' } })
    const read = async (uri: string) => JSON.stringify(await plain.readResource({ uri }))
    expect(await read('zeno://trace')).toMatch(/read_file.*grep/)
    expect(await read('zeno://evidence')).toContain('a.txt')
    expect(await read('zeno://evidence')).not.toContain('grep')
    await plain.close()
  })

  it('answers concurrent calls and traces them one after the other', async () => {
    const many = Array.from({ length: 30 }, () => call('stat', { path: 'a.txt' }))
    for (const result of await Promise.all(many)) {
      expect(result.structuredContent).toMatchObject({ items: [{ path: 'a.txt' }] })
    }
    await call('event', { event: 'claim', claim_id: 'C1' })
    const events = readEvents(log)
    expect(events.filter(({ op, event }) => op === 'stat' && event === 'response')).toHaveLength(30)
    expect(events).toContainEqual(expect.objectContaining({ event: 'claim', claim_id: 'C1' }))
  })

  it('omits the event tool without --log and enforces --budget', async () => {
    const poor = await connect('--budget', 'ops=1')
    const { tools } = await poor.listTools()
    expect(tools.map(({ name }) => name)).not.toContain('event')
    const first = await poor.callTool({ name: 'stat', arguments: { path: '.' } })
    expect(first.structuredContent).toMatchObject({ metrics: { budget_left: { ops: 0 } } })
    expect(await poor.callTool({ name: 'stat', arguments: { path: '.' } })).toMatchObject({
      isError: true,
      content: [{ text: 'budget spent: ops (1 of 1 used)' }],
    })
    await poor.close()
  })

  it('logs an invalid message on one line and keeps serving', async () => {
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
    const ran = await box.zeno(['mcp', '--root', box.root], { input: `[]\n${ping}\n` })
    expect(ran).toMatchObject({ code: 0, stdout: '{"result":{},"jsonrpc":"2.0","id":1}\n' })
    expect(ran.stderr).toMatch(/^zeno: [^\n]+\n$/)
  })

  it('exits when its input ends and refuses a missing root', async () => {
    const hello = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'x', version: '1' },
      },
    })
    const ran = await box.zeno(['mcp', '--root', box.root], { input: `${hello}\n` })
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(ran.stdout)).toMatchObject({ result: { serverInfo: { name: 'zeno' } } })
    expect(await box.zeno(['mcp', '--root', '/nowhere'])).toMatchObject({ code: 2, stdout: '' })
    expect(await box.zeno(['mcp'])).toMatchObject({ code: 2, stdout: '' })
  })
})
