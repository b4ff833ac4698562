import { PassThrough } from 'node:stream'
import type { Host } from '@zee/core/exit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { IndexStats } from '../engine/engine.ts'
import { startProgress } from './index.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function hostWith(isTTY: boolean): { host: Host; written(): string } {
  const stderr = Object.assign(new PassThrough(), { isTTY })
  const host = { stderr } as unknown as Host
  return { host, written: () => String(stderr.read() ?? '') }
}

function engineWith(
  stats: () => Partial<IndexStats> | undefined,
): Parameters<typeof startProgress>[0] {
  return {
    run: () => Promise.reject(new Error('unexpected request')),
    indexStats: stats as () => IndexStats | undefined,
    close: () => Promise.resolve(),
  }
}

it('startProgress shows the indexing progress on a terminal and clears it when the index is ready', async () => {
  const { host, written } = hostWith(true)
  let stats: Partial<IndexStats> | undefined
  const stop = await startProgress(
    engineWith(() => stats),
    host,
  )
  vi.advanceTimersByTime(200)
  expect(written()).toBe('')
  stats = { state: 'loading', files: 500, pending: 400 }
  vi.advanceTimersByTime(300)
  expect(written()).toBe('\r\u001b[Kindexing: 100 of 500 files')
  stats = { state: 'ready', files: 500, pending: 0 }
  vi.advanceTimersByTime(300)
  expect(written()).toBe('\r\u001b[K')
  stop?.()
  expect(written()).toBe('')
})

it('startProgress clears the progress line when the server stops before the index is ready', async () => {
  const { host, written } = hostWith(true)
  const stop = await startProgress(
    engineWith(() => ({ state: 'loading', files: 9, pending: 9 })),
    host,
  )
  vi.advanceTimersByTime(100)
  written()
  stop?.()
  expect(written()).toBe('\r\u001b[K')
})

it('startProgress writes nothing if standard error is not a terminal', async () => {
  const { host, written } = hostWith(false)
  expect(
    await startProgress(
      engineWith(() => ({ state: 'loading', files: 9, pending: 9 })),
      host,
    ),
  ).toBe(undefined)
  vi.advanceTimersByTime(1000)
  expect(written()).toBe('')
})
