import { afterAll, describe, expect, it } from 'vitest'
import { ZipWriter } from '../exports/zip-writer.ts'
import { removeLogs, sourceOf, time } from '../../test/imported-log.ts'
import { readInspect } from './inspect.ts'

afterAll(removeLogs)

let count = 0
const read = (content: unknown) => readInspect(sourceOf(`inspect-${count++}.json`, content))

async function one(sample: object, spec: object = {}) {
  const { attempts } = await read({ eval: spec, samples: [sample] })
  return attempts[0]
}

function zipped(files: Record<string, unknown>) {
  const zip = new ZipWriter()
  const parts = Object.entries(files).map(([name, content]) =>
    zip.entry(name, Buffer.from(JSON.stringify(content))),
  )
  return Buffer.concat([...parts, zip.end()])
}

const whole = {
  id: 'one',
  epoch: 2,
  uuid: 'u1',
  started_at: time,
  completed_at: '2026-04-01T10:00:05Z',
  input: [
    { role: 'user', content: 'first' },
    { role: 'user', content: [{ type: 'text', text: 'last' }] },
    { role: 'assistant', content: 'no' },
  ],
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'last' },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', reasoning: 'I think.', summary: 'no' },
        { type: 'reasoning', summary: 'In short.' },
        { type: 'text', text: 'I call.' },
        { type: 'image' },
      ],
      tool_calls: [
        { id: 'c1', function: 'add', arguments: { x: 1 } },
        { id: 'c2' },
        { id: 'c3', function: 'stop' },
      ],
    },
    { role: 'tool', tool_call_id: 'c1', content: '2', error: null },
    { role: 'tool', tool_call_id: 'c2', content: 'no', error: { message: 'broken' } },
    { role: 'assistant', content: '2' },
    { role: 'critic', content: 'x' },
    { content: 'x' },
  ],
  events: [
    { event: 'tool', id: 'c1', timestamp: time, completed: '2026-04-01T10:00:02Z' },
    { event: 'tool', id: 'c2', timestamp: time },
    ...['model', 'state', 'score', 'sample_init', 'span_begin', 'span_end', 'step'].map(
      (event) => ({
        event,
      }),
    ),
    { event: 'sandbox' },
    {},
  ],
  scores: { match: { value: 'C', answer: '2' }, judge: { value: 0.5 } },
  model_usage: {
    a: {
      input_tokens: 10,
      output_tokens: 5,
      total_tokens: 15,
      input_tokens_cache_read: 3,
      input_tokens_cache_write: 2,
      reasoning_tokens: 1,
    },
    b: { input_tokens: 7, output_tokens: 1, total_tokens: 8, note: 'x' },
  },
}

