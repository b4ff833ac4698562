import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createRedactor } from '@zee/core/redact'
import { afterAll, describe, expect, it } from 'vitest'
import { exportEvidence } from '../exports/exports.ts'
import { readMessages } from '../messages/messages.ts'
import { findTarget } from '../runs/runs.ts'
import type { ExportFormat, ImportFormat } from '../schema/vocabulary.ts'
import { validate } from '../validate/validate.ts'
import { importLog, type ImportResult } from './imports.ts'
import { zipEntries } from './zip.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'zee-import-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const redactor = createRedactor({ environment: {} })
const now = new Date('2026-05-01T12:00:00Z')
const time = '2026-04-01T10:00:00.000Z'
const secret = 'ghp_0123456789abcdefghijklmnopqrstuvwxyzAB'

function write(name: string, content: unknown): string {
  const file = path.join(folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

function imported(format: ImportFormat, file: string): Promise<ImportResult> {
  const outRoot = path.join(folder, 'out')
  return importLog({ format, path: file, outRoot, suite: undefined, env: {}, redactor, now })
}

function artifact(run: ImportResult, name: string, index = 0): Record<string, unknown> {
  const { attemptId = '' } = run.attempts[index] ?? {}
  const file = path.join(run.runFolder, 'attempts', attemptId, name)
  const text = readFileSync(file, 'utf8')
  // The first line of a stream, or the whole document.
  const document = name.endsWith('.jsonl') ? (text.split('\n')[0] ?? '') : text
  return JSON.parse(document) as Record<string, unknown>
}

interface Call {
  result: { ok: boolean }
}

function traceOf(run: ImportResult): Call[] {
  const { attemptId = '' } = run.attempts[0] ?? {}
  const text = readFileSync(
    path.join(run.runFolder, 'attempts', attemptId, 'tool.calls.jsonl'),
    'utf8',
  )
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Call)
}

function messages(run: ImportResult, index = 0): string[] {
  const { attemptId = '' } = run.attempts[index] ?? {}
  return readMessages(path.join(run.runFolder, 'attempts', attemptId)).map(
    ({ role, kind, text }) => `${role} ${kind}: ${text}`,
  )
}

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

const inspectLog = {
  version: 2,
  status: 'success',
  eval: { task: 'pkg/sums', created: time, model: 'openai/gpt' },
  samples: [
    {
      id: 'One & one',
      epoch: 1,
      input: 'What is 1 + 1?',
      messages: [
        { role: 'user', content: 'What is 1 + 1?' },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', reasoning: 'I add.' },
            { type: 'text', text: `I use ${secret}` },
          ],
          tool_calls: [{ id: 'c1', function: 'add', arguments: { x: 1, y: 1 } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: '2' },
        { role: 'assistant', content: '2' },
      ],
      events: [
        { event: 'tool', id: 'c1', timestamp: time, completed: '2026-04-01T10:00:02Z' },
        { event: 'sandbox' },
      ],
      scores: { match: { value: 'C', answer: '2' } },
      model_usage: { 'openai/gpt': { input_tokens: 10, output_tokens: 5, total_tokens: 15 } },
      started_at: time,
      completed_at: '2026-04-01T10:00:05Z',
    },
    {
      id: 2,
      epoch: 1,
      input: [{ role: 'user', content: 'hi' }],
      messages: [],
      error: { message: 'no model' },
    },
  ],
}

describe('an imported log of Inspect', () => {
  it('becomes attempts with calls, messages, outcomes and usage, redacted and valid', async () => {
    const run = await imported('inspect', write('inspect.json', inspectLog))
    expect(run).toMatchObject({
      suiteId: 'sums',
      isNew: true,
      attempts: [
        { attemptId: '001-one-one-r1', ok: true, calls: 1, messages: 4 },
        { attemptId: '002-2-r1', ok: false, calls: 0 },
      ],
      unmapped: { 'event sandbox': 1 },
    })
    expect(artifact(run, 'tool.calls.jsonl')).toMatchObject({
      tool: 'inspect',
      op: 'add',
      ts: time,
      input: { x: 1, y: 1 },
      result: { ok: true, durationMs: 2000 },
      io: { outPreview: '2' },
    })
    expect(messages(run)).toEqual([
      'user text: What is 1 + 1?',
      'assistant thinking: I add.',
      'assistant text: I use [REDACTED:GITHUB_TOKEN]',
      'assistant text: 2',
    ])
    expect(artifact(run, 'runner.metrics.json')).toMatchObject({
      model: 'openai/gpt',
      inputTokens: 10,
      outputTokens: 5,
      totalTokens: 15,
      toolCalls: 1,
    })
    expect(artifact(run, 'feedback.json', 1)).toMatchObject({
      resultJson: { kind: 'infra_failure', code: 'INSPECT_ERROR' },
    })
    const checked = validate(run.runFolder, run.runFolder, { strict: true })
    expect(checked).toMatchObject({ ok: true, errors: [] })
    expect((await imported('inspect', path.join(folder, 'inspect.json'))).isNew).toBe(false)
  })

  it('survives a round trip through each export that can be imported', async () => {
    const first = await imported('inspect', path.join(folder, 'inspect.json'))
    const formats: [ExportFormat, ImportFormat][] = [
      ['inspect', 'inspect'],
      ['atif', 'atif'],
      ['otlp-json', 'otlp'],
    ]
    for (const [format, back] of formats) {
      const target = findTarget(first.runFolder)
      if (target.kind === 'unknown') throw new Error('no run')
      const options = { format, redactor, gate: 'replace', version: '1' } as const
      const pieces: Buffer[] = []
      for await (const piece of await exportEvidence(target, options))
        pieces.push(Buffer.from(piece))
      const file = path.join(folder, `again.${format}`)
      writeFileSync(file, Buffer.concat(pieces))
      const again = await imported(back, file)
      expect(again.attempts.map(({ missionId, ok, calls }) => [missionId, ok, calls])).toEqual([
        ['one-one', true, 1],
        ['2', false, 0],
      ])
      if (back !== 'otlp') expect(messages(again)).toContain('assistant thinking: I add.')
    }
  })
})

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

  it('of another shape are refused with a typed error', async () => {
    const list = write('list.json', [1, 2])
    const text = write('text.eval', 'not a zip')
    const cases: [ImportFormat, string][] = [
      ['inspect', text],
      ['inspect', list],
      ['promptfoo', list],
      ['otlp', text],
      ['atif', text],
      ['codex', text],
      ['harbor', path.join(folder, 'claude')],
      ['claude', path.join(folder, 'missing')],
    ]
    for (const [format, file] of cases) {
      const error: unknown = await imported(format, file).catch((reason: unknown) => reason)
      expect((error as { code?: string }).code, format).toMatch(/^ZCL_E_(?:USAGE|INVALID_JSON)$/)
    }
    expect(() => zipEntries(Buffer.from('PK'), 'x', (bytes) => bytes)).toThrow('not a zip archive')
  })
})
