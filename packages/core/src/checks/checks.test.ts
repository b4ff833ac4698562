// What a `doctor` command prints, and the check of a folder.
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { tempFolder } from '../../test/temp-folder.ts'
import type { Host } from '../exit/exit.ts'
import { folderCheck, printChecks, type Check } from './checks.ts'

const checks: Check[] = [
  { id: 'a', status: 'ok', message: 'fine\u0007' },
  { id: 'long', status: 'todo', message: 'half', advice: 'do it' },
  { id: 'é', status: 'blocked', message: 'broken', advice: 'mend it soon please now' },
]

async function print(
  list: readonly Check[],
  {
    json = false,
    env = {},
    ...more
  }: { json?: boolean; env?: object; isTTY?: boolean; columns?: number },
) {
  const stdout = Object.assign(new PassThrough(), more)
  const code = await printChecks(list, { json }, { env, stdout } as unknown as Host)
  return { code, lines: String(stdout.read()).split('\n') }
}

describe('printed checks', () => {
  it('are one line each in a pipe', async () => {
    expect(await print(checks, {})).toEqual({
      code: 1,
      lines: [
        'ok       a     fine',
        'todo     long  half: do it',
        'blocked  é     broken: mend it soon please now',
        '',
      ],
    })
  })

  it('are wrapped under their message on a terminal', async () => {
    const { lines } = await print(checks, { isTTY: true, columns: 30, env: { NO_COLOR: '1' } })
    expect(lines).toEqual([
      'ok       a     fine',
      'todo     long  half: do it',
      'blocked  é     broken: mend it',
      '               soon please now',
      '',
    ])
    const long = [
      { id: 'a', status: 'ok', message: `${'x'.repeat(60)} ${'y'.repeat(7)} z` } as const,
    ]
    const wide = await print(long, { isTTY: true, env: { NO_COLOR: '1' } })
    expect(wide.lines).toEqual([
      `ok       a  ${'x'.repeat(60)} ${'y'.repeat(7)}`,
      `            z`,
      '',
    ])
  })

  it('have the colour of their status', async () => {
    const { lines } = await print(checks, { env: { FORCE_COLOR: '1' } })
    expect(lines.map((line) => line.slice(0, 17))).toEqual([
      '\u001b[32mok     \u001b[39m',
      '\u001b[33mtodo   \u001b[39m',
      '\u001b[31mblocked\u001b[39m',
      '',
    ])
  })

  it('are one JSON document, and a success unless something blocks', async () => {
    const { code, lines } = await print(checks, { json: true })
    expect([code, lines.length, JSON.parse(lines[0] ?? '')]).toEqual([1, 2, { ok: false, checks }])
    const most = checks.slice(0, 2)
    const good = await print(most, { json: true })
    expect([good.code, JSON.parse(good.lines[0] ?? '')]).toEqual([0, { ok: true, checks: most }])
  })
})

describe('the check of a folder', () => {
  const used = async (folder: string) => {
    const { status, message } = await folderCheck('x', folder, { showsUse: true })
    expect(status).toBe('ok')
    return /^(.*), uses (.*), (\d[\d.]*) (?:MB|GB|TB) free$/.exec(message)?.slice(1, 3)
  }

  it('tells the free space of the folder or of the one that it would be in', async () => {
    const folder = tempFolder()
    const below = path.join(folder, 'a/b')
    for (const each of [folder, below]) {
      const { id, status, message, advice } = await folderCheck('x', each)
      expect({ id, status, advice }).toEqual({ id: 'x', status: 'ok', advice: undefined })
      expect(message.replace(/, [\d.]+ [MGT]B free$/, '')).toBe(each)
    }
    expect((await folderCheck('x', below, { showsUse: true })).message).not.toMatch(/uses/)
  })

  it.each([
    [0, '0 bytes'],
    [999, '999 bytes'],
    [1000, '1.0 KB'],
    [1536, '1.5 KB'],
    [10_189, '10.0 KB'],
    [10_240, '10 KB'],
    [999 * 1024, '999 KB'],
    [1000 * 1024, '1.0 MB'],
    [20 * 1024 ** 2, '20 MB'],
    [1000 * 1024 ** 2, '1.0 GB'],
  ])('shows a file of %i bytes as %s', async (bytes, text) => {
    const folder = tempFolder()
    writeFileSync(path.join(folder, 'f'), '')
    truncateSync(path.join(folder, 'f'), bytes)
    expect(await used(folder)).toEqual([folder, text])
  })

  it('counts files in folders, and follows no links', async () => {
    const folder = tempFolder()
    mkdirSync(path.join(folder, 'a/b'), { recursive: true })
    writeFileSync(path.join(folder, 'one'), 'x'.repeat(100))
    writeFileSync(path.join(folder, 'a/b/two'), 'x'.repeat(20))
    symlinkSync('one', path.join(folder, 'link'))
    symlinkSync('.', path.join(folder, 'a/loop'))
    expect(await used(folder)).toEqual([folder, '120 bytes'])
  })

  it('blocks for a file in its place', async () => {
    const file = path.join(tempFolder(), 'f')
    writeFileSync(file, '')
    expect(await folderCheck('x', path.join(file, 'a'))).toEqual({
      id: 'x',
      status: 'blocked',
      message: `${file}/a: ${file} is not a folder`,
      advice: `move ${file} away`,
    })
  })

  // The superuser may write to every folder, also to /proc, which never has free space.
  it('blocks for a folder that cannot be written, or that has no free space', async () => {
    const isSuperuser = process.getuid?.() === 0
    const folder = isSuperuser ? '/proc' : path.join(tempFolder(), 'd')
    if (!isSuperuser) mkdirSync(folder, { mode: 0o555 })
    expect(await folderCheck('x', folder)).toEqual({
      id: 'x',
      status: 'blocked',
      message: isSuperuser ? '/proc, 0 bytes free' : `${folder}: permission denied`,
      advice: isSuperuser ? 'free some disk space' : `make ${folder} writable`,
    })
  })
})
