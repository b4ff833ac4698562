import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRunnerLab, promptStart, thread, type Line, type RunnerLab } from './runner-lab.ts'

let lab: RunnerLab
beforeEach(async () => {
  lab = await createRunnerLab()
})
afterEach(() => lab.remove())

const at = (type: string, payload: Line, ordinal = 1): Line => ({
  timestamp: '2026-02-15T18:00:00.000Z',
  ordinal,
  type,
  payload,
})
const meta = (id = thread) =>
  at('session_meta', { id, cwd: '/x', originator: 'codex_exec', model_provider: 'openai' })
const turn = (model: string, turn_id?: string) => at('turn_context', { model, cwd: '/x', turn_id })
const tokens = (total: Line | null, last: Line = { input_tokens: 5 }) =>
  at('event_msg', {
    type: 'token_count',
    info: total && {
      total_token_usage: total,
      last_token_usage: last,
      model_context_window: 272_000,
    },
    rate_limits: {},
  })
const item = (payload: Line) => at('response_item', payload)

const rollout = [
  meta(),
  turn('gpt-5', 't1'),
  at('event_msg', { type: 'task_started' }),
  item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: '<environment>' }] }),
  at('event_msg', { type: 'user_message', message: 'hello' }),
  tokens(null),
  tokens({ input_tokens: 100, output_tokens: 10, total_tokens: 110 }),
  item({ type: 'function_call', call_id: 'c1', name: 'shell', arguments: '{}' }),
  item({ type: 'function_call_output', call_id: 'c1', output: 'x' }),
  item({ type: 'custom_tool_call', call_id: 'c2' }),
  'this is not JSON',
  { type: 'world_state', payload: {} },
  at('compacted', { message: 'm' }),
  turn('gpt-5', 't1'),
  turn('gpt-5-codex', 't2'),
  tokens({
    input_tokens: 300,
    cached_input_tokens: 200,
    output_tokens: 30,
    reasoning_output_tokens: 20,
    total_tokens: 330,
  }),
  tokens({
    input_tokens: 300,
    cached_input_tokens: 200,
    output_tokens: 30,
    reasoning_output_tokens: 20,
    total_tokens: 330,
  }),
  tokens(null),
  at('event_msg', { type: 'task_complete' }),
  '{"timestamp":"2026-02-15T18:00:09Z","type":"event_msg","payl',
]
const inSessions = (name: string, day = '2026/02/15') =>
  `.codex/sessions/${day}/rollout-${name}.jsonl`

