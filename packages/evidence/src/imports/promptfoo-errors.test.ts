import { afterAll, describe, expect, it } from 'vitest'
import { removeLogs, sourceOf, time } from '../../test/imported-log.ts'
import { readPromptfoo } from './promptfoo.ts'

afterAll(removeLogs)

let count = 0
const read = (results: unknown) =>
  readPromptfoo(sourceOf(`errors-${count++}.json`, { results: { timestamp: time, results } }))

/** A result as promptfoo 0.123 writes it: a provider and a prompt are a column. */
function result(more: object = {}) {
  return {
    prompt: { raw: 'Say hi', label: 'Say {{word}}' },
    promptId: 'p1',
    promptIdx: 0,
    provider: { id: 'echo', label: '' },
    success: true,
    failureReason: 0,
    gradingResult: { pass: true, score: 1, reason: 'All assertions passed' },
    testCase: { vars: { word: 'hi' }, assert: [{ type: 'contains', value: 'hi' }] },
    testIdx: 0,
    response: { output: 'Say hi' },
    ...more,
  }
}

const failed = { success: false, score: 0, gradingResult: null }
const infra = (error: string) => ({
  ok: false,
  resultJson: { kind: 'infra_failure', code: 'PROMPTFOO_ERROR', error },
})

describe('a result of promptfoo', () => {
  it.each([
    ['quota exceeded', { failureReason: 2, error: 'quota exceeded' }],
    [
      'timed out after 800ms',
      { failureReason: 2, error: 'timed out after 800ms', response: undefined },
    ],
    ['old', { failureReason: undefined, error: 'old' }],
    ['inner', { failureReason: 2, response: { error: 'inner' } }],
    ['grader lost', { failureReason: 2, error: 'grader lost', gradingResult: { pass: false } }],
  ])('with the error %j is an infra failure', async (error, more) => {
    const { attempts } = await read([result({ ...failed, ...more })])
    expect(attempts[0]?.outcome).toEqual(infra(error))
  })

  it.each([
    ['a failed assertion', { failureReason: 1, error: 'no hi', gradingResult: { pass: false } }],
    ['an assertion that throws', { failureReason: 1, error: 'it threw', gradingResult: null }],
    ['no reason', { failureReason: undefined, error: 'x', gradingResult: { pass: false } }],
  ])('with %s is a failure of the agent', async (_, more) => {
    const { attempts } = await read([result({ ...failed, ...more })])
    expect(attempts[0]?.outcome).toMatchObject({ ok: false, resultJson: { error: more.error } })
  })

  it('belongs to the mission of its variables and assertions, also when it is repeated', async () => {
    const other = { vars: { word: 'ho' }, assert: [] }
    const named = { description: 'greets', vars: { word: 'hi' } }
    const results = [
      result(),
      result({ promptId: 'p2', promptIdx: 1 }),
      result({ provider: { id: 'claude' }, promptIdx: 2 }),
      result({ testIdx: 1, testCase: other }),
      result({ testIdx: 2 }),
      result({ testIdx: 3, testCase: other }),
      result({ testIdx: 4, testCase: named }),
      result({ testIdx: 5, testCase: { ...named, vars: { word: 'x' } } }),
      result({ testIdx: 6, testCase: named }),
    ]
    const { attempts } = await read(results)
    expect(attempts.map(({ mission, retry }) => `${mission} r${retry}`)).toEqual([
      'test 1 r1',
      'test 1 r1',
      'test 1 r1',
      'test 2 r1',
      'test 1 r2',
      'test 2 r2',
      'greets r1',
      'greets 6 r1',
      'greets r2',
    ])
  })

  it('has the calls that its provider ran', async () => {
    const toolCalls = [
      { id: 't1', name: 'Bash', input: { command: 'ls' }, output: 'a.txt', is_error: false },
      { id: 't2', name: 'Read', input: {}, output: { text: 'no' }, is_error: true },
      {},
    ]
    const { attempts } = await read([
      result({ response: { output: 'done', metadata: { toolCalls } } }),
    ])
    expect(
      attempts[0]?.calls.map(({ op, input, output, isError }) => [op, input, output, isError]),
    ).toEqual([
      ['Bash', { command: 'ls' }, 'a.txt', false],
      ['Read', {}, '{"text":"no"}', true],
      ['tool', {}, '', false],
    ])
  })

  it('may be a line of JSON lines, of which damaged ones are counted', async () => {
    const line = JSON.stringify(result())
    const file = sourceOf('results.jsonl', `${line}\n{"promptIdx":\n\n${line}`)
    const { attempts, unmapped } = await readPromptfoo(file)
    expect(attempts.map(({ mission, retry }) => [mission, retry])).toEqual([
      ['test 1', 1],
      ['test 1', 2],
    ])
    expect(unmapped).toEqual({ 'damaged line': 1 })
    const { attempts: one } = await readPromptfoo(sourceOf('result.jsonl', `${line}\n`))
    expect(one).toHaveLength(1)
  })
})
