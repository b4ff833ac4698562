import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLab, rawServer, request, type Lab } from './lab.ts'

let lab: Lab
beforeEach(async () => {
  lab = await createLab()
})
afterEach(() => lab.remove())

const ops = () => lab.trace().map(({ op, result }) => [op, result.code])

describe('limits of the MCP proxy', () => {
  it('forward the permitted tool calls and refuse the next', async () => {
    const proxy = lab.start(['mcp', 'proxy', '--max-tool-calls', '2', '--', ...rawServer()])
    proxy.write(request(0, 'initialize'))
    for (let id = 1; id <= 4; id++) proxy.write(request(id, 'tools/call', { delayMs: 50 }))
    expect((await proxy.ended).code).toBe(2)
    expect(
      proxy
        .out()
        .toString()
        .match(/"id":\d/g),
    ).toEqual(['"id":0', '"id":1', '"id":2'])
    expect(ops()).toEqual([
      ['spawn', undefined],
      ['initialize', undefined],
      ['tools/call', undefined],
      ['tools/call', undefined],
      ['limit', 'ZCL_E_MCP_MAX_TOOL_CALLS'],
    ])
    expect(lab.trace().at(-1)?.enrichment).toEqual({ maxToolCalls: 2 })
    expect(proxy.err()).toMatch(/^ZCL_E_MCP_MAX_TOOL_CALLS: .+\n$/)
  })

  it('are not hit by exactly the permitted number', async () => {
    const calls = [1, 2].map((id) => request(id, 'tools/call')).join('')
    const ran = await lab.zcl(['mcp', 'proxy', '--', ...rawServer()], {
      input: calls,
      env: { ZCL_MCP_MAX_TOOL_CALLS: '2' },
    })
    expect(ran.code).toBe(0)
    expect(ops()).toHaveLength(3)
  })

  it('come from flags, then from the environment; 0 allows no call', async () => {
    const env = { ZCL_MCP_MAX_TOOL_CALLS: '1' }
    const input = [1, 2].map((id) => request(id, 'tools/call')).join('')
    const args = (...flags: string[]) => ['mcp', 'proxy', ...flags, '--', ...rawServer()]
    expect((await lab.zcl(args(), { env, input })).code).toBe(2)
    expect((await lab.zcl(args('--max-tool-calls', '2'), { env, input })).code).toBe(0)
    const [one] = input.split('\n')
    const none = await lab.zcl(args('--max-tool-calls', '0'), { input: `${one}\n` })
    expect(none.code).toBe(2)
    const bad = await lab.zcl(args(), { env: { ZCL_MCP_IDLE_TIMEOUT_MS: 'soon' }, input })
    expect([bad.code, bad.stdout]).toEqual([2, ''])
  })

  it('end an idle conversation', async () => {
    const proxy = lab.start(['mcp', 'proxy', '--idle-timeout-ms', '1500', '--', ...rawServer()])
    for (let id = 1; id <= 4; id++) {
      proxy.write(request(id, 'tools/list'))
      await proxy.line()
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
    expect((await proxy.ended).code).toBe(124)
    expect(ops().slice(5)).toEqual([['idle-timeout', 'ZCL_E_TIMEOUT']])
  })

  it('stop a server that outlives its client, once every request is answered', async () => {
    const proxy = lab.start([
      ...['mcp', 'proxy', '--shutdown-on-complete', '--'],
      ...rawServer('--ignore-eof', '--ignore-term'),
    ])
    proxy.write(request(1, 'tools/call', { delayMs: 300 }))
    proxy.end()
    expect((await proxy.ended).code).toBe(0)
    expect(ops()).toEqual([
      ['spawn', undefined],
      ['tools/call', undefined],
    ])
  })

  it('forward requests one by one, but answers to the server at once', async () => {
    const proxy = lab.start(['mcp', 'proxy', '--sequential', '--', ...rawServer()])
    proxy.write(request(1, 'tools/call', { silent: true }))
    proxy.write(request(2, 'tools/list'))
    proxy.write('ping pong\n')
    // The server answers the first request only after the message that follows the second.
    proxy.write('{"id":7,"result":{},"params":{"raw":"{\\"id\\":1,\\"result\\":{}}\\n"}}\n')
    expect(await proxy.line()).toBe('{"id":1,"result":{}}')
    expect(await proxy.line()).toBe('{"jsonrpc":"2.0","id":2,"result":{}}')
    expect(await proxy.line()).toBe('heard: ping pong')
    proxy.end()
    expect((await proxy.ended).code).toBe(0)
  })
})
