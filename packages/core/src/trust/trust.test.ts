import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import { isTrusted, requireTrust, trust, trustedFiles, untrust } from './trust.ts'

let base: string
let folder: string
let file: string
const bytes = (text: string) => Buffer.from(text)

beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-trust-')))
  folder = path.join(base, 'own/deep')
  file = path.join(base, 'config.toml')
  writeFileSync(file, 'a')
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

describe('trust', () => {
  it('holds for the recorded content only', async () => {
    expect(await isTrusted(folder, file, bytes('a'))).toBe(false)
    const record = await trust(folder, file, bytes('a'), systemClock)
    expect(record).toMatchObject({ path: file, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(await isTrusted(folder, file, bytes('a'))).toBe(true)
    expect(await isTrusted(folder, file, bytes('b'))).toBe(false)
    expect(await isTrusted(folder, path.join(base, 'other.toml'), bytes('a'))).toBe(false)
  })

  it('follows the canonical path of the file', async () => {
    symlinkSync(base, `${base}/link`)
    await trust(folder, path.join(base, 'link/config.toml'), bytes('a'), systemClock)
    expect(await isTrusted(folder, file, bytes('a'))).toBe(true)
  })

  it('is stored in a file that only the user can read', async () => {
    await trust(folder, file, bytes('a'), systemClock)
    expect(statSync(path.join(folder, 'trust.json')).mode & 0o777).toBe(0o600)
  })

  it('is replaced by a second record and removed by untrust', async () => {
    await trust(folder, file, bytes('a'), systemClock)
    await trust(folder, file, bytes('b'), systemClock)
    expect(trustedFiles(folder)).toHaveLength(1)
    expect(await untrust(folder, file)).toBe(true)
    expect(await untrust(folder, file)).toBe(false)
    expect(await isTrusted(folder, file, bytes('b'))).toBe(false)
  })

  it('keeps all records of concurrent writers', async () => {
    const files = Array.from({ length: 8 }, (_, index) => path.join(base, `${index}.toml`))
    await Promise.all(files.map((each) => trust(folder, each, bytes('a'), systemClock)))
    expect(
      trustedFiles(folder)
        .map((record) => record.path)
        .sort(),
    ).toEqual(files)
  })

  it('trusts nothing from a damaged file', async () => {
    mkdirSync(folder, { recursive: true })
    for (const text of ['{', '[]', '{"files":[{"path":1}]}', 'null']) {
      writeFileSync(path.join(folder, 'trust.json'), text, { mode: 0o600 })
      expect(trustedFiles(folder)).toEqual([])
    }
  })

  it('refuses records that another user could have written', async () => {
    await trust(folder, file, bytes('a'), systemClock)
    chmodSync(path.join(folder, 'trust.json'), 0o666)
    await expect(isTrusted(folder, file, bytes('a'))).rejects.toMatchObject({
      code: 'trust_unsafe',
    })
  })
})

describe('requireTrust', () => {
  const restrict = () =>
    requireTrust({ folder, isSensitive: (key) => key === 'hooks', command: 'zdx trust' })
  const source = (text: string) => ({
    path: file,
    bytes: bytes(text),
    data: { hooks: [1], model: 'm' },
    below: [],
  })

  it('removes sensitive keys until the file is trusted', async () => {
    expect(await restrict()(source('a'))).toEqual({
      data: { model: 'm' },
      ignored: [{ key: ['hooks'], reason: "run 'zdx trust' to use it" }],
    })
    await trust(folder, file, bytes('a'), systemClock)
    expect(await restrict()(source('a'))).toEqual({ data: source('a').data, ignored: [] })
    expect(await restrict()(source('changed'))).toMatchObject({ data: { model: 'm' } })
  })
})
