import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LineChild } from '../../test/line-child.ts'
import { currentProcess, pidScopeOf } from '../identity/identity.ts'
import {
  createFileExclusive,
  fillFileAtomic,
  writeFileAtomic,
  writeJsonAtomic,
} from './atomic-file.ts'
import { tempPathFor } from './temp-file.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'zee-atomic-'))
  file = path.join(folder, 'a.json')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function* pieces(count: number, end?: Error): AsyncGenerator<string> {
  for (let piece = 0; piece < count; piece++) yield `${piece}\n`.padStart(10_000)
  if (end !== undefined) throw end
}

describe.each([
  ['in pieces', writeFileAtomic],
  [
    'by name',
    (to: string, from: AsyncGenerator<string>) =>
      fillFileAtomic(to, (temp) => writeFile(temp, from, { flag: 'wx' })),
  ],
])('a file that is written %s', (_, write) => {
  test('is complete, keeps its mode and stays behind its link', async () => {
    await write(path.join(folder, 'plain'), pieces(300))
    expect(statSync(path.join(folder, 'plain')).size).toBe(3_000_000)
    writeFileSync(path.join(folder, 'old'), 'x', { mode: 0o640 })
    symlinkSync('old', path.join(folder, 'link'))
    await write(path.join(folder, 'link'), pieces(1))
    expect(readFileSync(path.join(folder, 'old'), 'utf8').trim()).toBe('0')
    expect(statSync(path.join(folder, 'old')).mode & 0o777).toBe(0o640)
    expect(readdirSync(folder).sort()).toEqual(['link', 'old', 'plain'])
  })

  test('stays unchanged when the write fails, without a temporary file', async () => {
    writeFileSync(file, 'x')
    await expect(write(file, pieces(50, new Error('no more')))).rejects.toThrow('no more')
    const nowhere = path.join(folder, 'nowhere/x')
    await expect(write(nowhere, pieces(1))).rejects.toThrow(/^cannot write .*nowhere\/x: no such/)
    expect(readFileSync(file, 'utf8')).toBe('x')
    expect(readdirSync(folder)).toEqual(['a.json'])
  })

  test('replaces regular files only, and removes the temporary file of a dead writer', async () => {
    const writer = `${pidScopeOf(currentProcess())}-${process.pid}-1`
    writeFileSync(path.join(folder, `.a.json.${writer}-0123456789ab.tmp`), 'x')
    await write(file, pieces(1))
    expect(readdirSync(folder)).toEqual(['a.json'])
    await expect(write(folder, pieces(1))).rejects.toMatchObject({ code: 'eisdir' })
  })
})

describe('writing a file atomically', () => {
  test('creates or replaces it, without a temporary file left', async () => {
    await writeFileAtomic(file, 'first, and longer')
    await writeFileAtomic(file, new Uint8Array([0, 255]))
    expect(readFileSync(file)).toEqual(Buffer.from([0, 255]))
    await writeFileAtomic(file, '', { durable: false })
    expect(readFileSync(file, 'utf8')).toBe('')
    expect(readdirSync(folder)).toEqual(['a.json'])
  })

  test('as JSON uses two spaces and a final newline', async () => {
    await writeJsonAtomic(file, { a: [1, '<&>'] })
    expect(readFileSync(file, 'utf8')).toBe('{\n  "a": [\n    1,\n    "<&>"\n  ]\n}\n')
  })

  test('as JSON rejects values that JSON cannot represent, and keeps the old file', async () => {
    await writeFileAtomic(file, 'old')
    await expect(writeJsonAtomic(file, undefined)).rejects.toMatchObject({ code: 'not_json' })
    await expect(writeJsonAtomic(file, { n: 1n })).rejects.toMatchObject({ code: 'not_json' })
    expect(readFileSync(file, 'utf8')).toBe('old')
  })

  test('keeps the mode of the old file unless the caller sets one', async () => {
    await writeFileAtomic(file, 'a', { mode: 0o600 })
    expect(modeOf(file)).toBe(0o600)
    chmodSync(file, 0o664)
    await writeFileAtomic(file, 'b')
    expect(modeOf(file)).toBe(0o664)
    await writeFileAtomic(file, 'c', { mode: 0o666 })
    expect(modeOf(file)).toBe(0o666)
    const other = path.join(folder, 'other')
    await writeFileAtomic(other, '')
    expect(modeOf(other)).toBe(0o666 & ~process.umask())
  })

  test.runIf(process.getuid?.() === 0)(
    'keeps the owner when the superuser replaces it',
    async () => {
      writeFileSync(file, 'a')
      chownSync(file, 1234, 2345)
      await writeFileAtomic(file, 'b')
      expect(statSync(file)).toMatchObject({ uid: 1234, gid: 2345 })
    },
  )

  test('follows symbolic links, also to a file that does not exist yet', async () => {
    mkdirSync(path.join(folder, 'real', 'inner'), { recursive: true })
    symlinkSync('real/inner', path.join(folder, 'way'))
    symlinkSync('../made.json', path.join(folder, 'way', 'link'))
    await writeFileAtomic(path.join(folder, 'way', 'link'), 'one')
    await writeFileAtomic(path.join(folder, 'way', 'link'), 'two')
    expect(readFileSync(path.join(folder, 'real', 'made.json'), 'utf8')).toBe('two')
    expect(readlinkSync(path.join(folder, 'way', 'link'))).toBe('../made.json')
  })

  test('works for the longest file name', async () => {
    const long = path.join(folder, '\u00fc'.repeat(127))
    await writeFileAtomic(long, 'a')
    expect(readdirSync(folder)).toEqual([path.basename(long)])
  })

  test('leaves one of the contents when 30 writers run concurrently', async () => {
    const texts = Array.from({ length: 30 }, (_, index) => String(index).repeat(50_000))
    await Promise.all(texts.map((text) => writeFileAtomic(file, text, { durable: false })))
    expect(texts).toContain(readFileSync(file, 'utf8'))
    expect(readdirSync(folder)).toEqual(['a.json'])
  })
})

