import { afterAll, describe, expect, it } from 'vitest'
import { removeLogs, sourceOf } from '../../test/imported-log.ts'
import { readInspect } from './inspect.ts'

afterAll(removeLogs)

let count = 0

async function one(sample: object) {
  const log = { eval: {}, samples: [sample] }
  const { attempts } = await readInspect(sourceOf(`events-${count++}.json`, log))
  return attempts[0]
}

const at = (second: number) => `2026-04-01T10:00:0${second}.000Z`
const tool = (id: string, second: number, more: object = {}) => ({
  event: 'tool',
  id,
  function: 'count',
  arguments: { what: id },
  result: `of ${id}`,
  timestamp: at(second),
  completed: at(second + 1),
  ...more,
})
const model = (content: unknown, second: number, more: object = {}) => ({
  event: 'model',
  timestamp: at(second),
  output: { choices: [{ message: { role: 'assistant', content } }] },
  ...more,
})
const user = { role: 'user', content: 'Count.' }
const asking = (...ids: string[]) => ({
  role: 'assistant',
  content: `asks ${ids.join()}`,
  tool_calls: ids.map((id) => ({ id, function: 'count', arguments: {} })),
})
const callsOf = (attempt: Awaited<ReturnType<typeof one>>) =>
  attempt?.calls.map(({ op, output, isError, durationMs }) => [op, output, isError, durationMs])

describe('a sample of Inspect', () => {
  it('whose messages lack the answers has those of its events, with the calls', async () => {
    const content = [
      { type: 'reasoning', reasoning: 'hm' },
      { type: 'text', text: 'I count.' },
    ]
    const failed = { error: { message: 'broken' }, result: '' }
    const events = [model(content, 0), tool('a', 1), tool('b', 3, failed), model('Done.', 5)]
    const attempt = await one({ messages: [user], events })
    expect(callsOf(attempt)).toEqual([
      ['count', 'of a', false, 1000],
      ['count', 'broken', true, 1000],
    ])
    expect(attempt?.messages.map(({ kind, text, afterCalls }) => [kind, text, afterCalls])).toEqual(
      [
        ['text', 'Count.', 0],
        ['thinking', 'hm', 0],
        ['text', 'I count.', 0],
        ['text', 'Done.', 2],
      ],
    )
    expect(attempt).toMatchObject({ numbers: { modelCalls: 2, toolCalls: 2 }, unmapped: {} })
  })

  it('whose messages lack some calls has them at their times', async () => {
    const messages = [user, asking('c'), { role: 'assistant', content: 'Done.' }]
    const events = [tool('a', 1), tool('b', 3), tool('c', 5), tool('d', 7)]
    const attempt = await one({ messages, events })
    expect(attempt?.calls.map(({ input, ts }) => [input, ts.slice(17, 19)])).toEqual([
      [{ what: 'a' }, '01'],
      [{ what: 'b' }, '03'],
      [{}, '05'],
      [{ what: 'd' }, '07'],
    ])
    expect(attempt?.messages.map(({ text, afterCalls }) => [text, afterCalls])).toEqual([
      ['Count.', 0],
      ['asks c', 0],
      ['Done.', 3],
    ])
  })

  it('counts a call of its messages once, and the calls within a tool apart', async () => {
    const span = (id: string, parent_id: string | null, type: string) => ({
      event: 'span_begin',
      ...{ id, parent_id, type },
    })
    const events = [
      span('s', null, 'solvers'),
      span('t', 's', 'tool'),
      tool('a', 1, { span_id: 't' }),
      span('g', 't', 'agent'),
      model('inner', 2, { span_id: 'g' }),
      tool('x', 2, { span_id: 'g' }),
      span('u', 'g', 'tool'),
      tool('y', 3, { span_id: 'u' }),
      tool('b', 4, { span_id: 's' }),
    ]
    const attempt = await one({ messages: [user, asking('a')], events })
    expect(callsOf(attempt)?.map(([, output]) => output)).toEqual(['', 'of b'])
    expect(attempt?.unmapped).toEqual({ 'call within a tool': 2 })
    const without = await one({ messages: [user], events })
    expect(without?.messages.map(({ text }) => text)).toEqual(['Count.'])
    expect(callsOf(without)).toHaveLength(2)
  })

  it('survives spans that contain each other', async () => {
    const span = (id: string, parent_id: string) => ({ event: 'span_begin', id, parent_id })
    const events = [span('a', 'b'), span('b', 'a'), tool('x', 1, { span_id: 'a' })]
    expect(callsOf(await one({ events }))).toHaveLength(1)
  })

  it('has the texts of its attachments', async () => {
    const hash = 'c533a06f39d61069c4b7d27e55fd448d'
    const events = [tool('a', 1, { result: `attachment://${hash}` })]
    const messages = [{ role: 'user', content: `See attachment://${hash} and attachment://x` }]
    const attempt = await one({ messages, events, attachments: { [hash]: 'the text' } })
    expect([attempt?.messages[0]?.text, attempt?.calls[0]?.output]).toEqual([
      'See the text and attachment://x',
      'the text',
    ])
  })

  it('counts the errors before its retries', async () => {
    const attempt = await one({ error_retries: [{}, {}], events: [{ event: 'error' }] })
    expect(attempt?.unmapped).toEqual({ 'error before a retry': 2 })
  })

  it('may have a score that is no number', async () => {
    const text = '{"eval":{},"samples":[{"scores":{"a":{"value":NaN},"b":{"value":"C"}}}]}'
    const { attempts } = await readInspect(sourceOf('nan.json', `\ufeff \n${text}`))
    expect(attempts[0]?.outcome).toEqual({ ok: true, resultJson: { scores: { a: null, b: 'C' } } })
  })
})
