import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { folder, removeLogs, time, write } from '../../test/imported-log.ts'
import { readHarbor } from './harbor.ts'
import { ImportSource } from './source.ts'

afterAll(removeLogs)

const read = (name: string) => readHarbor(new ImportSource(path.join(folder, name), {}))

let count = 0

/** The attempt of a job with one trial. */
async function trial(result: object, more: Record<string, unknown> = {}) {
  const job = `job-${count++}`
  write(`${job}/fix__1/result.json`, result)
  write(`${job}/fix__1/config.json`, {})
  for (const [name, content] of Object.entries(more)) write(`${job}/fix__1/${name}`, content)
  const { attempts } = await read(job)
  return attempts[0]
}

describe('readHarbor', () => {
  it('reads the result and the trajectory of each trial, in the order of their names', async () => {
    const steps = [
      { source: 'user', timestamp: '2026-03-31T10:00:00Z', message: 'Fix it.' },
      { source: 'agent', message: 'I look.', metrics: { prompt_tokens: 9, completion_tokens: 1 } },
    ]
    write('jobs/b__2/result.json', {
      task_name: 'fix',
      trial_name: 'b__2',
      agent_info: { name: 'codex', model_info: { name: 'gpt' } },
      agent_result: { n_input_tokens: 10, n_cache_tokens: 4, n_output_tokens: 2 },
      verifier_result: { rewards: { tests: 1, style: 2 } },
      started_at: time,
      finished_at: '2026-04-01T10:00:09Z',
      step_results: [{}, {}],
    })
    write('jobs/b__2/agent/trajectory.json', { agent: { name: 'x' }, steps })
    write('jobs/a__1/result.json', {
      task_name: 'fix',
      verifier_result: { rewards: { tests: 0.5 } },
    })
    write('jobs/a__1/agent/trajectory.json', { agent: { name: 'x' }, steps })
    write('jobs/deep/er/c__3/result.json', {})
    write('jobs/deep/er/c__3/verifier/log.txt', '')
    write('jobs/deep/er/too/deep/result.json', {})
    write('jobs/deep/er/too/deep/config.json', {})
    write('jobs/result.json', { stats: {} })
    expect(await read('jobs')).toEqual({
      attempts: [
        {
          agent: 'x',
          calls: [],
          endedAt: '2026-03-31T10:00:00Z',
          messages: [
            {
              afterCalls: 0,
              kind: 'text',
              role: 'user',
              text: 'Fix it.',
              ts: '2026-03-31T10:00:00Z',
            },
            { afterCalls: 0, kind: 'text', role: 'assistant', text: 'I look.', ts: '' },
          ],
          mission: 'fix',
          numbers: {
            cachedInputTokens: undefined,
            inputTokens: 9,
            outputTokens: 1,
            toolCalls: 0,
            totalTokens: 10,
          },
          outcome: { ok: false, resultJson: { rewards: { tests: 0.5 } } },
          prompt: 'Fix it.',
          retry: 1,
          sourceId: 'a__1',
          startedAt: '2026-03-31T10:00:00Z',
          unmapped: {},
        },
        {
          agent: 'codex',
          calls: [],
          endedAt: '2026-04-01T10:00:09Z',
          messages: [
            {
              afterCalls: 0,
              kind: 'text',
              role: 'user',
              text: 'Fix it.',
              ts: '2026-03-31T10:00:00Z',
            },
            { afterCalls: 0, kind: 'text', role: 'assistant', text: 'I look.', ts: '' },
          ],
          mission: 'fix',
          numbers: {
            cachedInputTokens: 4,
            inputTokens: 6,
            model: 'gpt',
            outputTokens: 2,
            toolCalls: 0,
            totalTokens: 12,
          },
          outcome: { ok: true, resultJson: { rewards: { style: 2, tests: 1 } } },
          prompt: 'Fix it.',
          retry: 1,
          sourceId: 'b__2',
          startedAt: '2026-04-01T10:00:00.000Z',
          unmapped: { 'step result': 2 },
        },
        {
          agent: undefined,
          calls: [],
          endedAt: undefined,
          messages: [],
          mission: 'c__3',
          numbers: {},
          outcome: undefined,
          retry: 1,
          sourceId: 'c__3',
          startedAt: undefined,
          unmapped: { 'trial without a trajectory': 1 },
        },
      ],
      createdAt: '2026-03-31T10:00:00Z',
      suite: 'jobs',
      unmapped: {},
    })
  })

  it('reads the folder of one trial', async () => {
    write('single/result.json', { task_name: 'fix' })
    write('single/config.json', {})
    const { suite, attempts } = await read('single')
    expect([suite, attempts.map(({ sourceId }) => sourceId)]).toEqual(['single', ['single']])
  })

  it('refuses a folder without a trial', async () => {
    write('empty/result.json', { stats: {} })
    await expect(read('empty')).rejects.toMatchObject({
      code: 'ZCL_E_USAGE',
      message: `${path.join(folder, 'empty')} holds no trial of Harbor (result.json)`,
    })
  })

  const stated = (reward: unknown) => ({ verifier_result: { rewards: { reward } } })
  const error = { exception_info: { exception_message: 'no docker' } }
  it.each([
    ['a reward of 1', stated(1), {}, { ok: true, resultJson: { rewards: { reward: 1 } } }],
    ['a lower reward', stated(0.99), {}, { ok: false, resultJson: { rewards: { reward: 0.99 } } }],
    [
      'a reward that is a text',
      stated('1'),
      {},
      { ok: false, resultJson: { rewards: { reward: '1' } } },
    ],
    [
      'one of two rewards',
      { verifier_result: { rewards: { a: 1, b: 0 } } },
      {},
      { ok: false, resultJson: { rewards: { a: 1, b: 0 } } },
    ],
    [
      'a reward and an error',
      { ...stated(1), ...error },
      {},
      { ok: true, resultJson: { rewards: { reward: 1 }, error: 'no docker' } },
    ],
    ['nothing', {}, {}, undefined],
    [
      'an error only',
      error,
      {},
      {
        ok: false,
        resultJson: { kind: 'infra_failure', code: 'HARBOR_ERROR', error: 'no docker' },
      },
    ],
    [
      'the file of the verifier',
      {},
      { 'verifier/reward.txt': ' 1\n' },
      { ok: true, resultJson: { rewards: { reward: 1 } } },
    ],
    [
      'its result before the file',
      stated(0),
      { 'verifier/reward.txt': '1' },
      { ok: false, resultJson: { rewards: { reward: 0 } } },
    ],
    ['a file without a number', {}, { 'verifier/reward.txt': 'passed' }, undefined],
  ])('grades a trial by %s', async (_, result, more, outcome) => {
    expect((await trial(result, more))?.outcome).toEqual(outcome)
  })

  it.each([
    [{}, {}],
    [{ n_input_tokens: 5 }, {}],
    [{ n_output_tokens: 5 }, {}],
    [
      { n_input_tokens: 5, n_output_tokens: 2 },
      { inputTokens: 5, cachedInputTokens: 0, outputTokens: 2, totalTokens: 7 },
    ],
    [
      { n_input_tokens: 5, n_cache_tokens: 8, n_output_tokens: 2 },
      { inputTokens: 0, cachedInputTokens: 8, outputTokens: 2, totalTokens: 7 },
    ],
  ])('counts the tokens of %j', async (agent_result, numbers) => {
    expect((await trial({ agent_result }))?.numbers).toEqual(numbers)
  })
})
