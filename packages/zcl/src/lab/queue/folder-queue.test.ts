import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openFolderQueue } from './folder-queue.ts'
import type { Lease, QueuedJob } from './job-queue.ts'

let folder: string
beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(tmpdir(), 'zcl-queue-')), 'q')
})
afterEach(() => rmSync(path.dirname(folder), { recursive: true, force: true }))

const jobs = (count: number): QueuedJob[] =>
  Array.from({ length: count }, (_, index) => ({ runId: 'r', slot: index + 1, missionId: 'm' }))

async function leaseOf(queue: Awaited<ReturnType<typeof openFolderQueue>>): Promise<Lease> {
  const lease = await queue.lease()
  if (typeof lease === 'string') throw new Error(lease)
  return lease
}

test('the folder queue leases jobs in order, each to one holder, and is empty when all are complete', async () => {
  const queue = await openFolderQueue(folder)
  expect(await queue.lease()).toBe('empty')
  await queue.enqueue(jobs(3))
  const other = await openFolderQueue(folder)
  const leases = [await leaseOf(queue), await leaseOf(other), await leaseOf(queue)]
  expect(leases.map(({ job }) => job.slot)).toEqual([1, 2, 3])
  expect(await queue.lease()).toBe('busy')
  for (const lease of leases) {
    expect(await lease.heartbeat()).toBe(true)
    await lease.complete()
  }
  expect(await other.lease()).toBe('empty')
  expect(await leases[0]?.heartbeat()).toBe(false)
})

test('the folder queue leases a failed job again before the others and counts its deliveries', async () => {
  const queue = await openFolderQueue(folder)
  await queue.enqueue(jobs(2))
  const lease = await leaseOf(queue)
  await lease.fail()
  const again = await leaseOf(queue)
  expect([again.job.slot, again.deliveries]).toEqual([1, 1])
  await again.complete()
  expect((await leaseOf(queue)).job.slot).toBe(2)
})

test('the folder queue leases every job once to twenty concurrent holders', async () => {
  const queue = await openFolderQueue(folder)
  await queue.enqueue(jobs(60))
  const seen: number[] = []
  const holder = async () => {
    for (;;) {
      const lease = await queue.lease()
      if (lease === 'empty') return
      if (lease === 'busy') {
        // A worker pauses too: polling without a pause would starve the holders of the queue lock.
        await new Promise((resolve) => setTimeout(resolve, 10))
        continue
      }
      seen.push(lease.job.slot)
      await lease.complete()
    }
  }
  await Promise.all(Array.from({ length: 20 }, holder))
  expect(seen.sort((a, b) => a - b)).toEqual(jobs(60).map(({ slot }) => slot))
})

test('the folder queue leases nothing after drain, and is removed only when no job is left', async () => {
  const queue = await openFolderQueue(folder)
  await queue.enqueue(jobs(5))
  const lease = await leaseOf(queue)
  await queue.drain()
  expect(await queue.lease()).toBe('busy')
  await lease.complete()
  expect(await queue.lease()).toBe('empty')
  await queue.enqueue(jobs(1))
  expect(await queue.removeIfEmpty()).toBe(false)
  const last = await leaseOf(queue)
  expect([last.job.slot, await queue.removeIfEmpty()]).toEqual([1, false])
  await last.complete()
  expect(await queue.removeIfEmpty()).toBe(true)
  expect(await queue.lease()).toBe('empty')
  expect(readdirSync(path.dirname(folder))).toEqual([])
})
