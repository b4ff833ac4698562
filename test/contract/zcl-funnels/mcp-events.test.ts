import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLab, rawServer, request, type Event, type Lab } from './lab.ts'

let lab: Lab
beforeEach(async () => {
  lab = await createLab()
})
afterEach(() => lab.remove())

async function converse(...lines: string[]): Promise<Event[]> {
  const ran = await lab.zcl(['mcp', 'proxy', '--', ...rawServer()], { input: lines.join('') })
  expect(ran.code).toBe(0)
  return lab.trace()
}

describe('events of the MCP proxy', () => {
  it('start with the spawn and hold one event per answered request', async () => {
    const trace = await converse(
      request(1, 'initialize', { protocolVersion: '2025-06-18' }),
      '{"jsonrpc":"2.0","method":"notifications/initialized"}\n',
      request(2, 'tools/list'),
      request(3, 'tools/call', { name: 'x', arguments: { z: 1, a: 2 } }),
      request(4, 'resources/list'),
    )
    expect(trace.map(({ tool, op }) => [tool, op])).toEqual([
      ['mcp', 'spawn'],
      ['mcp', 'initialize'],
      ['mcp', 'tools/list'],
      ['mcp', 'tools/call'],
      ['mcp', 'unknown'],
    ])
    const [spawn, , , call, other] = trace
    expect(spawn?.input).toEqual({ argv: rawServer() })
    expect(spawn?.result.ok).toBe(true)
    expect(JSON.stringify(call?.input)).toBe(
      '{"id":3,"method":"tools/call","params":{"arguments":{"a":2,"z":1},"name":"x"}}',
    )
    expect(call?.result).toMatchObject({ ok: true })
    expect(call?.result).not.toHaveProperty('exitCode')
    expect(call?.io.outBytes).toBe('{"jsonrpc":"2.0","id":3,"result":{}}'.length)
    expect(call?.io.outPreview).toBe('{"jsonrpc":"2.0","id":3,"result":{}}')
    expect(other?.enrichment).toEqual({ mcpMethod: 'resources/list' })
    expect(other?.warnings?.[0]?.code).toBe('ZCL_W_MCP_UNKNOWN_METHOD')
  })

  it('keep the type of an id', async () => {
    const trace = await converse(
      request(1, 'tools/call', { delayMs: 300 }),
      request('1', 'tools/list'),
      request(1.5, 'ping'),
    )
    expect(trace.slice(1).map(({ input }) => input.id)).toEqual(['1', 1.5, 1])
    expect(trace.at(-1)?.result.durationMs).toBeGreaterThanOrEqual(290)
  })

  it('hold the error of the server', async () => {
    const trace = await converse(
      request(1, 'nope', { error: { code: -32_601, message: 'no such method', data: 1 } }),
      request(2, 'tools/call', { result: { isError: true, content: [] } }),
      request(3, 'tools/call', { result: { isError: false, content: [{ isError: true }] } }),
    )
    expect(trace[1]?.result).toMatchObject({ ok: false, code: 'MCP_-32601' })
    expect(trace[1]?.enrichment?.mcpError).toEqual({ code: -32_601, message: 'no such method' })
    expect(trace[2]?.result).toMatchObject({ ok: false, code: 'MCP_TOOL_ERROR' })
    expect(trace[3]?.result).toMatchObject({ ok: true })
  })

  it('record requests that were never answered', async () => {
    const trace = await converse(
      request(1, 'tools/call', { silent: true }),
      request('b', 'tools/call', { silent: true }),
      '{"method":"notifications/cancelled","params":{"requestId":"b"}}\n',
      request(2, 'tools/list'),
    )
    expect(trace.map(({ op, result }) => [op, result.code])).toEqual([
      ['spawn', undefined],
      ['tools/list', undefined],
      ['tools/call', 'MCP_NO_RESPONSE'],
      ['tools/call', 'MCP_NO_RESPONSE'],
    ])
    expect(trace[3]?.enrichment).toEqual({ cancelled: true })
    expect(trace[2]?.io.outBytes).toBe(0)
  })

  it('split batches and do not mistake requests of the server for answers', async () => {
    const trace = await converse(
      `[${request(1, 'tools/list').trim()},{"method":"x"},${request(2, 'tools/call').trim()}]\n`,
      request(3, 'tools/call', {
        raw: '{"id":3,"method":"sampling/createMessage"}\n{"id":3,"result":{}}\n',
      }),
      '{"id":3,"result":{"role":"assistant"}}\n',
    )
    expect(trace.map(({ op }) => op)).toEqual(['spawn', 'tools/list', 'tools/call', 'tools/call'])
    expect(trace[3]?.io.outPreview).toBe('{"id":3,"result":{}}')
  })

  it('hold no secret from any part of a message', async () => {
    const key = `sk-proj-${'a1B2'.repeat(8)}`
    const token = `ghp_${'x9Y8'.repeat(9)}`
    const trace = await converse(
      request(key, 'tools/call', {
        arguments: { url: `https://u:${token}@h/`, password: 'hunter22' },
      }),
      request(2, 'x', { error: { code: 1, message: `bad key ${key}` } }),
      request(3, 'tools/call', { stderr: `token=${token}\n`, result: { text: token } }),
    )
    const text = readFileSync(lab.file('tool.calls.jsonl'), 'utf8')
    for (const secret of [key, token, 'hunter22']) expect(text).not.toContain(secret)
    expect(trace[1]?.redactionsApplied).toContain('openai_key')
    expect(trace.at(-1)?.io.errPreview).toContain('[REDACTED:')
  })

  it('drop oversized parameters first, then the id', async () => {
    const trace = await converse(
      request(1, 'tools/call', { text: 'x'.repeat(70_000) }),
      request('i'.repeat(70_000), 'tools/call', {}),
      request(3, 'tools/call', { text: 'y'.repeat(60_000) }),
    )
    expect(trace[1]?.input).toEqual({ id: 1, method: 'tools/call' })
    expect(trace[2]?.input).toEqual({ method: 'tools/call' })
    expect(trace[1]?.warnings?.[0]?.code).toBe('ZCL_W_INPUT_TRUNCATED')
    expect(trace[1]?.integrity).toEqual({ truncated: true })
    expect(trace[3]?.input.params).toEqual({ text: 'y'.repeat(60_000) })
  })

  it('hold one bounded event for stderr, if there was any', async () => {
    const trace = await converse(
      request(1, 'tools/list', { stderr: 'a'.repeat(10_000) }),
      request(2, 'tools/list', { stderr: 'b'.repeat(90_000) }),
    )
    const told = trace.filter(({ op }) => op === 'stderr')
    expect(told).toHaveLength(1)
    expect(told[0]?.io.errBytes).toBe(100_000)
    expect(told[0]?.io.errPreview).toHaveLength(16_384)
    expect(told[0]?.result.ok).toBe(true)
    expect(told[0]?.input).toEqual({ argv: rawServer() })
    expect(told[0]?.warnings?.[0]?.code).toBe('ZCL_W_STDERR_TRUNCATED')
  })

  it('are chained and pass zcl validate --strict', async () => {
    await converse(request(1, 'initialize'), request(2, 'ping'), request(3, 'x', { error: {} }))
    const lines = readFileSync(lab.file('tool.calls.jsonl'), 'utf8').trimEnd().split('\n')
    const hash = (text: string) => createHash('sha256').update(text).digest('hex')
    lines.forEach((line, index) => {
      const { chain } = JSON.parse(line) as Event
      expect(chain).toBe(hash(index === 0 ? '' : (lines[index - 1] ?? '')))
    })
    expect((await lab.zcl(['feedback', '--ok', '--result', 'x'])).code).toBe(0)
    const checked = await lab.zcl(['validate', '--strict', '--json', lab.attempt])
    expect(JSON.parse(checked.stdout)).toMatchObject({ ok: true, errors: [] })
  })
})
