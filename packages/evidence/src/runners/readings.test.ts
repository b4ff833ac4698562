import { expect, it } from 'vitest'
import { claude } from './claude.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import { gemini } from './gemini.ts'
import type { Loose, RunnerFormat, RunnerReading } from './log.ts'
import { pi } from './pi.ts'
import { qwen } from './qwen.ts'
import { zdx } from './zdx.ts'

function read(format: RunnerFormat, lines: readonly Loose[]): RunnerReading {
  const collector = format.collector()
  for (const line of lines) collector.addLine(line)
  return collector.reading()
}

const formats = [claude, codex, copilot, gemini, pi, qwen, zdx]

it.each(formats)('a log of $name without a known line has no numbers', (format) => {
  const lines = [{}, { type: 'unknown' }, { type: 5, message: { role: 'user' } }]
  expect(read(format, lines)).toEqual({ usableLines: 0, firstUserTexts: [], numbers: {} })
})

it('a log of Claude counts answers by id, and turns without results, program messages and side chains', () => {
  const user = (content: unknown, more: Loose = {}): Loose => ({
    type: 'user',
    message: { content },
    ...more,
  })
  const usage = { input_tokens: 5, output_tokens: 3, cache_read_input_tokens: 2 }
  const answer = (more: Loose, message: Loose): Loose => ({ type: 'assistant', ...more, message })
  const lines = [
    user('one', { sessionId: 's1' }),
    user([{ type: 'text', text: 'tw' }, { text: 'o' }, {}], { sessionId: 's2' }),
    user('meta', { isMeta: true }),
    user('side', { isSidechain: true }),
    user([{ type: 'tool_result' }, { type: 'text', text: 'result' }]),
    answer({}, { id: 'm', model: 'a', usage: { ...usage, output_tokens: 1 } }),
    answer({}, { id: 'm', usage, content: [{ type: 'tool_use', id: 't' }, { type: 'text' }] }),
    answer({ requestId: 'r' }, { model: '<synthetic>', content: [{ type: 'tool_use', id: 't' }] }),
    answer({ requestId: 'r' }, { model: 'b', usage, content: [{ type: 'tool_use' }] }),
    answer({ uuid: 'u' }, { usage }),
    user('after the answer'),
  ]
  expect(read(claude, lines)).toEqual({
    usableLines: 11,
    sessionId: 's1',
    firstUserTexts: ['one', 'two'],
    numbers: {
      model: 'b',
      turnCount: 3,
      totalTokens: 30,
      inputTokens: 15,
      outputTokens: 9,
      cachedInputTokens: 6,
      modelCalls: 3,
      toolCalls: 2,
    },
  })
})

it('a log of Codex has the last totals, and each call, answer and turn once', () => {
  const total = (output: number): Loose => ({
    type: 'event_msg',
    payload: {
      type: 'token_count',
      info: {
        total_token_usage: {
          input_tokens: 20,
          cached_input_tokens: 5,
          cache_write_input_tokens: 1,
          output_tokens: output,
          reasoning_output_tokens: 2,
          total_tokens: 20 + output,
        },
        model_context_window: 1000 * output,
      },
    },
  })
  const item = (payload: Loose): Loose => ({ type: 'response_item', payload })
  const event = (payload: Loose): Loose => ({ type: 'event_msg', payload })
  const lines = [
    { type: 'session_meta', payload: { id: 't1', model_provider: 'openai' } },
    { type: 'session_meta', payload: { id: 't2', model_provider: 'other' } },
    { type: 'turn_context', payload: { model: 'gpt-5', turn_id: 'x' } },
    { type: 'turn_context', payload: { turn_id: 'x' } },
    event({ type: 'user_message', message: 'first' }),
    item({ type: 'message', role: 'user', content: [{ text: 'second' }] }),
    item({ type: 'message', role: 'user', content: [] }),
    item({ type: 'function_call', call_id: 'c1' }),
    item({ type: 'function_call', call_id: 'c1' }),
    item({ type: 'local_shell_call', id: 'c2' }),
    item({ type: 'custom_tool_call' }),
    item({ type: 'function_call_output', call_id: 'c9' }),
    item({ type: 'message', role: 'assistant' }),
    event({ type: 'user_message', message: 'after the answer' }),
    total(4),
    total(4),
    event({ type: 'token_count', info: {} }),
    total(9),
    { type: 'compacted', payload: {} },
  ]
  expect(read(codex, lines)).toEqual({
    usableLines: 18,
    threadId: 't1',
    firstUserTexts: ['first', 'second'],
    numbers: {
      model: 'gpt-5',
      modelProvider: 'openai',
      turnCount: 1,
      totalTokens: 29,
      inputTokens: 14,
      outputTokens: 9,
      cachedInputTokens: 5,
      cacheWriteTokens: 1,
      reasoningOutputTokens: 2,
      modelContextWindow: 9000,
      modelCalls: 2,
      toolCalls: 3,
    },
  })
})

