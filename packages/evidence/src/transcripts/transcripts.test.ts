import { describe, expect, it } from 'vitest'
import { recordedTranscript } from '../../test/recorded-transcript.ts'
import type { LogSession } from './builder.ts'
import type { Loose } from './log-values.ts'
import { readOpencode } from './opencode.ts'
import { readTranscript, type ImportProgram } from './read-logs.ts'

const at = '2026-01-02T03:04:05.678Z'
const ts = at

function read(
  program: Exclude<ImportProgram, 'opencode'>,
  lines: readonly Loose[],
  file = '/nowhere/a/b.jsonl',
): { said: unknown[][]; session: LogSession } {
  const builder = recordedTranscript()
  const session = readTranscript(program, builder, lines, { fallbackId: 'fallback', file })
  return { said: builder.said, session }
}

describe('a log of pi', () => {
  const entry = (id: string, parentId: string | undefined, message: Loose): Loose => ({
    ...{ type: 'message', id, parentId, timestamp: at, message },
  })

  it('is read along the branch to its last entry', () => {
    const answer = {
      role: 'assistant',
      provider: 'anthropic',
      model: 'm',
      stopReason: 'aborted',
      content: [
        { type: 'thinking', thinking: 'Hm' },
        { type: 'text', text: 'Yes' },
        { type: 'toolCall', id: 'c', name: 'bash', arguments: { command: 'ls' } },
        { type: 'toolCall', id: 'c' },
        { type: 'toolCall', name: 'bash' },
        { type: 'image' },
        { type: 'text' },
        { type: 'thinking' },
      ],
      usage: { input: 5, output: 4, cacheRead: 3, cacheWrite: 2, cost: { total: 0.5 } },
    }
    const result = {
      role: 'toolResult',
      toolCallId: 'c',
      isError: true,
      content: [{ type: 'text', text: 'no\nCommand exited with code 12\n' }],
    }
    const lines = [
      { type: 'session', id: 's', cwd: '/x' },
      entry('u', undefined, { role: 'user', content: 'go' }),
      entry('v', 'u', { role: 'user', content: 'not this' }),
      { type: 'model_change', id: 'm', parentId: 'u', message: { role: 'user', content: 'no' } },
      entry('a', 'm', answer),
      entry('r', 'a', result),
      { odd: true, id: 'o', parentId: 'r' },
    ]
    const { said, session } = read('pi', lines)
    expect(said).toEqual([
      ['user', 'go', ts],
      ['thinking', 'a', 'Hm', ts],
      ['text', 'a', 'Yes', ts],
      ['call', 'a', 'c', 'bash', { command: 'ls' }, ts],
      ['text', 'a', '', ts],
      ['thinking', 'a', '', ts],
      ['interrupted', ts],
      [
        'receipt',
        'a',
        {
          provider: 'anthropic',
          model: 'm',
          usage: { inputTokens: 10, outputTokens: 4, cachedInputTokens: 3, cacheWriteTokens: 2 },
          costUsd: 0.5,
        },
        ts,
      ],
      [
        'result',
        { callId: 'c', text: 'no\nCommand exited with code 12\n', isError: true, exitCode: 12 },
        ts,
      ],
    ])
    expect(session).toEqual({ id: 's', cwd: '/x', unread: 1 })
  })

  it('without ids is read in order, with the times of the messages', () => {
    const message = (more: Loose): Loose => ({
      type: 'message',
      message: { timestamp: Date.parse(at), ...more },
    })
    const { said, session } = read('pi', [
      message({ role: 'user', content: [{ text: 'a' }, { text: 'b' }] }),
      message({ role: 'assistant', model: 'm', usage: { input: 1, cost: { total: 0 } } }),
      message({ role: 'assistant', model: 'm', usage: {}, stopReason: 'stop' }),
      message({ role: 'assistant', usage: { input: 1 } }),
      message({ role: 'toolResult', content: 'lost' }),
      message({ role: 'toolResult', toolCallId: 'c', content: 'code 5' }),
      { type: 'note', message: { role: 'user', content: 'no' } },
    ])
    expect(said).toEqual([
      ['user', 'a\nb', ts],
      [
        'receipt',
        ts,
        {
          provider: 'unknown',
          model: 'm',
          usage: { inputTokens: 1, outputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0 },
          costUsd: undefined,
        },
        ts,
      ],
      ['result', { callId: 'c', text: 'code 5', isError: false, exitCode: undefined }, ts],
    ])
    expect(session).toEqual({ id: 'fallback', cwd: undefined, unread: 0 })
  })

  it('ends at a cycle of parents, and is empty without entries', () => {
    const cycle = [
      entry('a', 'b', { role: 'user', content: 'a' }),
      entry('b', 'a', { role: 'user', content: 'b' }),
    ]
    expect(read('pi', cycle).said).toEqual([
      ['user', 'a', ts],
      ['user', 'b', ts],
    ])
    expect(read('pi', [{ type: 'session', id: 's' }]).said).toEqual([])
  })
})

