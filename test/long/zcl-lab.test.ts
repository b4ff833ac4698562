// Suite runs whose workers are killed at random, over both queues.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runAlone, runCrowd, type CrowdResult } from '../contract/zcl-lab/crowd.ts'
import { LabProject } from '../contract/zcl-lab/lab-project.ts'
import { startRedis } from '../services/redis-server.ts'

let lab: LabProject
beforeEach(() => {
  lab = new LabProject()
})
afterEach(() => lab.remove())

const size = { attempts: 1000, workers: 8, kills: 120, deadlineMs: 1_800_000 }

async function expectTotalsOfOneProcess(crowd: CrowdResult): Promise<void> {
  const { killed, abandoned, wrong, totals } = crowd
  const { passed, failed, infra, pending } = totals
  const figures = { killed, abandoned, passed, failed, infra, pending }
  process.stdout.write(`${expect.getState().currentTestName}: ${JSON.stringify(figures)}\n`)
  expect(wrong).toEqual([])
  expect(killed).toBeGreaterThan(size.kills / 2)
  expect(figures).toMatchObject({ passed: 700, failed: 300, infra: 0, pending: 0 })
  expect(totals).toEqual(await runAlone(lab, size.attempts))
}

test('1,000 attempts over the embedded queue with randomly killed workers give the totals of one process', async () => {
  await expectTotalsOfOneProcess(await runCrowd(lab, { ...size, queue: [] }))
})

test('1,000 attempts over Redis with randomly killed workers give the totals of one process', async () => {
  const redis = await startRedis()
  try {
    const queue = ['--queue', redis.url, '--lease-ms', '3000']
    await expectTotalsOfOneProcess(await runCrowd(lab, { ...size, queue }))
  } finally {
    await redis.stop()
  }
})
