import { afterEach, describe, expect, it } from 'vitest'
import { onLoopback } from '../../../../test/support/loopback.ts'
import { openServerTools, type ServerTools } from './mcp.ts'

type Message = Readonly<Record<string, unknown>>

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const limits = { signal: new AbortController().signal, timeoutMs: 30_000 }

/** An MCP server over HTTP that answers each method with the given result, or with an error. */
async function serve(
  results: Readonly<Record<string, Message>>,
): Promise<{ url: URL; received: Message[] }> {
  const received: Message[] = []
  const server = await onLoopback((request, body, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end()
    const { id, method, params = {} } = JSON.parse(body.toString()) as Message
    if (id === undefined) return response.writeHead(202).end()
    received.push({ method, params })
    const capabilities = { prompts: {}, resources: {}, tools: {} }
    const serverInfo = { name: 'test', version: '1' }
    const initialized = { protocolVersion: '2025-06-18', capabilities, serverInfo }
    const result = { initialize: initialized, ...results }[String(method)]
    const answer = result === undefined ? { error: { code: -32000, message: 'no' } } : { result }
    response.writeHead(200, { 'content-type': 'application/json' })
    return response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  })
  closing.push(() => server.close())
  return { url: new URL(server.url), received }
}

async function open(
  results: Readonly<Record<string, Message>>,
  only?: readonly string[],
): Promise<ServerTools & { received: Message[] }> {
  const { url, received } = await serve(results)
  const endpoint = { url, headers: {}, secrets: [], environment: {} }
  const server = { name: 'own', endpoint, only: only && new Set(only) }
  const opened = openServerTools([server], { name: 'zdx', version: '1' })
  closing.unshift(() => opened.close())
  return { ...opened, received }
}

const tool = (name: string, rest: Message = {}) => ({
  name,
  inputSchema: { type: 'object' },
  ...rest,
})
const withTools = (...tools: Message[]) => ({ 'tools/list': { tools } })

describe('the tools of a server', () => {
  it('are offered in the order of their names', async () => {
    const { gather } = await open(
      withTools(
        tool('b', { title: 'B', annotations: { readOnlyHint: true } }),
        tool('c', { annotations: { readOnlyHint: false } }),
        tool('a', { description: 'the tool a', title: 'A' }),
      ),
    )
    const { tools, notices } = await gather(limits)
    expect(notices).toEqual([])
    expect(tools).toMatchObject([
      { name: 'own__a', description: 'the tool a', isReadOnly: false, external: true },
      { name: 'own__b', description: 'B', isReadOnly: true, external: true },
      { name: 'own__c', description: 'c', isReadOnly: false, external: true },
    ])
  })

  it('have their schema without its dialect', async () => {
    const inputSchema = { $schema: 'x', type: 'object', properties: { a: { type: 'string' } } }
    const { gather } = await open(withTools(tool('a', { inputSchema })))
    expect((await gather(limits)).tools[0]?.schema).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
    })
  })

  it('are listed once', async () => {
    const { gather, received } = await open(withTools(tool('a')))
    const first = await gather(limits)
    expect(await gather(limits)).toEqual({ tools: first.tools, notices: [] })
    expect(received.map(({ method }) => method)).toEqual(['initialize', 'tools/list'])
  })

  it('are only those that the configuration names', async () => {
    const { gather } = await open(withTools(tool('a'), tool('b'), tool('c')), ['c', 'a', 'x\ny'])
    const { tools, notices } = await gather(limits)
    expect(tools.map(({ name }) => name)).toEqual(['own__a', 'own__c'])
    expect(notices).toEqual([`MCP server own has no tool 'x y'`])
  })

  it('are at most 128', async () => {
    const named = (count: number) => Array.from({ length: count }, (_, index) => tool(`t${index}`))
    const fits = await (await open(withTools(...named(128)))).gather(limits)
    expect([fits.tools.length, fits.notices]).toEqual([128, []])
    const { tools, notices } = await (await open(withTools(...named(129)))).gather(limits)
    expect(tools).toHaveLength(128)
    expect(notices).toEqual([
      'MCP server own has 129 tools, of which 128 are offered: name those you need as mcp:own/<tool>',
    ])
  })

  it('have a schema of at most 64 KiB and a description of at most 4 KiB', async () => {
    const schema = (bytes: number) => {
      const empty = JSON.stringify({ type: 'object', title: '' }).length
      return { type: 'object', title: 'x'.repeat(bytes - empty) }
    }
    const description = 'd'.repeat(4097)
    const { gather } = await open(
      withTools(
        tool('a', { inputSchema: schema(64 * 1024), description }),
        tool('b', { inputSchema: schema(64 * 1024 + 1) }),
        tool('c'),
      ),
    )
    const { tools, notices } = await gather(limits)
    expect(tools.map(({ name }) => name)).toEqual(['own__a', 'own__c'])
    expect(tools[0]?.description).toBe('d'.repeat(4096))
    expect(notices).toEqual(['MCP server own: b is not offered, its schema is too long'])
  })

  it('are missing while the server fails, and are listed again later', async () => {
    const results: Record<string, Message> = {}
    const { gather } = await open(results)
    const { tools, notices } = await gather(limits)
    expect(tools).toEqual([])
    expect(notices).toEqual([expect.stringMatching(/own.*; its tools are not offered$/)])
    Object.assign(results, withTools(tool('a')))
    expect((await gather(limits)).tools.map(({ name }) => name)).toEqual(['own__a'])
  })

  it('return an envelope, also for a failed call', async () => {
    const called = { 'tools/call': { content: [{ type: 'text', text: 'done' }] } }
    const run = async (results: Record<string, Message>) => {
      const { gather, received } = await open({ ...withTools(tool('a.b')), ...results })
      const [offered] = (await gather(limits)).tools
      const { signal } = limits
      const context = { root: '/', env: {}, callId: 'c', timeoutMs: 30_000, signal }
      return { result: await offered?.run({ n: 1 }, context), received }
    }
    const { result, received } = await run(called)
    expect(result).toEqual({ ok: true, data: { text: 'done' } })
    expect(received.at(-1)).toEqual({
      method: 'tools/call',
      params: { name: 'a.b', arguments: { n: 1 } },
    })
    expect((await run({})).result).toMatchObject({
      ok: false,
      error: { code: 'mcp_error', message: expect.stringContaining('own') as string },
    })
  })
})

