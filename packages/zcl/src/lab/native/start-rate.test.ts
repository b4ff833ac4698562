import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { systemClock } from '@zee/core/clock'
import { afterAll, expect, test } from 'vitest'
import { waitForStart } from './start-rate.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'zcl-start-rate-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const { signal } = new AbortController()

test('starts of a run are at least the interval apart', async () => {
  const now = new Date('2026-05-01T12:00:00Z')
  const clock = { ...systemClock, now: () => now }
  await Promise.all([1, 2, 3].map(() => waitForStart(folder, 40, { clock, signal })))
  const latest = Number(readFileSync(path.join(folder, 'native-start'), 'utf8'))
  expect(latest).toBe(now.getTime() + 80)
})

test('a damaged file delays no start, and a waiting start can be interrupted', async () => {
  writeFileSync(path.join(folder, 'native-start'), 'no number')
  await waitForStart(folder, 60_000, { clock: systemClock, signal })
  const abort = new AbortController()
  const waiting = waitForStart(folder, 60_000, { clock: systemClock, signal: abort.signal })
  abort.abort()
  await expect(waiting).rejects.toThrow()
})
