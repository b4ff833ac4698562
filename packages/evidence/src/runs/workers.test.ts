import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { currentProcess } from '@zee/core/identity'
import { isWorkedOn, leaseHolders } from './workers.ts'

let queue = ''
const now = Date.now()
beforeEach(() => {
  queue = mkdtempSync(path.join(os.tmpdir(), 'zee-queue-'))
  mkdirSync(path.join(queue, 'leased'))
})
afterEach(() => rmSync(queue, { recursive: true }))

/** Writes a lock file; it and the folders were changed `ageMs` ago. */
function lease(holder: object, ageMs: number): void {
  const file = path.join(queue, 'leased/1.lock')
  writeFileSync(file, JSON.stringify(holder))
  age(file, ageMs)
}

function age(file: string, ageMs: number): void {
  for (const name of [file, path.join(queue, 'leased'), queue]) {
    utimesSync(name, new Date(now - ageMs), new Date(now - ageMs))
  }
}

it('is worked on while a process of this machine holds a lease', () => {
  lease(currentProcess(), 600_000)
  expect(isWorkedOn(queue, now)).toBe(true)
  lease({ ...currentProcess(), started: '1' }, 600_000)
  expect(isWorkedOn(queue, now)).toBe(false)
})

it('is worked on while the lock of another machine is touched', () => {
  const holder = { ...currentProcess(), machine: 'another' }
  lease(holder, 20_000)
  expect(isWorkedOn(queue, now)).toBe(true)
  lease(holder, 40_000)
  expect(isWorkedOn(queue, now)).toBe(false)
})

it('is worked on between two jobs, and not after a stop or without a queue', () => {
  age(path.join(queue, 'leased'), 1000)
  expect(isWorkedOn(queue, now)).toBe(true)
  age(path.join(queue, 'leased'), 10_000)
  expect(isWorkedOn(queue, now)).toBe(false)
  for (const changed of [queue, path.join(queue, 'leased')]) {
    age(path.join(queue, 'leased'), 10_000)
    utimesSync(changed, new Date(now - 1000), new Date(now - 1000))
    expect(isWorkedOn(queue, now)).toBe(true)
  }
  expect(isWorkedOn(path.join(queue, 'none'), now)).toBe(false)
})

it('ignores lock files that name no process', () => {
  for (const holder of [{}, { pid: 1 }, { pid: -1 }, { pid: 'x' }, []]) {
    lease(holder, 0)
    expect(leaseHolders(queue)).toEqual([])
  }
})