describe('the prompts and resources of a server', () => {
  const prompts = [
    { name: 'p', description: 'the prompt p', arguments: [{ name: 'a' }, { name: 'b' }] },
    { name: 'q' },
  ]
  const resources = [{ uri: 'x://r', name: 'r', mimeType: 'text/plain' }]

  it('are listed', async () => {
    const listed = { 'prompts/list': { prompts }, 'resources/list': { resources } }
    expect(await (await open(listed)).offers(limits)).toEqual([
      {
        server: 'own',
        prompts: [
          { name: 'p', arguments: ['a', 'b'], description: 'the prompt p' },
          { name: 'q', arguments: [], description: '' },
        ],
        resources: [{ uri: 'x://r', name: 'r' }],
      },
    ])
  })

  it('are empty lists for a server without them', async () => {
    const initialize = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      serverInfo: { name: 'test', version: '1' },
    }
    const { offers, received } = await open({ initialize })
    expect(await offers(limits)).toEqual([{ server: 'own', prompts: [], resources: [] }])
    expect(received.map(({ method }) => method)).toEqual(['initialize'])
  })

  it('are the reason of a failure for a server that fails', async () => {
    expect(await (await open({})).offers(limits)).toEqual([
      { failure: expect.stringContaining('own') as string },
    ])
  })

  it('give the texts of a prompt', async () => {
    const message = (content: Message) => ({ role: 'user', content })
    const { textOf, received } = await open({
      'prompts/get': {
        messages: [
          message({ type: 'text', text: 'one' }),
          message({ type: 'text', text: '' }),
          message({ type: 'image', data: 'AA==', mimeType: 'image/png' }),
          message({ type: 'resource', resource: { uri: 'x://r', text: 'two' } }),
          message({ type: 'resource', resource: { uri: 'x://r', blob: 'AA==' } }),
        ],
      },
    })
    expect(await textOf('own', 'p', { a: '1' }, limits)).toBe(
      'one\n\n[image left out]\n\ntwo\n\n[resource left out]',
    )
    expect(received.at(-1)).toEqual({
      method: 'prompts/get',
      params: { name: 'p', arguments: { a: '1' } },
    })
  })

  it('give the texts of a resource', async () => {
    const contents = [
      { uri: 'x://r', text: 'one' },
      { uri: 'x://r', blob: 'AA==' },
    ]
    const { textOf, received } = await open({ 'resources/read': { contents } })
    expect(await textOf('own', 'x://r', {}, limits)).toBe('one\n\n[resource left out]')
    expect(received.at(-1)).toEqual({ method: 'resources/read', params: { uri: 'x://r' } })
  })

  it('are cut at 256 KiB', async () => {
    const text = 'x'.repeat(256 * 1024 + 1)
    const { textOf } = await open({
      'prompts/get': { messages: [{ role: 'user', content: { type: 'text', text } }] },
      'resources/read': { contents: [{ uri: 'x://r', text }] },
    })
    expect((await textOf('own', 'p', {}, limits)).length).toBe(256 * 1024)
    expect((await textOf('own', 'x://r', {}, limits)).length).toBe(256 * 1024)
  })

  it('are refused for an unknown server', async () => {
    const { textOf } = await open({})
    await expect(textOf('no\nserver', 'p', {}, limits)).rejects.toThrow(
      "there is no MCP server 'no server'",
    )
  })
})
