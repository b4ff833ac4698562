import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { tempFolder } from '../../test/temp-folder.ts'
import { systemClock } from '../clock/clock.ts'
import { acquireLock } from './lock.ts'

describe('the lease of a lock', () => {
  it('is lost for good when the holder did not run for longer than it', async () => {
    const lock = await acquireLock(path.join(tempFolder(), 'a.lock'))
    expect(() => lock.assertHeld()).not.toThrow()
    const now = systemClock.monotonicMs()
    const paused = vi.spyOn(systemClock, 'monotonicMs').mockReturnValue(now + 26_000)
    expect(() => lock.assertHeld()).toThrow(expect.objectContaining({ code: 'lock_lost' }))
    paused.mockRestore()
    expect(() => lock.assertHeld()).toThrow(expect.objectContaining({ code: 'lock_lost' }))
    expect(lock.isHeld()).toBe(false)
    await lock.release()
  })

  it('is lost after a suspend that neither the monotonic nor the wall clock shows', async () => {
    const lock = await acquireLock(path.join(tempFolder(), 'a.lock'))
    const now = systemClock.uptimeMs()
    const suspended = vi.spyOn(systemClock, 'uptimeMs').mockReturnValue(now + 26_000)
    expect(() => lock.assertHeld()).toThrow(expect.objectContaining({ code: 'lock_lost' }))
    suspended.mockRestore()
    await lock.release()
  })

  it('is not extended by a step of the wall clock alone: the holder touches the lock', async () => {
    const file = path.join(tempFolder(), 'a.lock')
    const lock = await acquireLock(file)
    utimesSync(file, 1, 1)
    const later = new Date(Date.now() + 3_600_000)
    const stepped = vi.spyOn(systemClock, 'now').mockReturnValue(later)
    expect(() => lock.assertHeld()).not.toThrow()
    expect(statSync(file).mtimeMs).toBeGreaterThan(1000)
    stepped.mockRestore()
    await lock.release()
  })

  it('survives a step of the wall clock, unless another process took over meanwhile', async () => {
    const file = path.join(tempFolder(), 'a.lock')
    const lock = await acquireLock(file)
    const later = new Date(Date.now() + 3_600_000)
    const stepped = vi.spyOn(systemClock, 'now').mockReturnValue(later)
    expect(() => lock.assertHeld()).not.toThrow()
    stepped.mockReturnValue(new Date(later.getTime() + 3_600_000))
    const content = readFileSync(file, 'utf8')
    writeFileSync(file, content.replace(/"nonce":"[0-9a-f]+"/, `"nonce":"${'0'.repeat(32)}"`))
    expect(() => lock.assertHeld()).toThrow(expect.objectContaining({ code: 'lock_lost' }))
    stepped.mockRestore()
    await lock.release()
  })
})
