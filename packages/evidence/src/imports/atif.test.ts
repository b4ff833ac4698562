import { afterAll, describe, expect, it } from 'vitest'
import { removeLogs, sourceOf, time } from '../../test/imported-log.ts'
import { readAtif, trajectoryAttempt } from './atif.ts'

afterAll(removeLogs)

const later = '2026-04-01T10:00:07.000Z'

const trajectory = {
  session_id: 's1',
  agent: { name: 'codex', model_name: 'gpt' },
  steps: [
    { source: 'system', message: 'Be brief.' },
    {
      source: 'user',
      timestamp: time,
      message: [{ type: 'text', text: 'Go.' }, { type: 'image' }],
    },
    {
      source: 'agent',
      message: 'I look.',
      reasoning_content: 'Where?',
      tool_calls: [
        { tool_call_id: 'b', function_name: 'mcp.list.all', arguments: { x: 1 } },
        { tool_call_id: 'a', function_name: 'bash' },
        { tool_call_id: 'c' },
      ],
      observation: {
        results: [
          { source_call_id: 'a', content: 'of a' },
          { source_call_id: 'b', content: [{ type: 'text', text: 'of b' }] },
          { content: 'of c' },
        ],
      },
      extra: { ok: false, exit_code: 3, duration_ms: 40 },
      metrics: { prompt_tokens: 10, cached_tokens: 4, completion_tokens: 2 },
    },
    {
      source: 'agent',
      timestamp: later,
      message: 'Done.',
      tool_calls: [{ function_name: 'cli.exec' }],
      metrics: { prompt_tokens: 20, completion_tokens: 3 },
    },
    { source: 'tool', message: 'x' },
    { source: 'agent', message: 'all good', extra: { outcome: true, ok: true } },
  ],
  subagent_trajectories: [{}, {}],
  extra: { suite_id: 'sums', mission_id: 'one', ok: true },
}

describe('readAtif', () => {
  it('reads messages, calls, tokens and the outcome of a trajectory', async () => {
    expect(await readAtif(sourceOf('one.json', trajectory))).toEqual({
      attempts: [
        {
          agent: 'codex',
          calls: [
            {
              durationMs: 40,
              exitCode: 3,
              input: { x: 1 },
              isError: true,
              op: 'list.all',
              output: 'of b',
              tool: 'mcp',
              ts: '',
            },
            {
              durationMs: 40,
              exitCode: 3,
              input: {},
              isError: true,
              op: 'bash',
              output: 'of a',
              tool: 'atif',
              ts: '',
            },
            {
              durationMs: 40,
              exitCode: 3,
              input: {},
              isError: true,
              op: 'tool',
              output: 'of c',
              tool: 'atif',
              ts: '',
            },
            {
              durationMs: undefined,
              exitCode: undefined,
              input: {},
              isError: false,
              op: 'exec',
              output: '',
              tool: 'cli',
              ts: '2026-04-01T10:00:07.000Z',
            },
          ],
          endedAt: '2026-04-01T10:00:07.000Z',
          messages: [
            { afterCalls: 0, kind: 'text', role: 'system', text: 'Be brief.', ts: '' },
            {
              afterCalls: 0,
              kind: 'text',
              role: 'user',
              text: 'Go.',
              ts: '2026-04-01T10:00:00.000Z',
            },
            { afterCalls: 0, kind: 'thinking', role: 'assistant', text: 'Where?', ts: '' },
            { afterCalls: 0, kind: 'text', role: 'assistant', text: 'I look.', ts: '' },
            {
              afterCalls: 3,
              kind: 'text',
              role: 'assistant',
              text: 'Done.',
              ts: '2026-04-01T10:00:07.000Z',
            },
          ],
          mission: 'one',
          numbers: {
            cachedInputTokens: 4,
            inputTokens: 26,
            model: 'gpt',
            outputTokens: 5,
            toolCalls: 4,
            totalTokens: 35,
          },
          outcome: { ok: true, result: 'all good' },
          prompt: 'Go.',
          retry: 1,
          sourceId: 's1',
          startedAt: '2026-04-01T10:00:00.000Z',
          unmapped: { 'content image': 1, 'step tool': 1, 'subagent trajectory': 2 },
        },
      ],
      createdAt: '2026-04-01T10:00:00.000Z',
      suite: 'sums',
      unmapped: {},
    })
  })

  it('names the suite and the mission itself if the trajectory does not', async () => {
    const steps = [{ source: 'user', message: 'Go.' }]
    const named = (more: object) => trajectoryAttempt({ steps, ...more }).mission
    expect([named({}), named({ session_id: 's' }), named({ extra: { mission_id: 'm' } })]).toEqual([
      'trajectory',
      's',
      'm',
    ])
    const { suite, createdAt, unmapped } = await readAtif(sourceOf('bare.json', { steps }))
    expect([suite, createdAt, unmapped]).toEqual(['atif', undefined, {}])
    const lines = ['x', 'y'].map((message) => JSON.stringify({ steps: [{ message }] }))
    const several = await readAtif(sourceOf('lines.jsonl', `${lines.join('\n')}\nodd\n`))
    expect([several.attempts.length, several.unmapped]).toEqual([2, { 'damaged line': 1 }])
    const list = await readAtif(sourceOf('list.json', [{ steps }, 7, { steps: {} }]))
    expect([list.attempts.length, list.unmapped]).toEqual([1, { 'value without steps': 2 }])
  })
})

