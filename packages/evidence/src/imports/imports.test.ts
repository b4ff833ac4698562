import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { ImportFormat } from '../schema/vocabulary.ts'
import { zipEntries } from './zip.ts'
import {
  artifact,
  folder,
  imported,
  messages,
  removeLogs,
  time,
  write,
} from '../../test/imported-log.ts'

afterAll(removeLogs)

describe('other imported logs', () => {
  it('of promptfoo give one attempt per result', async () => {
    const result = (success: boolean, output: string) => ({
      testCase: { description: 'greets' },
      provider: { id: 'openai:gpt-x' },
      prompt: { raw: 'Say hello' },
      response: { output, tokenUsage: { prompt: 3, completion: 2, total: 5 } },
      success,
      score: success ? 1 : 0,
      gradingResult: { pass: success, reason: 'because' },
    })
    const results = {
      version: 3,
      timestamp: time,
      results: [result(true, 'hello'), result(false, 'no')],
    }
    const run = await imported('promptfoo', write('promptfoo.json', { results, config: {} }))
    expect(run.attempts).toMatchObject([
      { attemptId: '001-greets-r1', ok: true },
      { attemptId: '002-greets-r2', ok: false },
    ])
    expect(messages(run)).toEqual(['user text: Say hello', 'assistant text: hello'])
    expect(artifact(run, 'runner.metrics.json')).toMatchObject({ model: 'gpt-x', totalTokens: 5 })
  })

  it('of promptfoo 0.123, as the program wrote it, give outcomes, tokens and times', async () => {
    const log = path.join(import.meta.dirname, '../../test/fixtures/logs/promptfoo-0.123.1.json')
    const run = await imported('promptfoo', log)
    expect(run).toMatchObject({
      suiteId: 'sums',
      unmapped: {},
      attempts: [
        { missionId: 'one', ok: true, messages: 2 },
        { missionId: 'two', ok: false, messages: 2 },
      ],
    })
    const numbers = { runner: 'tallier', totalTokens: 105, inputTokens: 96, outputTokens: 9 }
    expect(artifact(run, 'runner.metrics.json')).toMatchObject(numbers)
    const { startedAt } = artifact(run, 'attempt.json')
    const { createdAt } = artifact(run, 'feedback.json')
    expect(Date.parse(String(createdAt))).toBeGreaterThan(Date.parse(String(startedAt)))
  })

  it('of Harbor take outcomes from rewards and calls from trajectories', async () => {
    const trial = (name: string, reward: number) => {
      write(`job/${name}/result.json`, {
        task_name: 'fix-it',
        trial_name: name,
        agent_info: { name: 'codex', model_info: { name: 'gpt' } },
        verifier_result: { rewards: { reward } },
        agent_result: { n_input_tokens: 10, n_cache_tokens: 4, n_output_tokens: 2 },
        started_at: time,
      })
      write(`job/${name}/agent/trajectory.json`, {
        schema_version: 'ATIF-v1.8',
        agent: { name: 'codex', version: '1' },
        steps: [
          { step_id: 1, source: 'user', message: 'Fix it.' },
          {
            step_id: 2,
            source: 'agent',
            message: 'I look.',
            reasoning_content: 'Where?',
            tool_calls: [
              { tool_call_id: 'a', function_name: 'bash', arguments: { command: 'ls' } },
            ],
            observation: { results: [{ source_call_id: 'a', content: 'x.py' }] },
          },
        ],
      })
    }
    trial('fix-it__1', 1)
    trial('fix-it__2', 0)
    write('job/result.json', { stats: {} })
    const run = await imported('harbor', path.join(folder, 'job'))
    expect(run.attempts).toMatchObject([
      { attemptId: '001-fix-it-r1', ok: true, calls: 1 },
      { attemptId: '002-fix-it-r2', ok: false, calls: 1 },
    ])
    expect(artifact(run, 'runner.metrics.json')).toMatchObject({
      model: 'gpt',
      inputTokens: 6,
      cachedInputTokens: 4,
      totalTokens: 12,
    })
  })

  it('of OpenTelemetry with answers of models give messages and usage', async () => {
    const attributes = (values: Record<string, string | number>) =>
      Object.entries(values).map(([key, value]) => ({
        key,
        value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
      }))
    const span = (name: string, parentSpanId: string, values: Record<string, string | number>) => ({
      traceId: 't1',
      spanId: name,
      parentSpanId,
      name,
      startTimeUnixNano: '1775037600000000000',
      endTimeUnixNano: '1775037601000000000',
      attributes: attributes(values),
    })
    const spans = [
      span('agent', '', { 'gen_ai.operation.name': 'invoke_agent' }),
      span('chat', 'agent', {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'm',
        'gen_ai.usage.input_tokens': 7,
        'gen_ai.usage.output_tokens': 3,
        'gen_ai.output.messages': JSON.stringify([
          {
            role: 'assistant',
            parts: [
              { type: 'reasoning', content: 'hm' },
              { type: 'text', content: 'hi' },
            ],
          },
        ]),
      }),
      span('tool', 'agent', { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'ls' }),
      span('db', 'agent', {}),
    ]
    const file = write(
      'otlp.jsonl',
      `${JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] })}\n`,
    )
    const run = await imported('otlp', file)
    expect(run).toMatchObject({
      attempts: [{ calls: 1, messages: 2, ok: null }],
      unmapped: { 'span db': 1 },
    })
    expect(artifact(run, 'runner.metrics.json')).toMatchObject({
      model: 'm',
      totalTokens: 10,
      modelCalls: 1,
    })
  })

  it('of ATIF count what is no trajectory', async () => {
    const agent = { name: 'a', version: '1' }
    const steps = [{ step_id: 1, source: 'user', message: 'Go.' }]
    const one = { schema_version: 'ATIF-v1.8', session_id: 's', agent, steps }
    const run = await imported('atif', write('mixed.json', [one, null, { agent }]))
    expect(run.attempts).toMatchObject([{ missionId: 's', messages: 1 }])
    expect(run.unmapped).toEqual({ 'value without steps': 2 })
  })

  it('of ATIF count a step without a source as not mapped', async () => {
    const agent = { name: 'codex', version: '1' }
    const steps = [{ step_id: 1, message: 'x' }]
    const file = write('no-source.json', { schema_version: 'ATIF-v1.8', agent, steps })
    expect((await imported('atif', file)).unmapped).toEqual({ 'step without source': 1 })
  })

  it('of another shape are refused with a typed error', async () => {
    const list = write('list.json', [1, 2])
    const text = write('text.eval', 'not a zip')
    const cases: [ImportFormat, string][] = [
      ['inspect', text],
      ['inspect', list],
      ['promptfoo', list],
      ['otlp', text],
      ['atif', text],
      ['atif', list],
      ['atif', write('other.json', { version: 1 })],
      ['codex', text],
      ['harbor', path.join(folder, 'claude')],
      ['claude', path.join(folder, 'missing')],
      ['claude', path.dirname(write('bare/notes.txt', ''))],
    ]
    for (const [format, file] of cases) {
      const error: unknown = await imported(format, file).catch((reason: unknown) => reason)
      expect((error as { code?: string }).code, format).toMatch(/^ZCL_E_(?:USAGE|INVALID_JSON)$/)
    }
    expect(() => zipEntries(Buffer.from('PK'), 'x', (bytes) => bytes)).toThrow('not a zip archive')
  })
})
