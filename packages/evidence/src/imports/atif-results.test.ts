import { expect, it } from 'vitest'
import { trajectoryAttempt } from './atif.ts'

const call = (id?: string) => ({ tool_call_id: id, function_name: 'bash' })
const result = (id: string | undefined, content: unknown, more: object = {}) => ({
  source_call_id: id,
  content,
  ...more,
})
const step = (calls: object[], results: object[], more: object = {}) => ({
  source: 'agent',
  tool_calls: calls,
  observation: { results },
  ...more,
})

function outputs(steps: object[], more: object = {}) {
  const { calls, unmapped } = trajectoryAttempt({ steps, ...more })
  return { outputs: calls.map(({ output }) => output), unmapped }
}

it.each([
  [
    'by their ids, in any order',
    [step([call('a'), call('b')], [result('b', 'of b'), result('a', 'of a')])],
    ['of a', 'of b'],
    {},
  ],
  [
    'and not to another call, if the call that they name is missing',
    [step([call('a'), call('b')], [result('x', 'of x'), result('b', 'of b')])],
    ['', 'of b'],
    { 'result without a call': 1 },
  ],
  [
    'in order without ids',
    [step([call(), call()], [result(undefined, 'one'), result(undefined, 'two')])],
    ['one', 'two'],
    {},
  ],
  [
    'in order, if only the calls have ids',
    [step([call('a'), call('b')], [result(undefined, 'one'), result('b', 'two')])],
    ['one', 'two'],
    {},
  ],
  [
    'joined, if a call has several',
    [step([call('a')], [result('a', 'one'), result('a', 'two'), result(undefined, 'three')])],
    ['one\ntwo'],
    { 'result without a call': 1 },
  ],
  [
    'joined, if the last call without a result has several',
    [
      step(
        [call('a'), call('b')],
        [1, 2, 3].map((n) => result(undefined, `${n}`)),
      ),
    ],
    ['1', '2\n3'],
    {},
  ],
  [
    'one each, if several calls have the same id',
    [step([call('a'), call('a')], [result('a', 'one'), result('a', 'two')])],
    ['one', 'two'],
    {},
  ],
  [
    'also of an earlier step',
    [step([call('a')], []), { source: 'system', observation: { results: [result('a', 'late')] } }],
    ['late'],
    {},
  ],
  [
    'of a step without calls to none',
    [step([], [result(undefined, 'lost')]), step([call('a')], [])],
    [''],
    { 'result without a call': 1 },
  ],
])('results of ATIF belong to calls %s', (_, steps, expected, unmapped) => {
  expect(outputs(steps)).toEqual({ outputs: expected, unmapped })
})

it('a result of ATIF without content is the last answer of its embedded subagent', () => {
  const agent = (message: string) => ({ source: 'agent', message })
  const subagents = [
    { trajectory_id: 't1', steps: [agent('first'), agent('last'), agent('')] },
    { trajectory_id: 't2', steps: [agent('other')] },
  ]
  const refers = (trajectory_id: string, content?: string) =>
    result('a', content, { subagent_trajectory_ref: [{ trajectory_id }] })
  const read = (...results: object[]) =>
    outputs([step([call('a')], results)], { subagent_trajectories: subagents })
  expect(read(refers('t1'))).toEqual({
    outputs: ['last'],
    unmapped: { 'subagent trajectory': 2 },
  })
  expect(read(refers('t1', 'said'))).toMatchObject({ outputs: ['said'] })
  expect(read(refers('missing'))).toEqual({
    outputs: [''],
    unmapped: { 'subagent trajectory': 3 },
  })
})

it('a result of ATIF that names no subagent has no answer of a subagent without a name', () => {
  const refers = result('a', undefined, { subagent_trajectory_ref: [{}] })
  const subagent_trajectories = [{ steps: [{ source: 'agent', message: 'said' }] }]
  expect(outputs([step([call('a')], [refers])], { subagent_trajectories })).toMatchObject({
    outputs: [''],
  })
})

it('a failed result of ATIF marks its call only', () => {
  const failed = result('b', 'no', { extra: { tool_result_is_error: true } })
  const { calls } = trajectoryAttempt({
    steps: [step([call('a'), call('b')], [result('a', 'yes'), failed])],
  })
  expect(calls.map(({ isError }) => isError)).toEqual([false, true])
})

it('parts of results other than text are counted', () => {
  const parts = [{ type: 'text', text: 'x' }, { type: 'image' }]
  expect(outputs([step([call('a')], [result('a', parts)])])).toEqual({
    outputs: ['x'],
    unmapped: { 'content image': 1 },
  })
})