it('turns of Codex are counted by their ids, else by messages of the user, else by contexts', () => {
  const turn = (id?: string): Loose => ({ type: 'turn_context', payload: { turn_id: id } })
  const said = { type: 'event_msg', payload: { type: 'user_message', message: 'a' } }
  const turnsOf = (...lines: Loose[]) => read(codex, lines).numbers.turnCount
  expect(turnsOf(turn('a'), turn('b'), turn(), said)).toBe(2)
  expect(turnsOf(turn(), said, said, said)).toBe(3)
  expect(turnsOf(turn(), turn())).toBe(2)
  expect(turnsOf({ type: 'session_meta', payload: {} })).toBeUndefined()
})

it('a total of Codex may have one number', () => {
  const info = { total_token_usage: { total_tokens: 5 } }
  const lines = [{ type: 'event_msg', payload: { type: 'token_count', info } }]
  expect(read(codex, lines).numbers).toEqual({ totalTokens: 5, modelCalls: 1 })
})

it('an agent message of Codex is an answer, and items without a call are no calls', () => {
  const lines = [
    { type: 'event_msg', payload: { type: 'agent_message' } },
    { type: 'event_msg', payload: { type: 'user_message', message: 'late' } },
    { type: 'response_item', payload: { type: 'reasoning' } },
  ]
  expect(read(codex, lines)).toMatchObject({ firstUserTexts: [], numbers: { toolCalls: 0 } })
})

it('a log of zdx counts calls, turns and the usage of each answer', () => {
  const usage = {
    input_tokens: 10,
    output_tokens: 4,
    cached_input_tokens: 3,
    cache_write_tokens: 2,
    thinking_tokens: 1,
  }
  const lines = [
    { type: 'meta', schema_version: 1 },
    { type: 'message', role: 'user', text: 'first' },
    { type: 'message', role: 'user' },
    { type: 'thinking', text: 'Hm', provider: 'not this', model: 'a' },
    { type: 'tool_use', id: 'x', provider: 'p', model: 'b', usage },
    { type: 'tool_result', id: 'x' },
    { type: 'message', role: 'assistant', text: 'Yes', usage },
    { type: 'message', role: 'user', text: 'late' },
    { type: 'interrupted' },
  ]
  expect(read(zdx, lines)).toEqual({
    usableLines: 9,
    firstUserTexts: ['first', ''],
    numbers: {
      model: 'b',
      modelProvider: 'p',
      turnCount: 3,
      totalTokens: 28,
      inputTokens: 10,
      outputTokens: 8,
      cachedInputTokens: 6,
      cacheWriteTokens: 4,
      reasoningOutputTokens: 2,
      modelCalls: 2,
      toolCalls: 1,
    },
  })
})

it('an answer of zdx without a call ends the first texts', () => {
  const lines = [
    { type: 'message', role: 'assistant', text: 'Yes', provider: 'p' },
    { type: 'message', role: 'user', text: 'late' },
  ]
  expect(read(zdx, lines)).toMatchObject({ firstUserTexts: [], numbers: { toolCalls: 0 } })
})

it('a log of Gemini counts a message that is written twice once, and no results as turns', () => {
  const answer = (output: number, calls: number): Loose => ({
    type: 'gemini',
    id: 'g',
    model: 'gemini-3',
    toolCalls: Array.from({ length: calls }, () => ({})),
    tokens: { input: 10, output, cached: 4, thoughts: 2, total: 12 + output },
  })
  const lines = [
    { sessionId: 's1' },
    { sessionId: 's2' },
    { projectHash: 'h' },
    { type: 'user', id: 'u', content: 'first' },
    { type: 'user', id: 'u', content: 'first' },
    { type: 'user', message: 'second' },
    { type: 'user', content: [{ functionResponse: {} }, { functionResponse: {} }] },
    answer(1, 0),
    answer(5, 2),
    { type: 'user', id: 'v', content: [{ functionResponse: {} }, { text: 'late' }] },
    { type: 'info', id: 'i' },
  ]
  expect(read(gemini, lines)).toEqual({
    usableLines: 9,
    sessionId: 's1',
    firstUserTexts: ['first', 'first', 'second'],
    numbers: {
      model: 'gemini-3',
      turnCount: 3,
      totalTokens: 17,
      inputTokens: 6,
      outputTokens: 7,
      cachedInputTokens: 4,
      reasoningOutputTokens: 2,
      modelCalls: 1,
      toolCalls: 2,
    },
  })
})

