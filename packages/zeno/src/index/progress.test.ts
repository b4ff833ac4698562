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
    run: () => Promise.reject(new Error('not asked')),
    indexStats: stats as () => IndexStats | undefined,
    close: () => Promise.resolve(),
  }
}

it('shows on a terminal how far the index is, and takes it away when it is done', async () => {
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

it('takes the line away when the server ends before', async () => {
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

it('shows nothing where there is no terminal', async () => {
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
