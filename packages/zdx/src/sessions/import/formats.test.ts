import { describe, expect, it } from 'vitest'
import { readOpencodeSession, readTranscript, type ImportProgram } from '@zee/evidence/transcripts'
import { SessionBuilder, type Line } from './builder.ts'

type Lines = Parameters<typeof readTranscript>[2]

const reader =
  (program: Exclude<ImportProgram, 'opencode'>) =>
  (lines: Lines, fallbackId: string, file = '') => {
    const builder = new SessionBuilder()
    const session = readTranscript(program, builder, lines, { fallbackId, file })
    return { ...session, lines: builder.lines }
  }
const readClaude = reader('claude')
const readCodex = reader('codex')
const readGemini = reader('gemini')
const readPi = reader('pi')
const readOpencode = (each: Parameters<typeof readOpencodeSession>[1]) => {
  const builder = new SessionBuilder()
  return { ...readOpencodeSession(builder, each), lines: builder.lines }
}

/** The lines in short: type, and what it is about. */
function brief(lines: readonly Line[]): string[] {
  return lines.map((line) => {
    if (line.type === 'message') return `${String(line.role)}: ${String(line.text)}`
    if (line.type === 'tool_use') return `${String(line.name)} ${JSON.stringify(line.input)}`
    if (line.type === 'tool_result') return JSON.stringify(line.output)
    return String(line.type)
  })
}
const usages = (lines: readonly Line[]) =>
  lines.filter(({ usage }) => usage !== undefined).map(({ usage, model }) => ({ model, usage }))
const time = '2026-03-01T10:00:00.500Z'

describe('a log of Claude Code', () => {
  const message = (content: unknown, more: object = {}) => ({
    type: 'assistant',
    timestamp: time,
    sessionId: 's1',
    cwd: '/work/app',
    message: { id: 'm1', model: 'claude-x', content, ...more },
  })
  const usage = {
    input_tokens: 5,
    output_tokens: 9,
    cache_read_input_tokens: 100,
    cache_creation_input_tokens: 20,
  }
  const result = (id: string, content: unknown, isError: boolean, more: object = {}) => ({
    type: 'user',
    timestamp: time,
    message: { content: [{ type: 'tool_result', tool_use_id: id, content, is_error: isError }] },
    ...more,
  })
  const session = readClaude(
    [
      { type: 'summary', summary: 'x' },
      { type: 'user', timestamp: time, message: { role: 'user', content: 'fix it' } },
      { type: 'user', isMeta: true, message: { content: 'note' } },
      { type: 'user', isSidechain: true, message: { content: 'subagent' } },
      message([{ type: 'thinking', thinking: 'hm' }]),
      message([{ type: 'text', text: 'Looking.' }]),
      message(
        [
          { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'npm test' } },
          { type: 'tool_use', id: 't2', name: 'Read', input: { file_path: 'a.ts' } },
        ],
        { usage },
      ),
      result('t1', 'Exit code 1\nboom', true),
      result('t2', [{ type: 'text', text: 'code' }], false),
      {
        type: 'user',
        timestamp: time,
        message: { content: [{ type: 'text', text: '[Request interrupted by user]' }] },
      },
      {},
    ],
    'file-name',
  )

  it('becomes prompts, answers, calls and results of zdx', () => {
    expect(brief(session.lines)).toEqual([
      'user: fix it',
      'assistant: Looking.',
      'bash {"command":"npm test"}',
      'read {"path":"a.ts"}',
      '{"ok":true,"data":{"stdout":"Exit code 1\\nboom","stderr":"","exit_code":1,"timed_out":false}}',
      '{"ok":true,"data":{"content":"code"}}',
      'interrupted',
    ])
    expect(session).toMatchObject({ id: 's1', cwd: '/work/app', unread: 1 })
    expect(session.lines[0]?.ts).toBe('2026-03-01T10:00:00Z')
  })

  it('counts the usage of an answer once, with cached input', () => {
    expect(usages(session.lines)).toEqual([
      {
        model: 'claude-x',
        usage: {
          input_tokens: 125,
          output_tokens: 9,
          cached_input_tokens: 100,
          cache_write_tokens: 20,
        },
      },
    ])
    expect(session.lines[1]).toHaveProperty('usage')
  })
})

