import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startChild } from '../../test/line-child.ts'
import { currentProcess } from '../identity/identity.ts'
import { LockAttempt } from './file.ts'
import { acquireLock, withLock } from './lock.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'zee-lock-'))
  file = path.join(folder, 'a.lock')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const foreign = { ...currentProcess(), host: 'elsewhere', nonce: '0'.repeat(32) }

describe('a lock', () => {
  test('identifies its holder while it is held and leaves no file after release', async () => {
    const lock = await acquireLock(file)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject(currentProcess())
    expect(readdirSync(folder)).toEqual(['a.lock'])
    expect(lock.isHeld()).toBe(true)
    await lock.release()
    await lock.release()
    expect(lock.isHeld()).toBe(false)
    expect(readdirSync(folder)).toEqual([])
  })

  test('excludes callers within one process', async () => {
    const order: string[] = []
    const work = (name: string) => async (): Promise<void> => {
      order.push(`${name} in`)
      await new Promise((resolve) => setTimeout(resolve, 5))
      order.push(`${name} out`)
    }
    await Promise.all([withLock(file, {}, work('a')), withLock(file, {}, work('b'))])
    expect(order).toEqual(['a in', 'a out', 'b in', 'b out'])
  })

  test('is released when the work fails', async () => {
    const failing = withLock(file, {}, () => {
      throw new Error('work')
    })
    await expect(failing).rejects.toThrow('work')
    expect(existsSync(file)).toBe(false)
  })

  test('is touched every 5 seconds while it is held', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const lock = await acquireLock(file)
      const old = setAge(20)
      vi.advanceTimersByTime(5000)
      await vi.waitFor(() => expect(statSync(file).mtimeMs).toBeGreaterThan(old + 10_000))
      expect(lock.isHeld()).toBe(true)
      await lock.release()
    } finally {
      vi.useRealTimers()
    }
  })

  test('is neither touched nor removed by a holder that lost it', async () => {
    const lock = await acquireLock(file)
    writeFileSync(file, JSON.stringify(foreign))
    expect(lock.isHeld()).toBe(false)
    await lock.release()
    expect(existsSync(file)).toBe(true)
  })

  test('works without hard links', () => {
    const [one, two] = [0, 1].map(() => new LockAttempt(file, { canLink: false }))
    expect([one?.tryAcquire(), two?.tryAcquire()]).toEqual([true, false])
    expect(readFileSync(file, 'utf8')).toContain(one?.nonce)
    one?.discard()
    two?.discard()
    expect(readdirSync(folder)).toEqual(['a.lock'])
  })

  test('works for the longest file name', async () => {
    const long = path.join(folder, `${'\u00fc'.repeat(125)}.lock`)
    writeFileSync(long, JSON.stringify({ ...foreign, started: '1' }))
    const lock = await acquireLock(long, { waitMs: 1000 })
    await lock.release()
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('a live holder', () => {
  test('is named with advice after the deadline', async () => {
    const holder = await startChild('lock-holder', [file])
    const waiting = acquireLock(file, { waitMs: 60 })
    await expect(waiting).rejects.toMatchObject({
      code: 'lock_timeout',
      message: expect.stringMatching(
        `^${file} is locked by process ${holder.pid} on .+ \\(this machine\\), waited 60 ms: wait`,
      ),
    })
    expect(readdirSync(folder)).toEqual(['a.lock'])
    const later = acquireLock(file)
    holder.send([1])
    await (await later).release()
    expect(await holder.ended).toMatchObject({ code: 0 })
  })

  test('is not waited for after the signal aborts', async () => {
    const lock = await acquireLock(file)
    const stop = new AbortController()
    const waiting = acquireLock(file, { signal: stop.signal })
    stop.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'lock_aborted' })
    await expect(acquireLock(file, { signal: stop.signal })).rejects.toMatchObject({
      code: 'lock_aborted',
    })
    expect(readdirSync(folder)).toEqual(['a.lock'])
    await lock.release()
  })
})

