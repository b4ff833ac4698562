import type { AgentEvent } from '@zee/agent'
import { describe, expect, it } from 'vitest'
import { createStatusLines } from './status-lines.ts'
import { terminalHost } from './terminal-host.fixtures.ts'

async function linesFor(events: AgentEvent[], contextWindow?: number): Promise<string> {
  const { host } = terminalHost({ isTTY: false })
  const status = createStatusLines(host, { root: '/root', contextWindow })
  let text = ''
  for (const event of events) text += await status.textFor(event)
  return text + status.summaryLine()
}

function call(name: string, input: Record<string, unknown>, result: object): AgentEvent[] {
  return [
    { type: 'tool_requested', id: 'a', name, input },
    { type: 'tool_started', id: 'a', name },
    { type: 'tool_finished', id: 'a', result: result as never },
  ]
}

describe('the status lines of a tool call', () => {
  it.each([
    ['read', { path: '/root/src/a.ts' }, { start_line: 120, end_line: 180 }, 'src/a.ts:120-180'],
    ['read', { path: 'src/a.ts' }, { bytes: 3 }, 'src/a.ts'],
    ['read', { path: '/etc/hosts' }, {}, '/etc/hosts'],
    ['search', { op: 'grep', pattern: 'x', path: 'src' }, {}, 'grep x src'],
    ['jobs', { op: 'kill', id: 'job-1' }, {}, 'kill job-1'],
    ['recall', { event: 12, offset: 3 }, {}, 'event 12'],
    ['files__tree', { depth: 2, root: 'docs\nmore' }, {}, 'docs …'],
  ])('of %s with %j name %4$s', async (name, input, data, object) => {
    const text = await linesFor(call(name, input, { ok: true, data }))
    expect(text).toBe(`⚙ Running ${name}... Done. (0.00s)  ${object}\n`)
  })

  it('name the job of a command that runs in the background', async () => {
    const data = { job: 'job-1', state: 'running' }
    const text = await linesFor(call('bash', { command: 'npm start' }, { ok: true, data }))
    expect(text).toContain('⚙ Running bash... Done. (0.00s)  npm start\n')
    expect(text).toContain('Tool finished: bash job=job-1\n')
  })

  it('have no object if the input names nothing', async () => {
    const text = await linesFor(call('x', { a: 1 }, { ok: true, data: {} }))
    expect(text).toBe('⚙ Running x... Done. (0.00s)\n')
  })

  it('are followed by code and message of a failure', async () => {
    const error = { code: 'path_error', message: 'no\nsuch file' }
    const text = await linesFor(call('read', { path: 'x' }, { ok: false, error }))
    expect(text).toBe('⚙ Running read... Done. (0.00s)  x\n  ✗ path_error: no such file\n')
  })
})

describe('the closing line of a turn', () => {
  const usage = (inputTokens: number, costUsd?: number): AgentEvent => ({
    type: 'usage',
    usage: { inputTokens, outputTokens: 5 },
    durationMs: 1,
    costUsd,
  })

  it.each([
    [[usage(4000, 0.001), usage(12_400, 0.002)], 200_000, 'ctx 12.4k/200k (6 %), $0.0030, 0.0 s\n'],
    [[usage(815)], undefined, 'ctx 815, 0.0 s\n'],
    [[usage(999_990)], 1_000_000, 'ctx 1M/1M (100 %), 0.0 s\n'],
    [[], 200_000, ''],
  ])('shows the last request and the cost of the turn (%#)', async (events, window, line) => {
    expect(await linesFor(events, window)).toBe(line)
  })
})