describe('a log of Codex', () => {
  const item = (payload: object) => ({ type: 'response_item', timestamp: time, payload })
  const tokens = (total: number) => ({
    type: 'event_msg',
    timestamp: time,
    payload: {
      type: 'token_count',
      info: {
        total_token_usage: { total_tokens: total },
        last_token_usage: {
          input_tokens: 50,
          cached_input_tokens: 40,
          output_tokens: 8,
          reasoning_output_tokens: 3,
        },
      },
    },
  })
  const text = (role: string, words: string) =>
    item({ type: 'message', role, content: [{ type: 'input_text', text: words }] })

  it('becomes a session with one receipt per answer', () => {
    const session = readCodex(
      [
        { type: 'session_meta', payload: { id: 'c1', cwd: '/work/app', model_provider: 'openai' } },
        { type: 'turn_context', payload: { model: 'gpt-x' } },
        text('user', '<environment_context>\n</environment_context>'),
        text('developer', 'rules'),
        text('user', 'fix it'),
        item({ type: 'reasoning', summary: [] }),
        item({
          type: 'function_call',
          name: 'shell',
          arguments: '{"command":["bash","-lc","npm test"]}',
          call_id: 'f1',
        }),
        tokens(58),
        tokens(58),
        item({
          type: 'function_call_output',
          call_id: 'f1',
          output: '{"output":"ok\\n","metadata":{"exit_code":0}}',
        }),
        item({ type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin', call_id: 'f2' }),
        item({ type: 'custom_tool_call_output', call_id: 'f2', output: 'Done' }),
        item({
          type: 'function_call',
          name: 'exec_command',
          arguments: '{"cmd":"ls"}',
          call_id: 'f3',
        }),
        item({
          type: 'function_call_output',
          call_id: 'f3',
          output: 'Process exited with code 2\nOutput:\nno',
        }),
        text('assistant', 'Done.'),
        tokens(116),
        item({ type: 'brand_new' }),
      ],
      'x',
    )
    expect(brief(session.lines)).toEqual([
      'user: fix it',
      'bash {"command":"npm test"}',
      '{"ok":true,"data":{"stdout":"ok\\n","stderr":"","exit_code":0,"timed_out":false}}',
      'apply_patch {"input":"*** Begin"}',
      '{"ok":true,"data":{"text":"Done"}}',
      'bash {"command":"ls"}',
      expect.stringContaining('"exit_code":2'),
      'assistant: Done.',
    ])
    expect(usages(session.lines)).toHaveLength(2)
    expect(usages(session.lines)[0]).toEqual({
      model: 'gpt-x',
      usage: {
        input_tokens: 50,
        output_tokens: 8,
        cached_input_tokens: 40,
        cache_write_tokens: 0,
        thinking_tokens: 3,
      },
    })
    expect(session).toMatchObject({ id: 'c1', cwd: '/work/app', unread: 1 })
  })
})

describe('a log of pi', () => {
  it('follows the branch to the last entry', () => {
    const entry = (id: string, parentId: string | null, message: object) => ({
      type: 'message',
      id,
      parentId,
      timestamp: time,
      message,
    })
    const session = readPi(
      [
        { type: 'session', id: 'p1', cwd: '/work/app' },
        entry('a', null, { role: 'user', content: 'first' }),
        entry('b', 'a', { role: 'assistant', content: [{ type: 'text', text: 'abandoned' }] }),
        entry('c', 'a', {
          role: 'assistant',
          provider: 'anthropic',
          model: 'm',
          content: [
            { type: 'text', text: 'kept' },
            {
              type: 'toolCall',
              id: 't',
              name: 'edit',
              arguments: { path: 'a', oldText: 'x', newText: 'y' },
            },
          ],
          usage: { input: 3, output: 4, cacheRead: 10, cacheWrite: 2, cost: { total: 0.01 } },
        }),
        entry('d', 'c', {
          role: 'toolResult',
          toolCallId: 't',
          content: [{ type: 'text', text: 'no' }],
          isError: true,
        }),
      ],
      'x',
    )
    expect(brief(session.lines)).toEqual([
      'user: first',
      'assistant: kept',
      'edit {"path":"a","old":"x","new":"y"}',
      '{"ok":false,"error":{"code":"tool_error","message":"no"}}',
    ])
    expect(session.lines[1]).toMatchObject({
      provider: 'anthropic',
      usage: { input_tokens: 15, output_tokens: 4 },
      cost_usd: 0.01,
    })
  })
})

describe('a log of Gemini CLI', () => {
  const answer = {
    id: 'g1',
    type: 'gemini',
    timestamp: time,
    content: 'Looking.',
    model: 'gemini-x',
    tokens: { input: 20, output: 5, cached: 4, thoughts: 2 },
    toolCalls: [
      {
        id: 't',
        name: 'run_shell_command',
        args: { command: 'ls' },
        status: 'success',
        result: [{ functionResponse: { response: { output: 'a.ts' } } }],
      },
    ],
  }
  const expected = [
    'user: hi',
    'assistant: Looking.',
    'bash {"command":"ls"}',
    '{"ok":true,"data":{"stdout":"a.ts","stderr":"","exit_code":0,"timed_out":false}}',
  ]
  const user = { id: 'u1', type: 'user', timestamp: time, content: 'hi' }

  it('as JSON lines uses the last version of a message', () => {
    const header = { sessionId: 'g', projectHash: 'h' }
    const early = { ...answer, toolCalls: [] }
    const session = readGemini([header, user, early, { $set: {} }, answer], 'x', '/none/chats/f')
    expect(brief(session.lines)).toEqual(expected)
    expect(session).toMatchObject({ id: 'g', cwd: undefined, unread: 0 })
    expect(session.lines[1]).toMatchObject({
      usage: { input_tokens: 20, output_tokens: 7, cached_input_tokens: 4, thinking_tokens: 2 },
    })
  })

  it('as one JSON document has the same content', () => {
    const document = { sessionId: 'g', messages: [user, answer] }
    expect(brief(readGemini([document], 'x', '/none/chats/f').lines)).toEqual(expected)
  })
})

describe('a session of OpenCode', () => {
  it('has text, calls, results, usage and cost', () => {
    const session = readOpencode({
      session: { id: 'ses_1', directory: '/work/app' },
      unread: 0,
      messages: [
        {
          message: { id: 'm1', role: 'user', time: { created: 1772359200000 } },
          parts: [
            { type: 'text', text: 'hi' },
            { type: 'text', text: 'file', synthetic: true },
          ],
        },
        {
          message: {
            id: 'm2',
            role: 'assistant',
            time: { created: 1772359201000 },
            modelID: 'claude-x',
            providerID: 'anthropic',
            cost: 0.002,
            tokens: { input: 4, output: 6, reasoning: 1, cache: { read: 30, write: 5 } },
          },
          parts: [
            { type: 'step-start' },
            { type: 'text', text: 'Looking.' },
            {
              type: 'tool',
              tool: 'bash',
              callID: 't',
              state: {
                status: 'completed',
                input: { command: 'false' },
                output: '',
                metadata: { exit: 1 },
              },
            },
          ],
        },
      ],
    })
    expect(brief(session.lines)).toEqual([
      'user: hi',
      'assistant: Looking.',
      'bash {"command":"false"}',
      '{"ok":true,"data":{"stdout":"","stderr":"","exit_code":1,"timed_out":false}}',
    ])
    expect(session.lines[1]).toMatchObject({
      usage: { input_tokens: 39, output_tokens: 7, cached_input_tokens: 30, cache_write_tokens: 5 },
      cost_usd: 0.002,
      ts: '2026-03-01T10:00:01Z',
    })
  })
})
