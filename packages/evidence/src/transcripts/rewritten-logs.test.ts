import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordedTranscript } from '../../test/recorded-transcript.ts'
import type { LogSession } from './builder.ts'
import type { Loose } from './log-values.ts'
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

describe('a log of Codex', () => {
  const item = (payload: Loose): Loose => ({ type: 'response_item', timestamp: at, payload })
  const event = (payload: Loose): Loose => ({ type: 'event_msg', timestamp: at, payload })
  const tokens = (last: Loose, total: unknown = last): Loose =>
    event({ type: 'token_count', info: { last_token_usage: last, total_token_usage: total } })

  it('has the first id and folder, the last provider and model, and the texts of the user', () => {
    const message = (role: string, text: string): Loose =>
      item({ type: 'message', role, content: [{ text }] })
    const { said, session } = read('codex', [
      { type: 'session_meta', payload: { id: 's', model_provider: 'a' } },
      { type: 'session_meta', payload: { id: 't', cwd: '/x', model_provider: 'b' } },
      { type: 'turn_context', payload: { model: 'm', cwd: '/y' } },
      { type: 'turn_context', payload: {} },
      { type: 'compacted' },
      {},
      message('user', ' <environment_context>x'),
      message('user', '# AGENTS.md instructions for /x'),
      message('user', 'go'),
      message('developer', 'no'),
      message('assistant', 'Yes'),
      tokens({ input_tokens: 1 }),
    ])
    expect(said.slice(0, 2)).toEqual([
      ['user', 'go', ts],
      ['text', '0', 'Yes', ts],
    ])
    expect(said[2]?.[2]).toMatchObject({ provider: 'b', model: 'm' })
    expect(said).toHaveLength(3)
    expect(session).toEqual({ id: 's', cwd: '/x', unread: 1 })
    const context = { type: 'turn_context', payload: { cwd: '/y' } }
    expect(read('codex', [context]).session).toEqual({ id: 'fallback', cwd: '/y', unread: 0 })
  })

  it('has calls of every kind with their input', () => {
    const { said } = read('codex', [
      item({ type: 'function_call', call_id: 'a', name: 'f', arguments: '{"n":1}' }),
      item({ type: 'function_call', id: 'b', arguments: 'no JSON' }),
      item({ type: 'custom_tool_call', call_id: 'c', name: 'patch', input: 'text' }),
      item({ type: 'local_shell_call', call_id: 'd', action: { command: ['ls'] } }),
      item({ type: 'function_call', name: 'lost' }),
      item({ type: 'reasoning', summary: [{ text: 'Hm' }], content: 'no' }),
      item({ type: 'reasoning', summary: [], content: [{ text: 'Hm!' }] }),
    ])
    expect(said).toEqual([
      ['call', '0', 'a', 'f', { n: 1 }, ts],
      ['call', '0', 'b', 'tool', {}, ts],
      ['call', '0', 'c', 'patch', { input: 'text' }, ts],
      ['call', '0', 'd', 'local_shell', { command: ['ls'] }, ts],
      ['thinking', '0', 'Hm', ts],
      ['thinking', '0', 'Hm!', ts],
    ])
  })

  it.each<[unknown, object]>([
    ['plain', { text: 'plain', isError: false }],
    [
      'Process exited with code 0\nok',
      { text: 'Process exited with code 0\nok', isError: false, exitCode: 0 },
    ],
    ['ok\nExit code: -1', { text: 'ok\nExit code: -1', isError: true, exitCode: -1 }],
    ['the Exit code: 1', { text: 'the Exit code: 1', isError: false }],
    ['{"output":"o","metadata":{"exit_code":2}}', { text: 'o', isError: true, exitCode: 2 }],
    ['{"output":"o","metadata":{"exit_code":0}}', { text: 'o', isError: false, exitCode: 0 }],
    ['{"output":"o"}', { text: 'o', isError: false }],
    [
      { output: 'o', metadata: { exit_code: '2' } },
      { text: 'o', isError: false },
    ],
    [[{ text: 'a' }, { text: 'b' }], { text: 'a\nb', isError: false }],
    [undefined, { text: '', isError: false }],
  ])('has the output %j as the result %j', (output, result) => {
    for (const type of ['function_call_output', 'custom_tool_call_output']) {
      const { said } = read('codex', [item({ type, call_id: 'a', output }), item({ type, output })])
      expect(said).toEqual([['result', { callId: 'a', ...result }, ts]])
    }
  })

  it('has failed calls of MCP tools, which their outputs do not tell', () => {
    const output = (id: string): Loose =>
      item({ type: 'function_call_output', call_id: id, output: 'x' })
    const ended = (id: string, result: Loose): Loose =>
      event({ type: 'mcp_tool_call_end', call_id: id, result })
    const completed = (id: string, status: string): Loose =>
      event({ type: 'item_completed', item: { id, status } })
    const lines = [
      ended('a', { Err: 'no' }),
      ended('b', { Ok: { isError: true } }),
      ended('c', { Ok: { isError: false } }),
      completed('d', 'failed'),
      completed('e', 'completed'),
      event({
        type: 'other',
        call_id: 'f',
        result: { Err: 'no' },
        item: { id: 'f', status: 'failed' },
      }),
    ]
    const { said } = read('codex', [...lines, ...['a', 'b', 'c', 'd', 'e', 'f'].map(output)])
    const failed = said.map(([, result]) => (result as { isError: boolean }).isError)
    expect(failed).toEqual([true, true, false, true, false, false])
  })

  it('has a receipt for each new total, which ends an answer, and interrupted turns', () => {
    const last = {
      input_tokens: 5,
      output_tokens: 4,
      cached_input_tokens: 3,
      cache_write_input_tokens: 2,
      reasoning_output_tokens: 1,
    }
    const usage = {
      inputTokens: 5,
      outputTokens: 4,
      cachedInputTokens: 3,
      cacheWriteTokens: 2,
      thinkingTokens: 1,
    }
    const receipt = { provider: 'openai', model: 'unknown', usage }
    const { said, session } = read('codex', [
      tokens(last, { n: 1 }),
      tokens(last, { n: 1 }),
      tokens({}, { n: 2 }),
      event({ type: 'token_count', info: null }),
      tokens(last, { n: 3 }),
      event({ type: 'turn_aborted' }),
      item({ type: 'message', role: 'assistant', content: 'a' }),
      item({ type: 'web_search_call' }),
      item({ type: 'ghost_snapshot' }),
      item({ type: 'compaction' }),
      item({ type: 'new_kind' }),
    ])
    expect(said).toEqual([
      ['receipt', '0', receipt, ts],
      ['receipt', '1', receipt, ts],
      ['interrupted', ts],
      ['text', '2', 'a', ts],
    ])
    expect(session.unread).toBe(1)
  })
})

