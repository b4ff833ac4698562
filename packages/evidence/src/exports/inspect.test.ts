import { createHash } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { callRecord, exportAttempt, exportSource, start } from '../../test/export-source.ts'
import { inspectLog } from './inspect.ts'
import type { ExportAttempt } from './source.ts'
import { ZipWriter } from './zip-writer.ts'

/** The JSON files of the archive by name, in order; the directory at its end is the last part. */
async function filesOf(...attempts: ExportAttempt[]): Promise<Record<string, unknown>> {
  const files: Record<string, unknown> = {}
  for await (const part of inspectLog(exportSource(...attempts), { version: '1.2.3' })) {
    const bytes = Buffer.from(part)
    if (bytes.toString('latin1', 0, 4) !== 'PK\x03\x04') continue
    const nameEnd = 30 + bytes.readUInt16LE(26)
    const packed = bytes.subarray(nameEnd, nameEnd + bytes.readUInt32LE(18))
    files[bytes.toString('utf8', 30, nameEnd)] = JSON.parse(String(inflateRawSync(packed)))
  }
  return files
}

const shortId = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').replace(/[-_]/g, 'x').slice(0, 22)

const named = (attemptId: string, missionId: string, more: Partial<ExportAttempt> = {}) => {
  const attempt = { runId: 'r', suiteId: 's', missionId, startedAt: start }
  return exportAttempt({ attemptId, attempt, ...more })
}

it('a log of Inspect has a sample per attempt, and an epoch per attempt of a mission', async () => {
  const attempts = [
    named('1', 'a', { runnerMetrics: { model: '' } }),
    named('2', 'b', { runnerMetrics: { model: 'x' }, feedback: { ok: true } }),
    named('3', 'a', { isSuperseded: true }),
    named('4', 'a', { feedback: { ok: false }, runnerMetrics: { model: 'y' } }),
    named('5', 'a', { feedback: { ok: false }, outcome: { outcome: 'passed' } }),
    named('6', 'a', { feedback: { ok: true }, outcome: { outcome: 'failed' } }),
  ]
  const files = await filesOf(...attempts)
  expect(Object.keys(files)).toEqual([
    '_journal/start.json',
    ...['a_epoch_1', 'b_epoch_1', 'a_epoch_2', 'a_epoch_3', 'a_epoch_4'].map(
      (name) => `samples/${name}.json`,
    ),
    'summaries.json',
    'header.json',
  ])
  const spec = {
    eval_id: shortId('r'),
    run_id: 'r',
    created: start,
    task: 's',
    task_id: shortId('s'),
    task_version: 0,
    task_attribs: {},
    task_args: {},
    dataset: { name: 's', samples: 2, sample_ids: ['a', 'b'] },
    model: 'x',
    model_args: {},
    config: { epochs: 4 },
    packages: { zcl: '1.2.3' },
    scorers: [{ name: 'zcl' }],
  }
  const plan = { name: 'zcl', steps: [], config: {} }
  expect(files['_journal/start.json']).toEqual({ version: 2, eval: spec, plan })
  const metrics = { accuracy: { name: 'accuracy', value: 0.5, params: {} } }
  expect(files['header.json']).toEqual({
    version: 2,
    status: 'success',
    eval: spec,
    plan,
    results: {
      total_samples: 5,
      completed_samples: 4,
      scores: [{ name: 'zcl', scorer: 'zcl', params: {}, metrics }],
    },
    stats: { started_at: start, completed_at: start, model_usage: {} },
  })
  const scores = (files['summaries.json'] as { scores?: { zcl: { value: string } } }[]).map(
    (summary) => summary.scores?.zcl.value,
  )
  expect(scores).toEqual([undefined, 'C', 'I', 'C', 'I'])
})

it('a log of Inspect without attempts has an accuracy of 0 and one epoch', async () => {
  const files = await filesOf()
  expect(files['header.json']).toMatchObject({
    eval: { created: '1970-01-01T00:00:00Z', model: 'none/unknown', config: { epochs: 1 } },
    results: { total_samples: 0, scores: [{ metrics: { accuracy: { value: 0 } } }] },
  })
  const ungraded = await filesOf(named('1', 'a'))
  expect(ungraded['header.json']).toMatchObject({
    results: { completed_samples: 0, scores: [{ metrics: { accuracy: { value: 0 } } }] },
  })
})

