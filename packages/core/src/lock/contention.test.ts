// Many processes contend for one lock; some are killed while they hold it.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startChild, type LineChild } from '../../test/line-child.ts'
import { acquireLock } from './lock.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'zee-locks-'))
  file = path.join(folder, 'a.lock')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const kills = Number(process.env.ZEE_ROUNDS ?? 50) / 5

test('a lock admits 50 contenders once each and never two at a time', async () => {
  const children = await startContenders(50, ['1'])
  for (const child of children) child.send([1])
  for (const child of children) {
    expect(await child.ended).toEqual({ code: 0, signal: null, stderr: '' })
    expect(child.lines).toEqual(['ready', expect.stringMatching(/^entered \w+ 1$/)])
  }
  expect(readdirSync(folder)).toEqual([])
})

test('exactly one of 8 breakers of a dead lock succeeds, 400 times', async () => {
  // Every other entry abandons the lock as that of a dead process.
  const children = await startContenders(8, ['100', '2'])
  for (const child of children) child.send([1])
  for (const child of children) {
    expect(await child.ended).toEqual({ code: 0, signal: null, stderr: '' })
    expect(child.lines).toHaveLength(101)
  }
  await (await acquireLock(file)).release()
  expect(readdirSync(folder)).toEqual([])
})

test(
  `a lock never admits two holders while ${kills} holders and breakers are killed`,
  { timeout: 60_000 + kills * 2000 },
  async () => {
    let names = 0
    const start = async (): Promise<LineChild> => {
      const child = await startChild('lock-contender', [file, `k${names++}`, '1000000', '3'])
      child.send([1])
      return child
    }
    const live = [await start(), await start(), await start()]
    let next = start()
    for (let kill = 0; kill < kills; kill++) {
      live.push(await next)
      next = start()
      const victim = live.shift()
      if (victim === undefined) throw new Error('no contender to kill')
      // Locks are broken around an entry, so the kill follows one.
      const witness = Math.random() < 0.5 ? victim : live[0]
      const lines = witness?.lines.length ?? 0
      await witness?.line(() => witness.lines.length > lines)
      victim.kill()
      expectNoOverlap(victim, await victim.ended)
    }
    for (const child of [...live, await next]) {
      child.kill()
      expectNoOverlap(child, await child.ended)
    }
    await (await acquireLock(file)).release()
    expect(readdirSync(folder).filter((name) => !/\.(inside|k\d+)$/.test(name))).toEqual([])
  },
)

function expectNoOverlap(child: LineChild, end: { stderr: string }): void {
  expect(child.lines.filter((line) => line.startsWith('FAILED'))).toEqual([])
  expect(end.stderr).toBe('')
}

async function startContenders(count: number, args: string[]): Promise<LineChild[]> {
  const names = Array.from({ length: count }, (_, index) => `c${index}`)
  return await Promise.all(names.map((name) => startChild('lock-contender', [file, name, ...args])))
}