it('a log of Qwen counts function calls, and the usage of each answer', () => {
  const answer = (uuid: string): Loose => ({
    type: 'assistant',
    uuid,
    model: 'qwen3',
    message: { parts: [{ functionCall: {} }, { text: 'x' }, { functionCall: {} }] },
    usageMetadata: {
      promptTokenCount: 9,
      candidatesTokenCount: 4,
      thoughtsTokenCount: 1,
      totalTokenCount: 14,
      cachedContentTokenCount: 3,
    },
  })
  const lines = [
    { type: 'system', sessionId: 's1' },
    { type: 'user', sessionId: 's2', message: { parts: [{ text: 'a' }, { text: 'b' }] } },
    { type: 'user', content: 'c' },
    answer('1'),
    answer('2'),
    answer('2'),
    { type: 'tool_result' },
    { type: 'user', content: 'late' },
  ]
  expect(read(qwen, lines)).toEqual({
    usableLines: 8,
    sessionId: 's1',
    firstUserTexts: ['ab', 'c'],
    numbers: {
      model: 'qwen3',
      turnCount: 3,
      totalTokens: 28,
      inputTokens: 12,
      outputTokens: 10,
      cachedInputTokens: 6,
      reasoningOutputTokens: 2,
      modelCalls: 2,
      toolCalls: 6,
    },
  })
})

it('a log of Copilot counts started tools and the usage of each record', () => {
  const usage = {
    model: 'gpt-5',
    inputTokens: 10,
    outputTokens: 2,
    cacheReadTokens: 3,
    cacheWriteTokens: 1,
  }
  const lines = [
    { type: 'session.start', data: { sessionId: 's1' } },
    { type: 'session.start', data: { sessionId: 's2' } },
    { type: 'user.message', data: { content: 'first' } },
    { type: 'user.message', data: {} },
    { type: 'assistant.turn_start' },
    { type: 'tool.execution_start' },
    { type: 'tool.execution_complete' },
    { type: 'session.usage_record', data: { usage } },
    { type: 'session.usage_record', data: { usage: { ...usage, model: '' } } },
    { type: 'user.message', data: { content: 'late' } },
    { type: 'sessions.start', data: {} },
    { type: 'my.user.message', data: {} },
  ]
  expect(read(copilot, lines)).toEqual({
    usableLines: 10,
    sessionId: 's1',
    firstUserTexts: ['first', ''],
    numbers: {
      model: 'gpt-5',
      turnCount: 3,
      totalTokens: 24,
      inputTokens: 12,
      outputTokens: 4,
      cachedInputTokens: 6,
      cacheWriteTokens: 2,
      modelCalls: 2,
      toolCalls: 1,
    },
  })
})

const piEntry = (id: string, parentId: string | undefined, message: Loose): Loose => ({
  type: 'message',
  id,
  parentId,
  message,
})
const piAnswer = (input: number, content: Loose[] = []): Loose => ({
  role: 'assistant',
  provider: `p${input}`,
  model: `m${input}`,
  content,
  usage: { input, output: 1, cacheRead: 2, cacheWrite: 3, totalTokens: 99 },
})

it('a log of pi counts the branch to its last entry, and the first texts of all branches', () => {
  const lines = [
    { type: 'session', id: 's1' },
    { type: 'session', id: 's2' },
    piEntry('a', undefined, { role: 'user', content: 'first' }),
    piEntry('a2', undefined, { role: 'user', content: [{ text: 'sec' }, { text: 'ond' }] }),
    piEntry('b', 'a', piAnswer(100, [{ type: 'toolCall' }])),
    piEntry('c', 'a', piAnswer(10, [{ type: 'toolCall' }, { type: 'text' }, { type: 'toolCall' }])),
    { type: 'model_change', id: 'd', parentId: 'c', message: { role: 'user' } },
    { type: 'no id' },
    piEntry('e', 'd', piAnswer(20)),
    piEntry('f', 'e', { role: 'user', content: 'late' }),
  ]
  expect(read(pi, lines)).toEqual({
    usableLines: 8,
    sessionId: 's1',
    firstUserTexts: ['first', 'second'],
    numbers: {
      model: 'm20',
      modelProvider: 'p20',
      turnCount: 2,
      totalTokens: 42,
      inputTokens: 30,
      outputTokens: 2,
      cachedInputTokens: 4,
      cacheWriteTokens: 6,
      modelCalls: 2,
      toolCalls: 2,
    },
  })
})

it('entries of pi without ids are one branch, and a cycle of parents ends', () => {
  const withoutIds = [
    { type: 'message', message: { role: 'user', content: 'a' } },
    { type: 'message', message: piAnswer(10) },
    { type: 'message', message: piAnswer(20) },
  ]
  expect(read(pi, withoutIds).numbers).toMatchObject({ turnCount: 1, inputTokens: 30 })
  const cycle = [piEntry('a', 'b', piAnswer(10)), piEntry('b', 'a', piAnswer(20))]
  expect(read(pi, cycle).numbers).toMatchObject({ inputTokens: 30, modelCalls: 2 })
  const lost = [piEntry('a', 'gone', piAnswer(10))]
  expect(read(pi, lost).numbers).toMatchObject({ inputTokens: 10, toolCalls: 0 })
})