describe('readInspect', () => {
  it('reads messages, calls, scores, usage and times of a sample', async () => {
    const spec = { task: 'pkg/sums', created: time, model: 'openai/gpt', solver: 'react' }
    expect(await read({ eval: spec, samples: [whole] })).toEqual({
      attempts: [
        {
          agent: 'react',
          calls: [
            {
              durationMs: 2000,
              input: { x: 1 },
              isError: false,
              op: 'add',
              output: '2',
              tool: 'inspect',
              ts: '2026-04-01T10:00:00.000Z',
            },
            {
              durationMs: undefined,
              input: {},
              isError: true,
              op: 'tool',
              output: 'broken',
              tool: 'inspect',
              ts: '2026-04-01T10:00:00.000Z',
            },
            {
              durationMs: undefined,
              input: {},
              isError: false,
              op: 'stop',
              output: '',
              tool: 'inspect',
              ts: '',
            },
          ],
          endedAt: '2026-04-01T10:00:05Z',
          messages: [
            { afterCalls: 0, kind: 'text', role: 'system', text: 'Be brief.', ts: '' },
            { afterCalls: 0, kind: 'text', role: 'user', text: 'last', ts: '' },
            { afterCalls: 0, kind: 'thinking', role: 'assistant', text: 'I think.', ts: '' },
            { afterCalls: 0, kind: 'thinking', role: 'assistant', text: 'In short.', ts: '' },
            { afterCalls: 0, kind: 'text', role: 'assistant', text: 'I call.', ts: '' },
            { afterCalls: 3, kind: 'text', role: 'assistant', text: '2', ts: '' },
          ],
          mission: 'one',
          numbers: {
            cacheWriteTokens: 2,
            cachedInputTokens: 3,
            inputTokens: 17,
            model: 'openai/gpt',
            modelCalls: 2,
            outputTokens: 6,
            reasoningOutputTokens: 1,
            toolCalls: 3,
            totalTokens: 28,
          },
          outcome: { ok: false, resultJson: { answer: '2', scores: { judge: 0.5, match: 'C' } } },
          prompt: 'last',
          retry: 2,
          sourceId: 'u1',
          startedAt: '2026-04-01T10:00:00.000Z',
          unmapped: {
            'content image': 1,
            'event ': 1,
            'event sandbox': 1,
            'message critic': 1,
            'message without role': 1,
          },
        },
      ],
      createdAt: '2026-04-01T10:00:00.000Z',
      suite: 'sums',
      unmapped: {},
    })
  })

  it('reads a log without a task, ids or samples', async () => {
    expect(await read({ samples: [{}] })).toEqual({
      suite: 'inspect',
      createdAt: undefined,
      attempts: [
        {
          mission: 'sample',
          retry: 1,
          agent: 'inspect',
          messages: [],
          calls: [],
          numbers: { toolCalls: 0 },
          unmapped: {},
        },
      ],
      unmapped: {},
    })
    expect((await read({ samples: 'x' })).attempts).toEqual([])
  })

  it('reads a zip with a header, or with the start of a journal', async () => {
    const samples = { 'samples/2_epoch_1.json': { id: 2 }, 'samples/1.json': { id: 1 } }
    const others = {
      'summaries.json': [],
      'x/samples/3.json': { id: 3 },
      'samples/4.txt': { id: 4 },
    }
    const start = { '_journal/start.json': { eval: { task: 'started' } } }
    const header = { 'header.json': { eval: { task: 'a/b/headed' } } }
    const suites = []
    for (const more of [{ ...start, ...header }, { ...start, 'header.json': {} }, start, {}]) {
      const file = sourceOf(`zip-${count++}.eval`, '')
      const bytes = zipped({ ...samples, ...others, ...more })
      Object.defineProperty(file, 'bytes', { value: () => bytes })
      const { suite, attempts } = await readInspect(file)
      suites.push([suite, ...attempts.map(({ mission }) => mission)])
    }
    expect(suites).toEqual([
      ['headed', '2', '1'],
      ['started', '2', '1'],
      ['started', '2', '1'],
      ['inspect', '2', '1'],
    ])
  })

  const error = { message: 'no model' }
  const failed = {
    ok: false,
    resultJson: { kind: 'infra_failure', code: 'INSPECT_ERROR', error: 'no model' },
  }
  it.each([
    [{ scores: { a: { value: 'C' } } }, { ok: true, resultJson: { scores: { a: 'C' } } }],
    [
      { scores: { a: { value: 1 }, b: { value: 0 } } },
      { ok: false, resultJson: { scores: { a: 1, b: 0 } } },
    ],
    [{ scores: { a: { value: 1 }, b: { value: 'x' } } }, undefined],
    [{ scores: { a: { value: 'x' } }, error }, failed],
    [{ scores: {}, error }, failed],
    [{}, undefined],
    [
      { scores: { a: { value: 1, answer: '2' } }, error },
      { ok: true, resultJson: { scores: { a: 1 }, answer: '2', error: 'no model' } },
    ],
  ])('grades %j', async (sample, outcome) => {
    expect((await one(sample))?.outcome).toEqual(outcome)
  })

  it.each([
    ['go', 'go'],
    [[{ role: 'system', content: 'go' }], undefined],
    [[{ role: 'user', content: 'go' }], 'go'],
    [7, undefined],
  ])('takes the prompt from the input %j', async (input, prompt) => {
    expect((await one({ input }))?.prompt).toBe(prompt)
  })
})

it('a zip of Inspect has the last of two samples with one name, and counts damaged ones', async () => {
  const zip = new ZipWriter()
  const entries = [
    zip.entry('samples/a.json', Buffer.from('{"id":"first"}')),
    zip.entry('samples/b.json', Buffer.from('{"id":')),
    zip.entry('samples/a.json', Buffer.from('{"id":"last"}')),
  ]
  const file = sourceOf('twice.eval', '')
  const bytes = Buffer.concat([...entries, zip.end()])
  Object.defineProperty(file, 'bytes', { value: () => bytes })
  const { attempts, unmapped } = await readInspect(file)
  expect(attempts.map(({ mission }) => mission)).toEqual(['last'])
  expect(unmapped).toEqual({ 'damaged sample': 1 })
})
