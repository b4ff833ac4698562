import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { builtProgram, childProgram } from '../../support/paths.ts'
import { createLab, type Lab } from './lab.ts'

let lab: Lab
beforeEach(async () => {
  lab = await createLab()
})
afterEach(() => lab.remove())

const server = [process.execPath, childProgram('zcl', 'sdk-server')]

const calls: [string, Record<string, unknown>][] = [
  ['echo', { text: 'grüße\n"quoted" \\ 😀' }],
  ['sum', { a: 1.5, b: 2e21 }],
  ['fail', {}],
  ['throw', {}],
  ['large', { bytes: 3_000_000 }],
  ['image', {}],
  ['structured', {}],
  ['roots', {}],
  ['log', {}],
  ['no-such-tool', {}],
  ['echo', { text: 7 }],
]

interface Heard {
  told: unknown[]
  notifications: unknown[]
}

async function talk([command = '', ...args]: string[]): Promise<Heard> {
  const notifications: unknown[] = []
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { roots: {} } })
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///x', name: 'x' }] }))
  client.setNotificationHandler('notifications/message', (each) => {
    notifications.push(each.params)
  })
  const env = Object.fromEntries(
    Object.entries({ ...process.env, ...lab.env }).filter((each) => each[1] !== undefined),
  ) as Record<string, string>
  await client.connect(new StdioClientTransport({ command, args, env, cwd: lab.folder }))
  const told: unknown[] = [client.getServerVersion(), client.getServerCapabilities()]
  told.push(await client.listTools(), await client.listResources())
  told.push(await client.readResource({ uri: 'test://note' }))
  for (const [name, given] of calls) {
    told.push(
      await client.callTool({ name, arguments: given }).catch((error: unknown) => String(error)),
    )
  }
  const many = Array.from({ length: 100 }, (_, index) =>
    client.callTool({ name: 'echo', arguments: { text: String(index) } }),
  )
  told.push(await Promise.all(many))
  await client.close()
  return { told, notifications }
}

describe("the official SDK's client and server", () => {
  it('behave the same with and without the proxy between them', async () => {
    const direct = await talk(server)
    const proxied = await talk([builtProgram('zcl'), 'mcp', 'proxy', '--', ...server])
    expect(proxied).toEqual(direct)
    expect(direct.notifications).toHaveLength(1)
    const recorded = lab.trace().filter(({ op }) => op === 'tools/call')
    expect(recorded).toHaveLength(calls.length + 100)
    const names = recorded.slice(0, calls.length).map(({ input, result }) => {
      const { name } = input.params as { name: string }
      return [name, result.ok]
    })
    expect(names.slice(0, 9)).toEqual(
      calls.slice(0, 9).map(([name]) => [name, name !== 'fail' && name !== 'throw']),
    )
    expect(names.slice(9).every(([, ok]) => ok === false)).toBe(true)
  })
})
