import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRunnerLab, thread, type Line, type RunnerLab } from './runner-lab.ts'

let lab: RunnerLab
beforeEach(async () => {
  lab = await createRunnerLab()
})
afterEach(() => lab.remove())

const claudeLine = (type: string, message: Line, more: Line = {}): Line => ({
  type,
  message,
  sessionId: thread,
  uuid: Math.random().toString(),
  ...more,
})
const answer = (id: string, usage: Line, content: Line[] = []) =>
  claudeLine('assistant', { id, model: 'claude-opus-5', usage, content }, { requestId: `r${id}` })

describe('zcl enrich for other runners', () => {
  it('counts a Claude answer once, even over several lines', async () => {
    const usage = {
      input_tokens: 100,
      output_tokens: 12,
      cache_read_input_tokens: 50,
      cache_creation_input_tokens: 7,
    }
    lab.put(`.claude/projects/-x-y/${thread}.jsonl`, [
      { type: 'summary', summary: 's' },
      claudeLine('user', { role: 'user', content: 'Find it' }),
      answer('m1', { ...usage, output_tokens: 1 }, [{ type: 'text', text: 'a' }]),
      answer('m1', usage, [{ type: 'tool_use', id: 't1', name: 'Bash' }]),
      claudeLine('user', { content: [{ type: 'tool_result', tool_use_id: 't1' }] }),
      answer('m2', usage, [
        { type: 'tool_use', id: 't2' },
        { type: 'tool_use', id: 't2' },
      ]),
      claudeLine('assistant', { id: 'm3', model: '<synthetic>', content: [] }),
      { type: 'cost-state', totalCostUSD: 1 },
    ])
    const { ref, metrics } = await lab.enrich('claude')
    expect(ref).toMatchObject({ runner: 'claude', sessionId: thread })
    expect(metrics).toEqual({
      schemaVersion: 1,
      runner: 'claude',
      model: 'claude-opus-5',
      turnCount: 1,
      totalTokens: 338,
      inputTokens: 200,
      outputTokens: 24,
      cachedInputTokens: 100,
      cacheWriteTokens: 14,
      modelCalls: 2,
      toolCalls: 2,
    })
  })

  it('reads the usage of zdx answers', async () => {
    lab.put(`.config/zdx/sessions/${thread}.jsonl`, [
      { type: 'meta', schema_version: 1 },
      { type: 'message', role: 'user', text: 'go' },
      {
        ...{
          type: 'tool_use',
          id: 'a',
          name: 'bash',
          input: {},
          provider: 'anthropic',
          model: 'm-1',
        },
        usage: { input_tokens: 10, output_tokens: 2, cached_input_tokens: 4, thinking_tokens: 1 },
      },
      { type: 'tool_use', id: 'b', name: 'read', input: {} },
      { type: 'tool_result', tool_use_id: 'a', output: {}, ok: true },
      {
        ...{ type: 'message', role: 'assistant', text: 'ok', provider: 'anthropic', model: 'm-2' },
        usage: { input_tokens: 20, output_tokens: 3 },
      },
    ])
    expect((await lab.enrich('zdx')).metrics).toEqual({
      ...{
        schemaVersion: 1,
        runner: 'zdx',
        model: 'm-2',
        modelProvider: 'anthropic',
        turnCount: 1,
      },
      ...{ totalTokens: 35, inputTokens: 26, outputTokens: 5, cachedInputTokens: 4 },
      ...{ reasoningOutputTokens: 1, modelCalls: 2, toolCalls: 2 },
    })
  })

  it('uses the last version of a Gemini message that is written twice', async () => {
    const said = (output: number, toolCalls: Line[]) => ({
      ...{ id: 'g1', type: 'gemini', model: 'gemini-3-pro', toolCalls },
      tokens: { input: 40, output, cached: 8, thoughts: 2, tool: 0, total: 42 + output },
    })
    lab.put(`.gemini/tmp/project/chats/session-2026-02-15T18-00-${thread.slice(0, 8)}.jsonl`, [
      { sessionId: thread, projectHash: 'h', startTime: 't', kind: 'main' },
      { id: 'u1', type: 'user', content: 'hello' },
      said(1, []),
      said(5, [{ id: 'c' }]),
      { $set: { lastUpdated: 'x' } },
      { $rewindTo: 'u1' },
    ])
    expect((await lab.enrich('gemini')).metrics).toEqual({
      ...{ schemaVersion: 1, runner: 'gemini', model: 'gemini-3-pro', turnCount: 1 },
      ...{ totalTokens: 47, inputTokens: 32, outputTokens: 7, cachedInputTokens: 8 },
      ...{ reasoningOutputTokens: 2, modelCalls: 1, toolCalls: 1 },
    })
  })

  it('reads the metrics of a Qwen log', async () => {
    lab.put(`.qwen/projects/x/chats/${thread}.jsonl`, [
      { uuid: '1', type: 'user', sessionId: thread, message: { parts: [{ text: 'hi' }] } },
      {
        ...{ uuid: '2', type: 'assistant', model: 'qwen3-coder', sessionId: thread },
        message: { parts: [{ functionCall: {} }, { text: 'x' }] },
        usageMetadata: {
          ...{ promptTokenCount: 9, candidatesTokenCount: 4, thoughtsTokenCount: 1 },
          ...{ totalTokenCount: 14, cachedContentTokenCount: 3 },
        },
      },
    ])
    expect((await lab.enrich('qwen')).metrics).toEqual({
      ...{ schemaVersion: 1, runner: 'qwen', model: 'qwen3-coder', turnCount: 1, totalTokens: 14 },
      ...{ inputTokens: 6, outputTokens: 5, cachedInputTokens: 3, reasoningOutputTokens: 1 },
      ...{ modelCalls: 1, toolCalls: 1 },
    })
  })

  it('finds a Copilot session by its folder name', async () => {
    const usage = { model: 'gpt-5', inputTokens: 10, outputTokens: 2, cacheReadTokens: 1 }
    lab.put(`.copilot/session-state/${thread}/events.jsonl`, [
      { type: 'session.start', data: { sessionId: thread } },
      { type: 'user.message', data: { content: 'hi' } },
      { type: 'assistant.turn_start', data: {} },
      { type: 'tool.execution_start', data: {} },
      { type: 'session.usage_record', data: { usage } },
      { type: 'session.usage_record', data: { usage } },
    ])
    const { ref, metrics } = await lab.enrich('copilot')
    expect(ref?.sessionId).toBe(thread)
    expect(metrics).toEqual({
      ...{ schemaVersion: 1, runner: 'copilot', model: 'gpt-5', turnCount: 1, totalTokens: 24 },
      ...{ inputTokens: 18, outputTokens: 4, cachedInputTokens: 2, modelCalls: 2, toolCalls: 1 },
    })
  })

  it('counts only the continued branch of a pi session', async () => {
    const entry = (id: string, parentId: string | null, message: Line): Line => ({
      ...{ type: 'message', id, parentId, message },
    })
    const said = (input: number, tool = false): Line => ({
      ...{ role: 'assistant', provider: 'anthropic', model: 'claude', stopReason: 'stop' },
      content: tool ? [{ type: 'toolCall' }] : [],
      usage: { input, output: 1, cacheRead: 2, cacheWrite: 0, totalTokens: input + 3 },
    })
    lab.put(`.pi/agent/sessions/--x--/2026-02-15_${thread}.jsonl`, [
      { type: 'session', version: 3, id: thread, cwd: '/x' },
      entry('a', null, { role: 'user', content: 'hi' }),
      entry('b', 'a', said(1000)),
      entry('c', 'a', said(10, true)),
      { type: 'model_change', id: 'd', parentId: 'c' },
      entry('e', 'd', said(20)),
    ])
    expect((await lab.enrich('pi')).metrics).toEqual({
      ...{
        schemaVersion: 1,
        runner: 'pi',
        model: 'claude',
        modelProvider: 'anthropic',
        turnCount: 1,
      },
      ...{ totalTokens: 36, inputTokens: 30, outputTokens: 2, cachedInputTokens: 4, toolCalls: 1 },
      ...{ cacheWriteTokens: 0, modelCalls: 2 },
    })
  })

  it('reads the newest log of a HOME that belongs to the attempt', async () => {
    lab.put('own/.claude/projects/p/one.jsonl', [
      answer('m', { input_tokens: 1, output_tokens: 1 }),
    ])
    expect((await lab.enrich('claude')).ran.code).toBe(2)
    const { metrics } = await lab.enrich('claude', '--home', path.join(lab.home, 'own'))
    expect(metrics?.totalTokens).toBe(2)
  })
})