describe('a failed atomic write', () => {
  test('reports the path and the reason', async () => {
    const missing = path.join(folder, 'no', 'a.json')
    await expect(writeFileAtomic(missing, '')).rejects.toMatchObject({
      code: 'enoent',
      message: `cannot write ${missing}: no such file or folder`,
    })
    await expect(writeFileAtomic(folder, '')).rejects.toMatchObject({ code: 'eisdir' })
    symlinkSync('loop', path.join(folder, 'loop'))
    const loop = writeFileAtomic(path.join(folder, 'loop'), '')
    await expect(loop).rejects.toMatchObject({ code: 'eloop' })
    execFileSync('mkfifo', [file])
    await expect(writeFileAtomic(file, '')).rejects.toThrow('it is not a regular file')
    expect(statSync(file).isFIFO()).toBe(true)
    expect(readdirSync(folder).sort()).toEqual(['a.json', 'loop'])
  })

  test.each(['write', 'create'])(
    '(%s) leaves the old state when it exceeds the file size limit',
    async (how) => {
      if (how === 'write') writeFileSync(file, 'old')
      const limit = ['sh', '-c', 'ulimit -f 8; exec "$@"', 'sh']
      const child = new LineChild('atomic-once', [file, '100000', how], limit)
      expect(await child.ended).toMatchObject({ code: 0, stderr: '' })
      expect(child.lines).toEqual([
        `efbig cannot ${how} ${file}: the file would be larger than allowed`,
      ])
      expect(readdirSync(folder)).toEqual(how === 'write' ? ['a.json'] : [])
      if (how === 'write') expect(readFileSync(file, 'utf8')).toBe('old')
    },
  )

  const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'x', '/mnt']).status === 0
  test.skipIf(!canMount)('leaves the old file unchanged on a full disk', async () => {
    const mount = `mount -t tmpfs -o size=64k tmpfs ${folder} && echo old > ${file}`
    const script = `${mount} && "$@" && ls -A ${folder} && cat ${file}`
    const through = ['unshare', '-rm', 'sh', '-c', script, 'sh']
    const child = new LineChild('atomic-once', [file, '100000'], through)
    expect(await child.ended).toMatchObject({ code: 0, stderr: '' })
    expect(child.lines).toEqual([`enospc cannot write ${file}: the disk is full`, 'a.json', 'old'])
  })
})

describe('creating a file exclusively', () => {
  test('writes its content and mode', async () => {
    await createFileExclusive(file, 'all', { mode: 0o640 })
    expect(readFileSync(file, 'utf8')).toBe('all')
    expect(modeOf(file)).toBe(0o640)
    expect(readdirSync(folder)).toEqual(['a.json'])
  })

  test('fails with eexist when the path exists, also as a dangling link', async () => {
    writeFileSync(file, 'old')
    await expect(createFileExclusive(file, 'new')).rejects.toMatchObject({
      code: 'eexist',
      message: `cannot create ${file}: it already exists`,
    })
    expect(readFileSync(file, 'utf8')).toBe('old')
    const link = path.join(folder, 'link')
    symlinkSync('nothing', link)
    await expect(createFileExclusive(link, 'new')).rejects.toMatchObject({ code: 'eexist' })
    expect(readdirSync(folder).sort()).toEqual(['a.json', 'link'])
  })

  test('succeeds for exactly one of 20 concurrent callers', async () => {
    const tries = Array.from({ length: 20 }, (_, index) =>
      createFileExclusive(file, String(index), { durable: false }).then(
        () => String(index),
        () => undefined,
      ),
    )
    const winners = (await Promise.all(tries)).filter((winner) => winner !== undefined)
    expect(winners).toEqual([readFileSync(file, 'utf8')])
  })
})

describe('the temporary file of a dead writer', () => {
  test('is removed by the next writer of the same file, and no other file is', async () => {
    const here = pidScopeOf(currentProcess())
    const temp = (target: string, writer: string): string =>
      path.join(folder, `.${target}.${writer}-0123456789ab.tmp`)
    const dead = temp('a.json', `${here}-${process.pid}-1`)
    const live = tempPathFor(file)
    const elsewhere = temp('a.json', '0123456789ab-7-7')
    const longElsewhere = temp('a.json', '0123456789ab-8-8')
    const otherTarget = temp('b.json', `${here}-${process.pid}-1`)
    for (const name of [dead, live, elsewhere, longElsewhere, otherTarget]) writeFileSync(name, 'x')
    const longAgo = Date.now() / 1000 - 2 * 60 * 60
    utimesSync(longElsewhere, longAgo, longAgo)
    await writeFileAtomic(file, 'new')
    const left = [live, elsewhere, otherTarget, file].map((name) => path.basename(name))
    expect(readdirSync(folder).sort()).toEqual(left.sort())
  })

  test('has a name that no reader of JSON files picks up', () => {
    expect(path.basename(tempPathFor(file))).toMatch(/^\.a\.json\.[0-9a-f]{12}-\d+-\d*-\w+\.tmp$/)
  })
})

function modeOf(target: string): number {
  return statSync(target).mode & 0o7777
}