describe('zcl enrich --runner codex', () => {
  it('reads the metrics of a real rollout', async () => {
    const file = lab.put(inSessions(`2026-02-15T18-00-00-${thread}`), rollout)
    const { ran, ref, metrics } = await lab.enrich('codex')
    expect([ran.code, ran.stderr]).toEqual([0, ''])
    expect(ref).toEqual({
      schemaVersion: 1,
      runner: 'codex',
      runId: lab.runId,
      suiteId: 's',
      missionId: 'm',
      attemptId: '001-m-r1',
      agentId: thread,
      rolloutPath: file,
      threadId: thread,
    })
    expect(metrics).toEqual({
      schemaVersion: 1,
      runner: 'codex',
      model: 'gpt-5-codex',
      modelProvider: 'openai',
      turnCount: 2,
      totalTokens: 330,
      inputTokens: 100,
      outputTokens: 30,
      cachedInputTokens: 200,
      reasoningOutputTokens: 20,
      modelContextWindow: 272_000,
      modelCalls: 2,
      toolCalls: 2,
    })
    expect(JSON.parse(ran.stdout)).toMatchObject({ ok: true, runner: 'codex', metrics, ref })
    const text = readFileSync(lab.file('runner.metrics.json'), 'utf8')
    expect(text).toBe(`${JSON.stringify(metrics, undefined, 2)}\n`)
  })

  it('omits metrics that the rollout lacks', async () => {
    const file = lab.put('a.jsonl', [
      meta(),
      tokens(null),
      at('event_msg', { type: 'token_count' }),
    ])
    const { metrics } = await lab.enrich('codex', '--rollout', file)
    expect(metrics).toEqual({ schemaVersion: 1, runner: 'codex', modelProvider: 'openai' })
    const other = lab.put('b.jsonl', [
      tokens({ input_tokens: 7, output_tokens: 3, cached_input_tokens: -1, total_tokens: 'many' }),
      at('event_msg', { type: 'user_message', message: 'x' }),
      at('event_msg', { type: 'user_message', message: 'y' }),
    ])
    expect((await lab.enrich('codex', '--rollout', other)).metrics).toEqual({
      ...{ schemaVersion: 1, runner: 'codex', turnCount: 2, totalTokens: 10, inputTokens: 7 },
      ...{ outputTokens: 3, modelContextWindow: 272_000, modelCalls: 1 },
    })
  })

  it('finds the rollout by name, then by its id, then by the prompt, the newest first', async () => {
    const words = at('event_msg', {
      type: 'user_message',
      message: `> ${promptStart}`,
    })
    const other = '11111111-2222-7333-8444-555555555555'
    const byPrompt = lab.put(inSessions(`2026-03-01T00-00-00-${other}`, '2026/03/01'), [
      meta(other),
      words,
    ])
    expect((await lab.enrich('codex')).ref?.rolloutPath).toBe(byPrompt)
    const byId = lab.put(inSessions('2026-02-15T10-00-00-renamed'), [meta()])
    expect((await lab.enrich('codex')).ref?.rolloutPath).toBe(byId)
    const byName = lab.put(inSessions(`2026-02-14T10-00-00-${thread}`, '2026/02/14'), [turn('old')])
    expect((await lab.enrich('codex')).ref?.rolloutPath).toBe(byName)
    const newer = lab.put(inSessions(`2026-02-16T10-00-00-${thread}`, '2026/02/16'), [turn('new')])
    expect((await lab.enrich('codex')).metrics?.model).toBe('new')
    expect((await lab.enrich('codex')).ref?.rolloutPath).toBe(newer)
  })

  it('looks in CODEX_HOME', async () => {
    const file = lab.put(`elsewhere/sessions/2026/02/15/rollout-x-${thread}.jsonl`, [meta()])
    const env = { CODEX_HOME: path.join(lab.home, 'elsewhere') }
    const ran = await lab.zcl(['enrich', '--runner', 'codex', lab.attempt], { env })
    expect(ran.code).toBe(0)
    expect(readFileSync(lab.file('runner.ref.json'), 'utf8')).toContain(file)
  })

  it('writes nothing without a usable rollout', async () => {
    const nothing = lab.put('nothing.jsonl', ['', '{"a":1}', 'x', '[]', '{"type":"unknown"}'])
    for (const [flags, code, typed] of [
      [[], 2, 'ZCL_E_RUNNER_ENRICH_FAILED'],
      [['--rollout', nothing], 2, 'ZCL_E_RUNNER_ENRICH_FAILED'],
      [['--rollout', '/no/such/file'], 1, 'ZCL_E_IO'],
      [['--rollout', lab.home], 1, 'ZCL_E_IO'],
    ] as const) {
      const { ran, ref, metrics } = await lab.enrich('codex', ...flags)
      expect(ran.code).toBe(code)
      expect(ran.stderr.startsWith(`${typed}: `)).toBe(true)
      expect(ran.stdout).toBe('')
      expect([ref, metrics]).toEqual([undefined, undefined])
    }
    expect((await lab.zcl(['enrich', '--runner', 'unknown'])).code).toBe(2)
    expect((await lab.zcl(['enrich'])).code).toBe(2)
    expect((await lab.zcl(['enrich', '--runner', 'codex', lab.home])).code).toBe(2)
  })

  it('changes no score', async () => {
    await lab.zcl(['run', '--', 'true'])
    await lab.zcl(['feedback', '--ok', '--result', 'x'])
    const env = { ZCL_NOW: '2026-01-01T00:00:00Z' }
    const report = async () => {
      const ran = await lab.zcl(['report', '--json', lab.attempt], { env })
      const { tokenEstimates, ...rest } = JSON.parse(ran.stdout) as Line
      return { tokenEstimates, rest }
    }
    const before = await report()
    lab.put(inSessions(`x-${thread}`), rollout)
    await lab.enrich('codex')
    const after = await report()
    expect(after.rest).toEqual(before.rest)
    expect(after.tokenEstimates).toMatchObject({ source: 'runner.metrics', totalTokens: 330 })
    const checked = await lab.zcl(['validate', '--strict', '--json', lab.attempt])
    expect(JSON.parse(checked.stdout)).toMatchObject({ ok: true })
  })
})
