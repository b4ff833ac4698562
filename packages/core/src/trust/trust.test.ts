import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fixedClock, systemClock } from '../clock/clock.ts'
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

describe('the records of trust', () => {
  const clock = fixedClock('2026-02-03T04:05:06.789Z')
  const a = 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb'
  const store = () => path.join(folder, 'trust.json')
  const write = (value: unknown) => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(store(), JSON.stringify(value), { mode: 0o600 })
  }

  it('have the path, the hash and the time of the file', async () => {
    const record = { path: file, sha256: a, ts: '2026-02-03T04:05:06Z' }
    expect(await trust(folder, file, bytes('a'), clock)).toEqual(record)
    expect(JSON.parse(readFileSync(store(), 'utf8'))).toEqual({ files: [record] })
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    const other = path.join(base, 'none/x')
    await trust(folder, other, bytes('a'), clock)
    await trust(folder, file, bytes('a'), clock)
    expect(trustedFiles(folder).map((each) => each.path)).toEqual([other, file])
    expect(await untrust(folder, other)).toBe(true)
    expect(trustedFiles(folder)).toEqual([record])
    expect(await untrust(folder, other)).toBe(false)
    expect(trustedFiles(folder)).toEqual([record])
  })

  it('without a field are ignored', () => {
    const whole = { path: '/x', sha256: 's', ts: 't' }
    const damaged = [{ ...whole, path: 1 }, { ...whole, sha256: 1 }, { ...whole, ts: 1 }, null, []]
    write({ files: [...damaged, whole, { path: '/y' }] })
    expect(trustedFiles(folder)).toEqual([whole])
    for (const value of [{ files: {} }, { files: null }, [whole], 'x', 5]) {
      write(value)
      expect(trustedFiles(folder)).toEqual([])
    }
  })

  it('are empty without a folder, and unsafe if another user could write them', () => {
    expect(trustedFiles(path.join(file, 'x'))).toEqual([])
    expect(trustedFiles(path.join(base, 'none'))).toEqual([])
    write({ files: [] })
    const message = `${store()} must be a file that only you can write: delete it or run chmod 600`
    const refusal = expect.objectContaining({ code: 'trust_unsafe', message })
    for (const mode of [0o620, 0o602]) {
      chmodSync(store(), mode)
      expect(() => trustedFiles(folder)).toThrow(refusal)
    }
    chmodSync(store(), 0o755)
    expect(trustedFiles(folder)).toEqual([])
    rmSync(store())
    symlinkSync(file, store())
    expect(() => trustedFiles(folder)).toThrow(refusal)
    rmSync(store())
    mkdirSync(store())
    expect(() => trustedFiles(folder)).toThrow(refusal)
  })

  it.runIf(process.getuid?.() === 0)('of another user are unsafe', () => {
    write({ files: [] })
    chownSync(store(), 65_534, 65_534)
    expect(() => trustedFiles(folder)).toThrow(expect.objectContaining({ code: 'trust_unsafe' }))
  })

  it('that cannot be reached are named', () => {
    symlinkSync('loop', path.join(base, 'loop'))
    expect(() => trustedFiles(path.join(base, 'loop'))).toThrow(
      expect.objectContaining({
        code: 'eloop',
        message: `cannot read ${base}/loop/trust.json: too many levels of symbolic links`,
      }),
    )
  })
})

it('requireTrust sees the value of a key, and asks for no trust without sensitive keys', async () => {
  const seen: unknown[] = []
  const restrict = requireTrust({
    folder: path.join(file, 'no folder'),
    isSensitive: (key, value) => {
      seen.push([key, value])
      return value === 2
    },
    command: 'zdx trust',
  })
  const source = { path: file, bytes: bytes('a'), below: [] }
  expect(await restrict({ ...source, data: { a: 1 } })).toEqual({ data: { a: 1 }, ignored: [] })
  expect(await restrict({ ...source, data: { a: 1, b: 2, c: 2 } })).toEqual({
    data: { a: 1 },
    ignored: ['b', 'c'].map((key) => ({ key: [key], reason: "run 'zdx trust' to use it" })),
  })
  expect(seen).toEqual([
    ['a', 1],
    ['a', 1],
    ['b', 2],
    ['c', 2],
  ])
})