describe('trajectoryAttempt', () => {
  const numbers = (final: object, ...metrics: object[]) =>
    trajectoryAttempt({
      final_metrics: final,
      steps: metrics.map((each) => ({ source: 'agent', metrics: each })),
    }).numbers

  it('prefers the totals that the trajectory states', () => {
    const final = { total_prompt_tokens: 7, total_cached_tokens: 2, total_completion_tokens: 5 }
    const totals = { inputTokens: 5, cachedInputTokens: 2, outputTokens: 5, totalTokens: 12 }
    expect(numbers(final, { prompt_tokens: 100 })).toEqual({ ...totals, toolCalls: 0 })
  })

  it.each([
    [{}, { toolCalls: 0 }],
    [{ prompt_tokens: 3 }, { inputTokens: 3, toolCalls: 0 }],
    [{ completion_tokens: 3 }, { outputTokens: 3, toolCalls: 0 }],
    [{ cached_tokens: 3 }, { cachedInputTokens: 3, toolCalls: 0 }],
    [
      { prompt_tokens: 3, cached_tokens: 5 },
      { inputTokens: 0, cachedInputTokens: 5, toolCalls: 0 },
    ],
  ])('counts the tokens of %j', (metrics, expected) => {
    expect(numbers({}, metrics)).toEqual(expected)
  })

  it.each([
    ['cli.exec', 'cli', 'exec'],
    ['mcp.tools/call', 'mcp', 'tools/call'],
    ['http.GET', 'http', 'GET'],
    ['zdx.edit', 'zdx', 'edit'],
    ['native.read', 'native', 'read'],
    ['other.read', 'atif', 'other.read'],
    ['xcli.exec', 'atif', 'xcli.exec'],
    ['cli.', 'atif', 'cli.'],
    ['', 'atif', 'tool'],
  ])('calls the function %s %s: %s', (name, tool, op) => {
    const steps = [{ source: 'agent', tool_calls: [{ function_name: name }] }]
    expect(trajectoryAttempt({ steps }).calls).toEqual([
      { ts: '', tool, op, input: {}, output: '', isError: false },
    ])
  })

  it.each([
    [{ ok: true }, { ok: true, result: '' }],
    [{ ok: false }, { ok: false, result: '' }],
    [{ ok: null }, undefined],
    [{}, undefined],
  ])('takes the outcome from %j', (extra, outcome) => {
    const steps = [{ source: 'agent', message: 'not the outcome' }]
    expect(trajectoryAttempt({ steps, extra }).outcome).toEqual(outcome)
  })
})
