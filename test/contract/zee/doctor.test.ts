// `zee doctor` on a machine whose home or settings are damaged: a line for each damage, and exit 1.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { repository } from '../../support/paths.ts'
import { ZeeSandbox } from './sandbox.ts'

interface Report {
  ok: boolean
  checks: { id: string; status: string; message: string; advice?: string }[]
}

let place: ZeeSandbox
beforeEach(() => {
  place = new ZeeSandbox()
})
afterEach(() => place.remove())

async function report(env?: Record<string, string | undefined>) {
  const { code, stdout, stderr } = await place.zee(['doctor', '--json'], env)
  expect(stderr).toBe('')
  return { code, ...(JSON.parse(stdout) as Report) }
}

test('a home that is a file is one blocked line, and the other checks are made', async () => {
  const home = path.join(place.base, 'a-file')
  writeFileSync(home, '')
  const { code, ok, checks } = await report({ HOME: home })
  expect([code, ok]).toEqual([1, false])
  const blocked = checks.filter(({ status }) => status === 'blocked')
  expect(blocked).toEqual([
    expect.objectContaining({ id: 'sessions folder', advice: `move ${home} away` }),
  ])
  expect(checks.map(({ id }) => id)).toContain('terminal')
})

test.each([
  ['zdx settings', 'home/.config/zdx/config.toml', 'model = ['],
  ['zcl settings', 'project/zcl.config.json', '{'],
  ['zino services', 'home/.config/zino/ZINO.toml', '[['],
])('broken %s are blocked, with the place of the fault', async (id, name, text) => {
  const file = path.join(place.base, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
  const { code, checks } = await report()
  expect(code).toBe(1)
  const blocked = checks.filter(({ status }) => status === 'blocked')
  expect(blocked).toEqual([expect.objectContaining({ id, advice: 'correct the file' })])
  expect(blocked[0]?.message).toContain(file)
})

test('the use of a folder counts its files, and links lead nowhere', async () => {
  const sessions = path.join(place.base, 'home/.config/zdx/sessions')
  mkdirSync(sessions, { recursive: true })
  writeFileSync(path.join(sessions, 'a.txt'), 'x'.repeat(700))
  symlinkSync('loop', path.join(sessions, 'loop'))
  symlinkSync('/', path.join(sessions, 'everything'))
  const { code, checks } = await report()
  expect(code).toBe(0)
  expect(checks.find(({ id }) => id === 'sessions folder')?.message).toContain('uses 700 bytes')
})

test('a machine without a home folder gets all checks', async () => {
  rmSync(path.join(place.base, 'home'), { recursive: true })
  expect(await report()).toMatchObject({ code: 0, ok: true })
})

test('zee without the other programs names each that is missing, and makes the other checks', () => {
  const alone = path.join(place.base, 'alone/zee')
  for (const name of ['bin', 'dist', 'package.json'])
    cpSync(path.join(repository, 'packages/zee', name), path.join(alone, name), { recursive: true })
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(alone, 'bin/zee.cjs'), 'doctor', '--json'],
    { cwd: place.project, env: { ...process.env, ...place.env }, encoding: 'utf8' },
  )
  expect([status, stderr]).toEqual([1, ''])
  const { checks } = JSON.parse(stdout) as Report
  const blocked = checks.filter((check) => check.status === 'blocked')
  expect(blocked.map(({ id }) => id)).toEqual(['zdx', 'zeno', 'zino', 'zcl'])
  expect(checks.map(({ id }) => id)).toContain('sandbox')
})
