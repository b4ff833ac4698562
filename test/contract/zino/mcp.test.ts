// `zino mcp`, driven by the client of the official SDK.
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtProgram } from '../../support/paths.ts'
import { Sandbox, until } from './sandbox.ts'

let box: Sandbox
let client: Client
beforeAll(async () => {
  box = new Sandbox()
  await box.serve('mem')
  await box.serve('tmr' as 'mem')
  client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(
    new StdioClientTransport({
      command: builtProgram('zino'),
      args: ['mcp', '--config', box.config],
      cwd: box.folder,
    }),
  )
})
afterAll(async () => {
  await client.close()
  await box.remove()
})

const call = (name: string, args: Record<string, unknown> = {}) =>
  client.callTool({ name, arguments: args })

describe('zino mcp', () => {
  it('offers search, add and the inbox with short descriptions', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['memory_search', 'memory_add', 'inbox'])
    expect(JSON.stringify(tools).length).toBeLessThan(2000)
  })

  it('adds a memory once and finds it with its source and time', async () => {
    const fact = { content: 'The build server is called heron', tag: 'ops' }
    expect(await call('memory_add', fact)).toMatchObject({ structuredContent: { id: 0 } })
    expect(await call('memory_add', fact)).toMatchObject({
      content: [{ text: 'already stored as 0' }],
      structuredContent: { duplicate: true },
    })
    const found = await call('memory_search', { query: 'name of the build server' })
    expect(found.content).toMatchObject([{ text: expect.stringMatching(/^\[0\] .*hard[^]*heron/) }])
    expect(found.structuredContent).toMatchObject({
      results: [{ id: 0, source: 'hard', ts: expect.any(String) }],
    })
    const none = await call('memory_search', { query: 'zebra' })
    expect(none.content).toMatchObject([{ text: 'nothing found' }])
  })

  it('shows the inbox', async () => {
    expect(await call('inbox')).toMatchObject({
      content: [{ text: 'the inbox is empty' }],
      structuredContent: { entries: [] },
    })
  })

  it('reports wrong arguments, unknown tools and a memory that is down as tool errors', async () => {
    const wrong = [call('memory_search'), call('memory_add', { content: 5 }), call('nothing')]
    for (const result of await Promise.all(wrong)) expect(result.isError).toBe(true)
    const pid = box.pidOf('mem') ?? 0
    process.kill(pid, 'SIGTERM')
    // A service that is asked to end still answers requests that have arrived.
    await until(async () => !(await box.answers('mem')))
    const down = await call('memory_search', { query: 'x' })
    expect(down).toMatchObject({ isError: true })
  })
})
