import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCrowd } from '../contract/zcl-lab/crowd.ts'
import { LabProject } from '../contract/zcl-lab/lab-project.ts'
import { startRedis } from '../services/redis-server.ts'

let lab: LabProject
beforeEach(() => {
  lab = new LabProject()
})
afterEach(() => lab.remove())

const size = { attempts: 1000, workers: 8, kills: 120, deadlineMs: 1_800_000 }
/** Every third mission fails: what one process alone would count. */
const totals = { wrong: [], passed: 667, failed: 333, infra: 0, pending: 0 }

test('1,000 attempts, 8 workers killed at random, over the embedded queue', async () => {
  expect(await runCrowd(lab, { ...size, queue: [] })).toMatchObject(totals)
})

test('1,000 attempts, 8 workers killed at random, over Redis', async () => {
  const redis = await startRedis()
  try {
    const queue = ['--queue', redis.url, '--lease-ms', '3000']
    expect(await runCrowd(lab, { ...size, queue })).toMatchObject(totals)
  } finally {
    await redis.stop()
  }
})