describe('a log of Claude', () => {
  const user = (content: unknown, more: Loose = {}): Loose => ({
    ...{ type: 'user', timestamp: at, message: { content }, ...more },
  })
  const answer = (message: Loose, more: Loose = {}): Loose => ({
    ...{ type: 'assistant', timestamp: at, message, ...more },
  })

  it('is read without side chains, program messages and lines of other types', () => {
    const { said, session } = read('claude', [
      { type: 'summary' },
      { odd: true },
      user('side', { isSidechain: true, sessionId: 'x' }),
      user('meta', { isMeta: true, cwd: '/no' }),
      user('one', { sessionId: 's', cwd: '/x' }),
      user([{ type: 'text', text: 'two' }, { type: 'image' }], { sessionId: 't', cwd: '/y' }),
      user([]),
      user('[Request interrupted by user for tool use]'),
    ])
    expect(said).toEqual([
      ['user', 'one', ts],
      ['user', 'two', ts],
      ['user', '', ts],
      ['interrupted', ts],
    ])
    expect(session).toEqual({ id: 's', cwd: '/x', unread: 1 })
  })

  it('has results with their exit codes and, if it is stored, stderr', () => {
    const result = (more: Loose): Loose => ({ type: 'tool_result', tool_use_id: 'c', ...more })
    const { said } = read('claude', [
      user([result({ content: 'Error: Exit code 3\nno', is_error: true })]),
      user([result({ content: [{ text: 'Exit code 0' }] })], { toolUseResult: { stderr: 'x' } }),
      user([result({ content: 'all' })], { toolUseResult: { stdout: 'out', stderr: 'err' } }),
      user([result({ content: 'all' }), { type: 'text', text: 'and' }], {
        toolUseResult: { stdout: '' },
      }),
      user([{ type: 'tool_result', content: 'lost' }]),
    ])
    expect(said).toEqual([
      ['result', { callId: 'c', text: 'Error: Exit code 3\nno', isError: true, exitCode: 3 }, ts],
      ['result', { callId: 'c', text: 'Exit code 0', isError: false, exitCode: 0 }, ts],
      ['result', { callId: 'c', text: 'out', stderr: 'err', isError: false }, ts],
      ['result', { callId: 'c', text: '', stderr: '', isError: false }, ts],
      ['user', 'and', ts],
    ])
  })

  it('has answers with calls and one receipt per line with usage', () => {
    const usage = {
      input_tokens: 5,
      output_tokens: 4,
      cache_read_input_tokens: 3,
      cache_creation_input_tokens: 2,
    }
    const receipt = {
      provider: 'anthropic',
      model: 'm',
      usage: { inputTokens: 10, outputTokens: 4, cachedInputTokens: 3, cacheWriteTokens: 2 },
    }
    const content = [
      { type: 'text', text: 'Yes' },
      { type: 'thinking', thinking: 'Hm' },
      { type: 'tool_use', id: 'c', name: 'Bash', input: { command: 'ls' } },
      { type: 'tool_use', id: 'c' },
      { type: 'tool_use', name: 'Bash' },
      { type: 'text' },
      { type: 'thinking' },
    ]
    const { said } = read('claude', [
      answer({ id: 'm1', model: 'm', content, usage }, { requestId: 'r', uuid: 'u' }),
      answer({ model: 'm', usage }, { requestId: 'r', uuid: 'u' }),
      answer({ model: 'm', usage }, { uuid: 'u' }),
      answer({ model: 'm', usage }),
      answer({ model: '<synthetic>', usage }),
      answer({ model: 'm', usage: {} }),
      answer({ usage }),
    ])
    expect(said).toEqual([
      ['text', 'm1', 'Yes', ts],
      ['thinking', 'm1', 'Hm', ts],
      ['call', 'm1', 'c', 'Bash', { command: 'ls' }, ts],
      ['text', 'm1', '', ts],
      ['thinking', 'm1', '', ts],
      ...['m1', 'r', 'u', ts].map((key) => ['receipt', key, receipt, ts]),
    ])
  })
})