it('a sample has the prompt, the messages, the calls and the answer', async () => {
  const message = (text: string, more: object = {}) => ({
    ...{ ts: start, role: 'assistant' as const, kind: 'text' as const, text, ...more },
  })
  const failed = callRecord({
    result: { ok: false, code: 'E', durationMs: 1 },
    io: { outBytes: 1, errBytes: 1, outPreview: 'o', errPreview: 'e' },
  })
  const unnamed = callRecord({ result: { ok: false, durationMs: 1 }, io: {} })
  const attempt = exportAttempt(
    {
      prompt: 'go',
      messages: [message('Hm', { kind: 'thinking' }), message('late', { afterCalls: 2 })],
      feedback: { ok: true, result: 'done', createdAt: start },
      runnerMetrics: { model: 'x', inputTokens: 5, outputTokens: 4 },
    },
    [callRecord({}), failed, unnamed],
  )
  const files = await filesOf(attempt)
  const call = (n: number) => ({
    role: 'assistant',
    content: '',
    tool_calls: [
      {
        ...{ id: `call_${n}`, function: 'cli.exec', type: 'function' },
        arguments: { argv: ['/bin/ls', '-l'] },
      },
    ],
  })
  const output = (n: number, content: string, error?: string) => ({
    ...{ role: 'tool', content, tool_call_id: `call_${n}`, function: 'cli.exec' },
    ...(error === undefined ? {} : { error: { type: 'unknown', message: error } }),
  })
  const sample = {
    id: 'm',
    epoch: 1,
    input: 'go',
    target: '',
    scores: { zcl: { value: 'C', answer: 'done' } },
    metadata: { attempt_id: '001-m-r1', run_id: 'r' },
    model_usage: { x: { input_tokens: 5, output_tokens: 4, total_tokens: 9 } },
    started_at: start,
    completed_at: start,
    uuid: shortId('r/001-m-r1'),
  }
  expect(files['samples/m_epoch_1.json']).toEqual({
    ...sample,
    messages: [
      { id: 'm-0', role: 'user', content: 'go' },
      { role: 'assistant', content: [{ type: 'reasoning', reasoning: 'Hm' }] },
      call(1),
      output(1, 'out'),
      call(2),
      output(2, 'o\ne', 'E'),
      { role: 'assistant', content: 'late' },
      call(3),
      output(3, '', 'failed'),
    ],
    output: {
      model: 'x',
      choices: [{ message: { role: 'assistant', content: 'done' }, stop_reason: 'stop' }],
      completion: 'done',
    },
    store: {},
    events: [],
  })
  expect(files['summaries.json']).toEqual([{ ...sample, completed: true }])
})

it('a sample without a prompt has the first message of the user, and an answer may be JSON', async () => {
  const user = { ts: start, role: 'user' as const, kind: 'text' as const, text: 'said' }
  const attempt = exportAttempt({ messages: [user], feedback: { ok: true, resultJson: [1] } })
  expect((await filesOf(attempt))['samples/m_epoch_1.json']).toMatchObject({
    input: 'said',
    messages: [{ role: 'user', content: 'said' }],
    output: { model: 'none/unknown', completion: '[1]' },
    model_usage: {},
  })
  const empty = await filesOf(exportAttempt({ attempt: { missionId: 'm' } }))
  expect(empty['samples/m_epoch_1.json']).toMatchObject({
    input: '',
    output: { completion: '' },
    messages: [{ id: 'm-0', content: '' }],
  })
  expect(empty['samples/m_epoch_1.json']).not.toHaveProperty('started_at')
})

it('the usage of a model is the sum over its samples', async () => {
  const metrics = (more: object) => ({ model: 'x', inputTokens: 1, outputTokens: 2, ...more })
  const all = { cachedInputTokens: 3, cacheWriteTokens: 4, reasoningOutputTokens: 5 }
  const files = await filesOf(
    named('1', 'a', { runnerMetrics: metrics({ totalTokens: 100, ...all }) }),
    named('2', 'a', { runnerMetrics: metrics({ cachedInputTokens: 30 }) }),
    named('3', 'a', { runnerMetrics: { model: 'x', inputTokens: 1 } }),
    named('4', 'a', { runnerMetrics: { model: 'y', inputTokens: 0, outputTokens: 0 } }),
  )
  expect(files['header.json']).toMatchObject({
    stats: {
      model_usage: {
        x: {
          ...{ input_tokens: 2, output_tokens: 4, total_tokens: 103 },
          ...{ input_tokens_cache_read: 33, input_tokens_cache_write: 4, reasoning_tokens: 5 },
        },
        y: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
      },
    },
  })
})

it('a zip archive has a local header per entry and a directory at its end', () => {
  const zip = new ZipWriter()
  const content = Buffer.from('hello')
  const entry = zip.entry('ä', content)
  const second = zip.entry('b', Buffer.alloc(0))
  const end = zip.end()
  expect(entry.toString('hex', 0, 26)).toBe(
    `504b0304${'1400'}${'0008'}${'0800'}${'0000'}${'2100'}86a61036${'07000000'}${'05000000'}`,
  )
  expect(entry.readUInt16LE(26)).toBe(2)
  expect(entry.toString('utf8', 30, 32)).toBe('ä')
  expect(inflateRawSync(entry.subarray(32))).toEqual(content)
  const directory = 46 + 2 + 46 + 1
  expect(end.toString('latin1', 0, 4)).toBe('PK\x01\x02')
  expect(end.toString('hex', 4, 6)).toBe('1403')
  expect(end.readUInt32LE(42)).toBe(0)
  expect(end.toString('latin1', 48, 52)).toBe('PK\x01\x02')
  expect(end.readUInt32LE(48 + 42)).toBe(entry.length)
  expect(end.length).toBe(directory + 22)
  const tail = end.subarray(directory)
  expect(tail.toString('latin1', 0, 4)).toBe('PK\x05\x06')
  expect([tail.readUInt16LE(8), tail.readUInt16LE(10)]).toEqual([2, 2])
  expect([tail.readUInt32LE(12), tail.readUInt32LE(16)]).toEqual([
    directory,
    entry.length + second.length,
  ])
})
