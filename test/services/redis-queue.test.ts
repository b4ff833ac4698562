// The lab's queue on a real Redis server.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runAlone, runCrowd } from '../contract/zcl-lab/crowd.ts'
import { fromFile, LabProject, quickRunner } from '../contract/zcl-lab/lab-project.ts'
import { until } from '../contract/zcl/project.ts'
import { startRedis, type RedisServer } from './redis-server.ts'

let redis: RedisServer
let lab: LabProject
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.stop())
beforeEach(() => {
  lab = new LabProject()
})
afterEach(() => lab.remove())

describe('a queue on Redis', () => {
  test('gives the same totals as the embedded queue', async () => {
    const flags = [...fromFile, '--allow-unproven', '--total', '5', '--parallel', '2']
    const redisRun = await lab.suiteRun([...flags, '--queue', redis.url], quickRunner)
    const folderRun = await lab.suiteRun(flags, quickRunner)
    expect([redisRun.code, redisRun.json.passed]).toEqual([0, 5])
    const essence = ({ json }: typeof redisRun) =>
      json.attempts.map(({ attemptId, outcome }) => [attemptId, outcome])
    expect(essence(redisRun)).toEqual(essence(folderRun))
    expect(redisRun.json.comparabilityKey).toBe(folderRun.json.comparabilityKey)
  })

  test('counts one outcome per planned attempt when workers are killed at random', async () => {
    const queue = ['--queue', redis.url, '--lease-ms', '1000']
    const crowd = { attempts: 40, workers: 4, kills: 8, queue, deadlineMs: 120_000 }
    const result = await runCrowd(lab, crowd)
    expect(result.wrong).toEqual([])
    expect(result.killed).toBeGreaterThan(0)
    expect(result.totals).toMatchObject({ passed: 28, failed: 12, infra: 0, pending: 0 })
    expect(result.totals).toEqual(await runAlone(lab, crowd.attempts))
  }, 180_000)

  test('has no jobs after an interrupted run and no keys after a finished run', async () => {
    const client = new Redis(redis.url)
    const body =
      '[ -f go ] || { touch started; sleep 60; }; echo \'{"ok":true,"n":1}\' > "$ZCL_OUT_DIR/mission.result.json"'
    const options = [...fromFile, '--allow-unproven', '--total', '3']
    const flags = ['--file', lab.suite(), ...options, '--queue', redis.url]
    const started = path.join(lab.folder, 'started')
    const ran = await lab.zcl(['suite', 'run', '--json', ...flags, '--', lab.agent(body)], {
      onStart: (child) =>
        void until(() => existsSync(started), 'the runner').then(() => child.kill('SIGTERM')),
    })
    const { runId } = lab.answerOf(ran).json
    expect(ran.code).toBe(143)
    const queue = new Queue(`zcl-${runId}`, { connection: { url: redis.url } })
    expect(await queue.getJobCounts('wait', 'active')).toEqual({ wait: 0, active: 0 })
    await queue.close()
    lab.write('go', '')
    const resumed = await lab.resume(runId, ['--queue', redis.url])
    expect(resumed.json.passed).toBe(3)
    expect(await client.keys(`*${runId}*`)).toEqual([])
    client.disconnect()
  })

  test('can be used to resume a failed run', async () => {
    const queue = ['--queue', redis.url]
    const run = await lab.suiteRun([...queue, '--total', '2'], ['./absent'])
    expect(run.json.infra).toBe(2)
    const resumed = await lab.resume(run.json.runId, queue)
    expect(resumed.json.attempts.map(({ retry }) => retry)).toEqual([2, 2])
  })
})

test('`zcl suite run --queue` prints one line and exits 1 when Redis does not answer', async () => {
  const args = ['suite', 'run', '--file', lab.suite(), '--queue', 'redis://:secret@127.0.0.1:1']
  const ran = await lab.zcl([...args, '--', 'true'])
  expect([ran.code, ran.err]).toMatchObject([
    1,
    /^ZCL_E_QUEUE: cannot reach the queue at [^\n]*\n$/,
  ])
  expect(ran.err).not.toContain('secret')
})
