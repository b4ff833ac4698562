// Paths: no operation leaves the root, neither through links nor when names change during a read.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runUnprivileged } from '../../support/run-program.ts'
import type { Client, Json, Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'
import { Flipper } from './flipper.ts'

const secret = 'OUTSIDE-SECRET'
let box: Sandbox
let client: Client
beforeAll(() => {
  box = createSandbox({
    'a.txt': 'inside\n',
    'sub/b.txt': 'below\n',
    '~/home.txt': 'tilde\n',
    '%2e%2e/x': 'percent\n',
    'back\\slash': 'back\n',
  })
  box.put({ 'secret.txt': `${secret}\n`, 'out/secret.txt': `${secret}\n` }, box.base)
  symlinkSync('a.txt', path.join(box.root, 'link'))
  symlinkSync('sub', path.join(box.root, 'folder-link'))
  symlinkSync('../secret.txt', path.join(box.root, 'escape'))
  symlinkSync('../out', path.join(box.root, 'escape-folder'))
  symlinkSync('/', path.join(box.root, 'slash'))
  symlinkSync('loop', path.join(box.root, 'loop'))
  symlinkSync('nowhere', path.join(box.root, 'dangling'))
  mkdirSync(path.join(box.base, 'root-sibling'))
  client = box.server()
})
afterAll(() => box.remove())

const reading = ['read_file', 'peek', 'extract_symbols', 'stat'] as const

describe('paths inside the root', () => {
  it.each([
    ['a.txt', 'a.txt'],
    ['./a.txt', 'a.txt'],
    ['sub/../a.txt', 'a.txt'],
    ['sub//b.txt', 'sub/b.txt'],
    ['link', 'a.txt'],
    ['folder-link/b.txt', 'sub/b.txt'],
    ['folder-link/../a.txt', 'a.txt'],
    ['~/home.txt', '~/home.txt'],
    ['%2e%2e/x', '%2e%2e/x'],
    ['back\\slash', 'back\\slash'],
  ])('%s resolves to %s', async (asked, resolved) => {
    for (const op of reading) {
      const result = await client.ok(op, { path: asked })
      const [item] = (result.items ?? [result]) as Json[]
      expect(item?.path).toBe(resolved)
    }
  })

  it('may be absolute, and the root itself is reported as .', async () => {
    const result = await client.ok('read_file', { path: path.join(box.root, 'sub/b.txt') })
    expect(result).toMatchObject({ path: 'sub/b.txt', text: 'below' })
    const { items } = await client.ok('stat', { paths: ['.', box.root, ''] })
    expect(items).toMatchObject([{ path: '.', is_dir: true }, { path: '.' }, {}])
  })
})

describe('paths outside the root', () => {
  const outside = [
    '..',
    '../secret.txt',
    'sub/../../secret.txt',
    'escape',
    'escape-folder/secret.txt',
    'slash/etc/passwd',
    '/etc/passwd',
    '/',
    '../root-sibling',
    '../nowhere',
    'escape-folder/nowhere',
  ]
  it.each(outside)('every operation refuses %s', async (asked) => {
    for (const op of reading)
      expect(await client.fails(op, { path: asked })).toBe('path outside root')
    expect(await client.fails('stat', { paths: ['a.txt', asked] })).toBe('path outside root')
    const { results } = await client.ok('read_many', {
      reads: [{ path: asked }, { path: 'a.txt' }],
    })
    expect(results).toMatchObject([
      { ok: false, error: { message: 'path outside root' } },
      { ok: true, result: { text: 'inside' } },
    ])
  })

  it('are skipped by grep without failing the search', async () => {
    expect((await client.ok('grep', { pattern: secret })).hits).toEqual([])
    expect((await client.ok('grep', { pattern: 'inside' })).hits).toMatchObject([
      { path: 'a.txt' },
      { path: 'link' },
    ])
    expect((await client.ok('summary')).files).toBeGreaterThan(3)
  })
})

describe('unreadable paths', () => {
  it.each([
    ['nowhere', /^\[Errno 2\] No such file or directory: 'nowhere'$/],
    ['dangling', /^\[Errno 2\] No such file or directory: 'dangling'$/],
    ['sub', /^\[Errno 21\] Is a directory: 'sub'$/],
    ['loop', /^\[Errno 40\] Too many levels of symbolic links: 'loop'$/],
    ['a.txt/x', /^\[Errno 20\] Not a directory: 'a.txt\/x'$/],
    ['x'.repeat(300), /^\[Errno 36\] File name too long: 'x+'$/],
    ['a\u0000b', /^embedded null byte$/],
  ])('%j fails with a reason that names no folder above the root', async (asked, message) => {
    expect(await client.fails('read_file', { path: asked })).toMatch(message)
    expect(await client.fails('peek', { path: asked })).toMatch(message)
    const absolute = asked.includes('\0') ? undefined : path.join(box.root, asked)
    if (absolute !== undefined) {
      expect(await client.fails('read_file', { path: absolute })).not.toContain(box.base)
    }
  })

  it('report permission denied and are skipped by grep', async () => {
    box.put({ 'locked.txt': 'inside\n' })
    chmodSync(path.join(box.root, 'locked.txt'), 0)
    const lines = [
      { id: 1, op: 'read_file', args: { path: 'locked.txt' } },
      { id: 2, op: 'grep', args: { pattern: 'inside', paths: ['locked.txt', 'a.txt'] } },
    ]
    const { stdout } = await runUnprivileged('zeno', ['serve', '--root', box.root], {
      input: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    })
    const answers = stdout.trimEnd().split('\n')
    const denied = "[Errno 13] Permission denied: 'locked.txt'"
    expect(JSON.parse(answers[0] ?? '')).toEqual({ id: 1, ok: false, error: { message: denied } })
    expect(JSON.parse(answers[1] ?? '')).toMatchObject({ id: 2, ok: true })
    expect(answers[1]).not.toContain('locked.txt')
  })
})

describe('stat', () => {
  it('returns items in request order, path first, including repeats', async () => {
    const file = path.join(box.root, 'a.txt')
    utimesSync(file, 1_700_000_000.75, 1_700_000_000.75)
    const { items, metrics } = await client.ok('stat', {
      path: 'a.txt',
      paths: ['sub', 'nowhere', 'a.txt', 'link', 'folder-link'],
    })
    const own = { path: 'a.txt', exists: true, size: 7, is_file: true, is_dir: false }
    const times = { mtime: 1_700_000_000.75, mtime_iso: '2023-11-14T22:13:20Z' }
    expect(items).toMatchObject([
      { ...own, ...times },
      { path: 'sub', exists: true, is_file: false, is_dir: true },
      { path: 'nowhere', exists: false, error: expect.stringContaining('[Errno 2]') },
      own,
      own,
      { path: 'sub', is_dir: true },
    ])
    expect(Object.keys((items as Json[])[2] ?? {})).toEqual(['path', 'exists', 'error'])
    expect(metrics).toMatchObject({ bytes_read: 0, files_scanned: 6 })
  })

  it('has no truncated field and reports link loops and NUL per item', async () => {
    const result = await client.ok('stat', { paths: ['loop', 'a\u0000', 'a.txt/x'] })
    expect(result).not.toHaveProperty('truncated')
    expect(result.items).toMatchObject([
      { path: 'loop', exists: false, error: expect.stringContaining('Too many levels') },
      { exists: false, error: 'embedded null byte' },
      { exists: false },
    ])
  })
})

describe('names that change during a read', () => {
  it.each(['file', 'folder'] as const)(
    'never leak a byte from outside the root through a flipping %s',
    async (what) => {
      const other = createSandbox({ 'inside/x.txt': 'inside\n', 'plain.txt': 'inside\n' })
      other.put({ 'out/x.txt': `${secret}\n` }, other.base)
      const flipping = other.server()
      const flipper = new Flipper(other, what)
      try {
        await flipper.running()
        let seen = 0
        const name = what === 'file' ? 'flip' : 'flip/x.txt'
        for (let round = 0; round < 600; round++) {
          const op = ['read_file', 'peek', 'read_many', 'grep', 'extract_symbols', 'chunks'][
            round % 6
          ]
          const args =
            op === 'read_many'
              ? { reads: [{ path: name }] }
              : op === 'grep'
                ? { pattern: 'S', case_sensitive: false }
                : { path: name }
          flipping.send(op, args)
          const line = await flipping.nextLine()
          expect(line).not.toContain(secret)
          if (line.includes('"inside"')) seen++
        }
        expect(seen).toBeGreaterThan(0)
      } finally {
        await flipper.stop()
        await other.remove()
      }
    },
  )

  it('never block the server when a FIFO replaces a file', async () => {
    const other = createSandbox({ x: 'x\n' })
    try {
      execFileSync('mkfifo', [path.join(other.root, 'fifo')])
      const there = other.server()
      for (const op of ['read_file', 'peek', 'extract_symbols']) {
        expect(await there.fails(op, { path: 'fifo' })).toContain('fifo')
      }
      expect((await there.ok('grep', { pattern: 'x' })).hits).toHaveLength(1)
    } finally {
      await other.remove()
    }
  })
})
