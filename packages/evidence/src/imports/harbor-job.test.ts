import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { folder, removeLogs, time, write } from '../../test/imported-log.ts'
import { readHarbor } from './harbor.ts'
import { ImportSource } from './source.ts'

afterAll(removeLogs)

let count = 0

/** Writes the files of a job below its folder and reads it. */
async function job(files: Record<string, unknown>) {
  const name = `harbor-${count++}`
  const all = { 'config.json': { job_name: name }, 'result.json': { n_total_trials: 2, stats: {} } }
  for (const [file, content] of Object.entries({ ...all, ...files })) {
    write(`${name}/${file}`, content)
  }
  return { name, ...(await readHarbor(new ImportSource(path.join(folder, name), {}))) }
}

const trial = (more: object = {}) => ({ task_name: 'fix', started_at: time, ...more })
const trajectory = (message: string, more: object = {}) => ({
  agent: { name: 'a' },
  steps: [{ source: 'agent', message, tool_calls: [{ tool_call_id: message }] }],
  ...more,
})
const said = (attempt: { messages: { text: string }[] } | undefined) =>
  attempt?.messages.map(({ text }) => text)

describe('a job of Harbor', () => {
  it('has a configuration and a result of its own and gives one attempt per trial', async () => {
    const { suite, name, attempts, unmapped } = await job({
      'fix__1/config.json': {},
      'fix__1/result.json': trial(),
      'fix__1/agent/trajectory.json': trajectory('one'),
      'fix__2/config.json': {},
      'fix__2/result.json': trial(),
      'fix__2/agent/trajectory.json': trajectory('two'),
    })
    expect([suite, unmapped]).toEqual([name, {}])
    expect(attempts.map(({ mission, retry, calls }) => [mission, retry, calls.length])).toEqual([
      ['fix', 1, 1],
      ['fix', 2, 1],
    ])
  })

  it('belongs to the suite of its dataset, and tries count per agent', async () => {
    const of = (agent: string) => trial({ source: 'bench', agent_info: { name: agent } })
    const { suite, attempts } = await job({
      ...{ 'a/config.json': {}, 'a/result.json': of('x') },
      ...{ 'b/config.json': {}, 'b/result.json': of('y') },
      ...{ 'c/config.json': {}, 'c/result.json': of('x') },
    })
    expect(suite).toBe('bench')
    expect(attempts.map(({ agent, retry }) => [agent, retry])).toEqual([
      ['x', 1],
      ['y', 1],
      ['x', 2],
    ])
  })

  it('has trials that consist of a result alone', async () => {
    const exception = { exception_type: 'Timeout', exception_message: 'too slow' }
    const { attempts } = await job({
      'a/result.json': trial({ verifier_result: { rewards: { reward: 1 } } }),
      'b/result.json': trial({ trial_name: 'b', exception_info: exception }),
    })
    expect(attempts.map(({ outcome }) => outcome?.ok)).toEqual([true, false])
  })

  it('counts trials without a result or with a damaged one', async () => {
    const { attempts, unmapped } = await job({
      ...{ 'a/config.json': {}, 'a/result.json': trial() },
      ...{ 'b/config.json': {}, 'b/result.json': '{"task_na' },
      ...{ 'c/config.json': {}, 'c/agent/log.txt': '' },
    })
    expect(attempts).toHaveLength(1)
    expect(unmapped).toEqual({ 'trial with a damaged result': 1, 'trial without a result': 1 })
    await expect(job({ 'c/config.json': {}, 'c/trial.log': '' })).rejects.toMatchObject({
      code: 'ZCL_E_USAGE',
      message: expect.stringContaining('its trials have no result') as string,
    })
  })

  it('keeps a trial whose trajectory is damaged', async () => {
    const { attempts } = await job({
      ...{ 'a/config.json': {}, 'a/result.json': trial(), 'a/agent/trajectory.json': '{"st' },
      ...{ 'b/config.json': {}, 'b/result.json': trial(), 'b/agent/trajectory.json': [1] },
    })
    expect(attempts.map(({ unmapped }) => unmapped)).toEqual([
      { 'damaged trajectory': 1 },
      { 'damaged trajectory': 1 },
    ])
  })

  it('takes the calls, rewards, errors and usage of a trial with several steps', async () => {
    const used = { n_input_tokens: 10, n_cache_tokens: 4, n_output_tokens: 1 }
    const step_results = [
      { step_name: 'one', agent_result: used, verifier_result: { rewards: { reward: 1 } } },
      { step_name: 'two', agent_result: used, exception_info: { exception_message: 'late' } },
      { step_name: '../up' },
    ]
    const { attempts } = await job({
      'a/result.json': trial({ step_results, verifier_result: { rewards: { reward: 0.5 } } }),
      'a/steps/one/agent/trajectory.json': trajectory('first'),
      'a/steps/two/agent/trajectory.json': trajectory('second'),
      'a/up/agent/trajectory.json': trajectory('outside'),
    })
    const [attempt] = attempts
    expect(said(attempt)).toEqual(['first', 'second'])
    expect(attempt).toMatchObject({
      unmapped: {},
      numbers: { inputTokens: 12, cachedInputTokens: 8, outputTokens: 2, totalTokens: 22 },
      outcome: {
        ok: false,
        resultJson: {
          rewards: { reward: 0.5 },
          steps: { one: { reward: 1 }, two: {}, '../up': {} },
          error: 'late',
        },
      },
    })
  })

  it('takes the rewards that the verifier wrote as JSON', async () => {
    const { attempts } = await job({
      ...{ 'a/result.json': trial(), 'a/verifier/reward.json': { tests: 1 } },
      ...{ 'a/verifier/reward.txt': '0' },
    })
    expect(attempts[0]?.outcome).toEqual({ ok: true, resultJson: { rewards: { tests: 1 } } })
  })
})

describe('a trajectory that goes on in further files', () => {
  const copied = { source: 'agent', message: 'first', is_copied_context: true }
  const next = { steps: [copied, { source: 'agent', message: 'second' }] }

  async function read(files: Record<string, unknown>) {
    const inner = Object.entries(files).map(([name, content]) => [`a/agent/${name}`, content])
    const { attempts } = await job({ 'a/result.json': trial(), ...Object.fromEntries(inner) })
    return [said(attempts[0]), attempts[0]?.unmapped]
  }

  it('is one attempt without the copied steps', async () => {
    const files = {
      'trajectory.json': trajectory('first', {
        continued_trajectory_ref: 'trajectory.cont-1.json',
      }),
      'trajectory.cont-1.json': next,
    }
    expect(await read(files)).toEqual([['first', 'second'], { 'copied step': 1 }])
  })

  it.each([
    ['missing.json', {}],
    ['../../outside.json', {}],
    ['damaged.json', { 'damaged.json': '{' }],
    ['trajectory.json', {}],
  ])('ends if the next one is %s', async (continued_trajectory_ref, files) => {
    const first = trajectory('first', { continued_trajectory_ref })
    expect(await read({ '../../outside.json': next, 'trajectory.json': first, ...files })).toEqual([
      ['first'],
      { 'continuation without a file': 1 },
    ])
  })
})