describe('a dead holder', () => {
  test('is replaced by a waiting process immediately after it was killed', async () => {
    const holder = await startChild('lock-holder', [file])
    // Less than the 30 s after which a holder that cannot be checked counts as dead.
    const waiting = acquireLock(file, { waitMs: 20_000 })
    holder.kill()
    await holder.ended
    await (await waiting).release()
    expect(readdirSync(folder)).toEqual([])
  })

  test('is detected when a live process has reused its pid', async () => {
    writeFileSync(file, JSON.stringify({ ...foreign, started: '1' }))
    const lock = await acquireLock(file, { waitMs: 0 })
    expect(lock.isHeld()).toBe(true)
    await lock.release()
    expect(readdirSync(folder)).toEqual([])
  })

  test('is broken after earlier breakers died', async () => {
    const dead = { ...foreign, started: '1', nonce: 'a'.repeat(32) }
    writeFileSync(file, JSON.stringify(dead))
    const claims = ['a', 'b', 'c'].map((nonce) => nonce.repeat(32))
    const [root, first, second] = claims
    writeClaim(`${root}.${root}`, { ...dead, nonce: first })
    writeClaim(`${root}.${first}`, { ...dead, nonce: second })
    const lock = await acquireLock(file, { waitMs: 0 })
    await lock.release()
    expect(readdirSync(folder)).toEqual([])
  })

  test('is left to a live breaker', async () => {
    const dead = { ...foreign, started: '1', nonce: 'a'.repeat(32) }
    writeFileSync(file, JSON.stringify(dead))
    writeClaim(`${dead.nonce}.${dead.nonce}`, { ...foreign, nonce: 'b'.repeat(32) })
    const waiting = acquireLock(file, { waitMs: 40 })
    await expect(waiting).rejects.toMatchObject({ code: 'lock_timeout' })
    expect(readFileSync(file, 'utf8')).toContain(dead.nonce)
  })

  test('leaves claims and temporary files that the next holder removes', async () => {
    const tempName = readdirAfterAttempt()
    writeClaim(`${'d'.repeat(32)}.${'d'.repeat(32)}`, foreign)
    writeFileSync(
      path.join(folder, tempName.replace(/-\d+-[^-]*\.tmp$/, '-1-aaaaaaaaaaaa.tmp')),
      '',
    )
    const lock = await acquireLock(file)
    expect(readdirSync(folder)).toEqual(['a.lock'])
    await lock.release()
  })
})

describe('a holder that cannot be checked', () => {
  test.each([
    ['of another machine', JSON.stringify({ ...foreign, machine: 'other' })],
    ['of another pid namespace', JSON.stringify({ ...foreign, pidNamespace: 'pid:[1]' })],
    ['of another boot', JSON.stringify({ ...foreign, boot: 'other' })],
    ['that left an empty file', ''],
    ['that left nonsense', '{"pid":-1}'],
  ])('%s counts as alive until 30 s have passed without a touch', async (_name, content) => {
    writeFileSync(file, content)
    setAge(25)
    await expect(acquireLock(file, { waitMs: 5 })).rejects.toMatchObject({ code: 'lock_timeout' })
    expect(readFileSync(file, 'utf8')).toBe(content)
    setAge(31)
    const lock = await acquireLock(file, { waitMs: 5 })
    await lock.release()
    expect(readdirSync(folder)).toEqual([])
  })

  test('is named with its machine after the deadline', async () => {
    writeFileSync(file, JSON.stringify({ ...foreign, machine: 'other', pid: 77 }))
    const waiting = acquireLock(file, { waitMs: 5 })
    await expect(waiting).rejects.toThrow('process 77 on elsewhere (another machine)')
  })

  test('counts as alive when the time of its lock is in the future', async () => {
    writeFileSync(file, '')
    setAge(-3600)
    await expect(acquireLock(file, { waitMs: 5 })).rejects.toThrow('an unknown process')
  })

  test('is checked again during the wait', async () => {
    writeFileSync(file, '')
    setAge(29)
    const lock = await acquireLock(file, { waitMs: 20_000 })
    await lock.release()
  })
})

describe('a path that cannot be locked', () => {
  test('is reported with the reason', async () => {
    const missing = path.join(folder, 'no', 'a.lock')
    await expect(acquireLock(missing)).rejects.toMatchObject({
      code: 'enoent',
      message: `cannot lock ${missing}: no such file or folder`,
    })
    writeFileSync(path.join(folder, 'no'), '')
    await expect(acquireLock(missing)).rejects.toMatchObject({ code: 'enotdir' })
    mkdirSync(file)
    await expect(acquireLock(file)).rejects.toMatchObject({ code: 'eisdir' })
    const link = path.join(folder, 'link.lock')
    symlinkSync('nowhere', link)
    await expect(acquireLock(link)).rejects.toMatchObject({ code: 'eloop' })
    expect(readdirSync(folder).sort()).toEqual(['a.lock', 'link.lock', 'no'])
  })

  test('does not block when it is a pipe, and counts as locked by an unknown process', async () => {
    execFileSync('mkfifo', [file])
    await expect(acquireLock(file, { waitMs: 5 })).rejects.toMatchObject({ code: 'lock_timeout' })
  })
})

function writeClaim(keys: string, holder: object): void {
  writeFileSync(path.join(folder, `.a.lock.${keys}.break`), JSON.stringify(holder))
}

/** Name of a temporary file of this process for the lock. */
function readdirAfterAttempt(): string {
  const attempt = new LockAttempt(file)
  const [name = ''] = readdirSync(folder)
  attempt.discard()
  return name
}

function setAge(seconds: number): number {
  const then = (Date.now() - seconds * 1000) / 1000
  utimesSync(file, then, then)
  return then * 1000
}