describe('a log of Gemini', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'zee-gemini-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('has the last version of a message at the place of its first', () => {
    const lines = [
      { sessionId: 's' },
      { sessionId: 't' },
      { $set: {} },
      { odd: true },
      { type: 'info', id: 'i' },
      { type: 'user', id: 'u', timestamp: at, content: 'first' },
      { type: 'gemini', id: 'g', timestamp: at, content: 'old' },
      { type: 'user', timestamp: at, message: 'second' },
      { type: 'user', id: 'r', timestamp: at, content: [{ functionResponse: {} }] },
      { type: 'gemini', id: 'g', timestamp: at, content: [{ text: 'new' }] },
    ]
    const { said, session } = read('gemini', lines)
    expect(said).toEqual([
      ['user', 'first', ts],
      ['text', 'g', 'new', ts],
      ['user', 'second', ts],
    ])
    expect(session).toEqual({ id: 's', cwd: undefined, unread: 1 })
    const whole = { messages: [{ type: 'user', timestamp: at, content: 'inner' }, 5] }
    expect(read('gemini', [whole])).toMatchObject({
      said: [['user', 'inner', ts]],
      session: { id: 'fallback', unread: 1 },
    })
  })

  it('has thoughts, calls, a receipt and the results of calls', () => {
    const response = (more: Loose) => [{ functionResponse: { response: more } }]
    const end = '2026-01-02T03:04:09.678Z'
    const message = {
      ...{ type: 'gemini', id: 'g', timestamp: at, content: 'Yes', model: 'm' },
      thoughts: [{ subject: 'A', description: 'B' }, { description: 'C' }],
      toolCalls: [
        { id: 'a', name: 'run', args: { n: 1 }, timestamp: end, result: response({ output: 'o' }) },
        { id: 'b', name: 'run', result: response({ error: 'e' }) },
        { id: 'c', name: 'run', status: 'error', result: [], resultDisplay: 'x\nExit Code: 7' },
        { id: 'd', name: 'run' },
        { id: 'e', result: [] },
        { name: 'run', result: [] },
      ],
      tokens: { input: 5, output: 4, cached: 3, thoughts: 1 },
    }
    const usage = { inputTokens: 5, outputTokens: 5, cachedInputTokens: 3, thinkingTokens: 1 }
    expect(read('gemini', [message]).said).toEqual([
      ['thinking', 'g', 'A\nB', ts],
      ['thinking', 'g', 'C', ts],
      ['text', 'g', 'Yes', ts],
      ['call', 'g', 'a', 'run', { n: 1 }, ts],
      ['call', 'g', 'b', 'run', {}, ts],
      ['call', 'g', 'c', 'run', {}, ts],
      ['call', 'g', 'd', 'run', {}, ts],
      ['receipt', 'g', { provider: 'gemini', model: 'm', usage }, ts],
      ['result', { callId: 'a', text: 'o', isError: false }, end],
      ['result', { callId: 'b', text: 'e', isError: true }, ts],
      ['result', { callId: 'c', text: 'x\nExit Code: 7', isError: true, exitCode: 7 }, ts],
      ['result', { callId: 'e', text: '', isError: false }, ts],
    ])
    const without = (more: Loose) => read('gemini', [{ type: 'gemini', id: 'g', ...more }]).said
    expect(without({ model: 'm', tokens: {} })).toEqual([['text', 'g', '', '']])
    expect(without({ tokens: { input: 1 } })).toEqual([['text', 'g', '', '']])
  })

  it('has the folder that is stored beside it, else the one of its name in the list of projects', () => {
    const file = path.join(folder, 'tmp/slug/chats/session-a.jsonl')
    mkdirSync(path.dirname(file), { recursive: true })
    const folderOf = () => read('gemini', [], file).session.cwd
    expect(folderOf()).toBeUndefined()
    const projects = { projects: { '/other': 'other', '/listed': 'slug' } }
    writeFileSync(path.join(folder, 'projects.json'), JSON.stringify(projects))
    expect(folderOf()).toBe('/listed')
    const root = path.join(folder, 'tmp/slug/.project_root')
    writeFileSync(root, 'relative\n')
    expect(folderOf()).toBe('/listed')
    writeFileSync(root, '/stored\n')
    expect(folderOf()).toBe('/stored')
  })
})
