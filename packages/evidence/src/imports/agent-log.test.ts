import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import {
  artifact,
  imported,
  messages,
  removeLogs,
  time,
  traceOf,
  write,
} from '../../test/imported-log.ts'

afterAll(removeLogs)

const opencodeExport = {
  info: { id: 'ses_1', directory: '/work' },
  messages: [
    {
      info: { id: 'm1', role: 'user', time: { created: 1794833384469 } },
      parts: [{ type: 'text', text: 'Count.' }],
    },
    {
      info: {
        id: 'm2',
        role: 'assistant',
        modelID: 'gpt',
        providerID: 'openai',
        time: { created: 1794833388325 },
        tokens: { input: 80, output: 5, reasoning: 4, cache: { read: 16, write: 0 } },
      },
      parts: [
        {
          type: 'tool',
          callID: 'c1',
          tool: 'bash',
          state: { status: 'completed', input: {}, output: 'no', metadata: { exit: 22 } },
        },
      ],
    },
  ],
}

describe('an imported log of an agent', () => {
  it('of Claude Code and Codex keep thinking, exit codes and tokens', async () => {
    const claude = [
      { type: 'user', timestamp: time, sessionId: 's1', message: { content: 'List.' } },
      {
        type: 'assistant',
        timestamp: time,
        message: {
          id: 'm1',
          model: 'claude-x',
          content: [
            { type: 'thinking', thinking: 'I list.' },
            { type: 'tool_use', id: 'c1', name: 'Bash', input: { command: 'ls' } },
          ],
          usage: { input_tokens: 5, output_tokens: 2, cache_read_input_tokens: 3 },
        },
      },
      {
        type: 'user',
        timestamp: time,
        message: {
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: 'Exit code 2\nno', is_error: true },
          ],
        },
      },
    ]
    const file = write('claude/s1.jsonl', claude.map((line) => JSON.stringify(line)).join('\n'))
    const run = await imported('claude', path.dirname(file))
    expect(messages(run)).toEqual(['user text: List.', 'assistant thinking: I list.'])
    expect(artifact(run, 'tool.calls.jsonl')).toMatchObject({
      tool: 'claude',
      op: 'Bash',
      result: { ok: false, exitCode: 2 },
    })
    expect(artifact(run, 'runner.metrics.json')).toMatchObject({
      inputTokens: 5,
      cachedInputTokens: 3,
      outputTokens: 2,
      totalTokens: 10,
      turnCount: 1,
    })
  })

  it('of Codex tell a failed MCP call by the event before its output', async () => {
    const call = (id: string) => ({
      type: 'function_call',
      call_id: id,
      namespace: 'mcp__tally',
      name: 'count',
      arguments: '{"what":"broken"}',
    })
    const output = (id: string) => ({
      type: 'function_call_output',
      call_id: id,
      output: [{ type: 'input_text', text: 'counted broken' }],
    })
    const item = (payload: object) => ({ type: 'response_item', timestamp: time, payload })
    const event = (payload: object) => ({ type: 'event_msg', timestamp: time, payload })
    const failed = { type: 'McpToolCall', id: 'c1', status: 'failed' }
    const log = [
      { type: 'session_meta', timestamp: time, payload: { id: 's2' } },
      ...[item(call('c1')), event({ type: 'item_completed', item: failed }), item(output('c1'))],
      item(call('c2')),
      event({ type: 'mcp_tool_call_end', call_id: 'c2', result: { Ok: { isError: true } } }),
      item(output('c2')),
      ...[item(call('c3')), item(output('c3'))],
    ]
    const file = write('codex/rollout-1.jsonl', log.map((line) => JSON.stringify(line)).join('\n'))
    const run = await imported('codex', file)
    expect(traceOf(run).map(({ result }) => result.ok)).toEqual([false, false, true])
  })

  it('of Gemini count no turn for the result of a tool', async () => {
    const result = { functionResponse: { id: 'c1', name: 'count', response: { output: '1' } } }
    const toolCalls = [{ id: 'c1', name: 'count', args: {}, result: [result], status: 'success' }]
    const log = [
      { sessionId: 's3', projectHash: 'x', startTime: time },
      { id: 'u1', type: 'user', timestamp: time, content: [{ text: 'Count.' }] },
      { id: 'g1', type: 'gemini', timestamp: time, content: '', toolCalls },
      { id: 'u2', type: 'user', timestamp: time, content: [result] },
      { id: 'g2', type: 'gemini', timestamp: time, content: 'One.' },
    ]
    const file = write('gemini/session-1.jsonl', log.map((line) => JSON.stringify(line)).join('\n'))
    const run = await imported('gemini', file)
    expect(artifact(run, 'runner.metrics.json')).toMatchObject({ turnCount: 1, toolCalls: 1 })
  })

  it('of OpenCode may be a file of opencode export', async () => {
    const run = await imported('opencode', write('export.json', opencodeExport))
    expect(artifact(run, 'tool.calls.jsonl')).toMatchObject({
      op: 'bash',
      result: { exitCode: 22 },
    })
    const numbers = { turnCount: 1, modelCalls: 1, inputTokens: 80, outputTokens: 9 }
    expect(artifact(run, 'runner.metrics.json')).toMatchObject({ ...numbers, totalTokens: 105 })
  })
})
