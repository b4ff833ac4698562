import { expect, test } from 'vitest'
import { flowsOfState, planOf, stepOf } from './stored.ts'

const step = { idempotencyKey: 'c:a:0', campaignId: 'c', flowId: 'a', missionIndex: 0 }

test('a plan of the original zcl has no flows, and its state names each once', () => {
  const missions = [{ missionIndex: 0, missionId: 'one' }]
  expect(planOf({ campaignId: 'c', missions }, 'plan')).toMatchObject({
    missions: ['one'],
    flows: [],
  })
  const flowRuns = [{ flowId: 'a', runId: 'r' }, { flowId: 'b' }, { flowId: 'a' }, null]
  expect(flowsOfState({ flowRuns }).map(({ flowId }) => flowId)).toEqual(['a', 'b'])
  expect(flowsOfState({ flowRuns: 'none' })).toEqual([])
})

test('a step of the original zcl has the run of its attempt, its reasons, and infra failures', () => {
  const attemptDir = '/work/.zcl/runs/20260301-090000Z-0a1b2c/attempts/001-one-r1'
  const failed = { ...step, runId: 'of the campaign', attemptDir, status: 'infra_failed' }
  expect(stepOf({ ...failed, reasonCodes: ['ZCL_E_TIMEOUT'] })).toMatchObject({
    runId: '20260301-090000Z-0a1b2c',
    outcome: 'infra',
    bucket: 'infra',
    codes: ['ZCL_E_TIMEOUT'],
  })
  expect(stepOf({ ...step, status: 'invalid', runId: 'r' })).toMatchObject({
    runId: 'r',
    outcome: 'failed',
    bucket: null,
  })
})