describe('a session of OpenCode', () => {
  const readSession = (
    session: Loose,
    ...messages: { message: Loose; parts: Loose[] }[]
  ): { said: unknown[][]; session: LogSession } => {
    const builder = recordedTranscript()
    const found = readOpencode(builder, { session, messages, unread: 2 })
    return { said: builder.said, session: found }
  }
  const time = { created: Date.parse(at) }

  it('has the spoken texts of the user, and the folder of the session or of its first message', () => {
    const parts = [
      { type: 'text', text: 'go' },
      { type: 'text', text: 'attached', synthetic: true },
      { type: 'file', text: 'no' },
    ]
    const message = { role: 'user', time, path: { cwd: '/m' } }
    const { said, session } = readSession({}, { message, parts })
    expect(said).toEqual([['user', 'go', ts]])
    expect(session).toEqual({ id: 'unknown', cwd: '/m', unread: 2 })
    const named = readSession({ id: 's', directory: '/d' }, { message, parts: [] })
    expect(named.session).toEqual({ id: 's', cwd: '/d', unread: 2 })
  })

  it('has the calls of an answer before its receipt, and their results after it', () => {
    const end = Date.parse(at) + 1000
    const tool = (more: Loose, state: Loose): Loose => ({
      ...{ type: 'tool', tool: 'bash', ...more, state: { input: { n: 1 }, ...state } },
    })
    const parts = [
      { type: 'reasoning', text: 'Hm' },
      { type: 'reasoning' },
      { type: 'text', text: 'Yes' },
      { type: 'text' },
      { type: 'text', text: 'attached', synthetic: true },
      tool(
        { callID: 'a', id: 'x' },
        { status: 'completed', output: 'out', metadata: { exit: 3 }, time: { end } },
      ),
      tool({ id: 'b' }, { status: 'error', error: 'err', output: 'no', metadata: { exit: '3' } }),
      tool({ id: 'c' }, { status: 'running', output: 'no' }),
      { type: 'tool', id: 'd', state: { status: 'completed' } },
      tool({}, { status: 'completed', output: 'lost' }),
    ]
    const tokens = { input: 5, output: 4, reasoning: 1, cache: { read: 3, write: 2 } }
    const model = { modelID: 'm', providerID: 'p', cost: 0.25 }
    const { said } = readSession(
      {},
      { message: { id: 'k', role: 'assistant', time, tokens, ...model }, parts },
    )
    const usage = {
      inputTokens: 10,
      outputTokens: 5,
      cachedInputTokens: 3,
      cacheWriteTokens: 2,
      thinkingTokens: 1,
    }
    expect(said).toEqual([
      ['thinking', 'k', 'Hm', ts],
      ['thinking', 'k', '', ts],
      ['text', 'k', 'Yes', ts],
      ['text', 'k', '', ts],
      ['call', 'k', 'a', 'bash', { n: 1 }, ts],
      ['call', 'k', 'b', 'bash', { n: 1 }, ts],
      ['call', 'k', 'c', 'bash', { n: 1 }, ts],
      ['receipt', 'k', { provider: 'p', model: 'm', usage, costUsd: 0.25 }, ts],
      [
        'result',
        { callId: 'a', text: 'out', isError: false, exitCode: 3 },
        '2026-01-02T03:04:06.678Z',
      ],
      ['result', { callId: 'b', text: 'err', isError: true, exitCode: undefined }, ts],
      ['result', { callId: 'd', text: '', isError: false, exitCode: undefined }, ts],
    ])
  })

  it('has no receipt without a model or tokens, and no cost of 0', () => {
    const messages = [
      { time, modelID: 'm', tokens: { input: 1 }, cost: 0 },
      { time, modelID: 'm', tokens: {} },
      { time, tokens: { input: 1 } },
    ].map((message) => ({ message, parts: [] }))
    expect(readSession({}, ...messages).said).toEqual([
      [
        'receipt',
        ts,
        {
          provider: 'unknown',
          model: 'm',
          usage: {
            inputTokens: 1,
            outputTokens: 0,
            cachedInputTokens: 0,
            cacheWriteTokens: 0,
            thinkingTokens: 0,
          },
          costUsd: undefined,
        },
        ts,
      ],
    ])
  })
})
