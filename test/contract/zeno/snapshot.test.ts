// Index snapshots: their location, permissions, failures and removal.
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Json, Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'

let box: Sandbox
let cache: string
beforeEach(() => {
  box = createSandbox({ 'a.txt': 'one word\n', 'sub/b.txt': 'two words\n' })
  cache = path.join(box.base, 'cache')
})
afterEach(() => box.remove())

const grep = { id: '1', op: 'grep', args: { pattern: 'word' } }
const ask = `${JSON.stringify(grep)}\n`

function leave(root = box.root): ReturnType<Sandbox['zeno']> {
  const args = ['index', 'stats', '--root', root, '--snapshot', '--json']
  return box.zeno(args, { env: { XDG_CACHE_HOME: cache } })
}

function clear(...args: string[]): ReturnType<Sandbox['zeno']> {
  return box.zeno(['index', 'clear', ...args], { env: { XDG_CACHE_HOME: cache } })
}

function left(): string[] {
  return existsSync(path.join(cache, 'zeno')) ? readdirSync(path.join(cache, 'zeno')) : []
}

describe('zeno serve --snapshot', () => {
  it('returns the same answers as without a snapshot and writes nothing below the root', async () => {
    expect((await leave()).code).toBe(0)
    box.put({ 'sub/c.txt': 'three words\n' })
    const before = readdirSync(box.root, { recursive: true })
    const options = { input: ask, env: { XDG_CACHE_HOME: cache } }
    const args = ['serve', '--root', box.root]
    const [kept, plain] = [
      await box.zeno([...args, '--snapshot'], options),
      await box.zeno([...args, '--no-index'], options),
    ]
    expect(kept).toMatchObject({ code: 0, stderr: '' })
    const hits = (text: string): unknown => (JSON.parse(text) as { result: Json }).result.hits
    expect(hits(kept.stdout)).toEqual(hits(plain.stdout))
    expect(hits(kept.stdout)).toHaveLength(3)
    expect(readdirSync(box.root, { recursive: true })).toEqual(before)
  })

  it('writes no snapshot without the flag', async () => {
    await box.zeno(['index', 'stats', '--root', box.root], { env: { XDG_CACHE_HOME: cache } })
    expect(left()).toEqual([])
  })

  it('writes a snapshot that only the owner can read, by default below ~/.cache', async () => {
    const { code } = await box.zeno(['index', 'stats', '--root', box.root, '--snapshot'], {
      env: { XDG_CACHE_HOME: undefined },
    })
    expect(code).toBe(0)
    const folder = path.join(box.base, '.cache/zeno')
    const [file] = readdirSync(folder)
    expect(file).toMatch(/^[0-9a-f]{32}-v\d+\.snapshot$/)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(path.join(folder, file as string)).mode & 0o777).toBe(0o600)
  })

  it('logs a message and runs without a snapshot if the cache folder is inside the root or unset', async () => {
    const args = ['serve', '--root', box.root, '--snapshot']
    const inside = path.join(box.root, 'cache')
    for (const env of [
      { XDG_CACHE_HOME: inside },
      { XDG_CACHE_HOME: box.root },
      { XDG_CACHE_HOME: undefined, HOME: undefined },
      { XDG_CACHE_HOME: 'not/absolute', HOME: '' },
    ]) {
      const { code, stdout, stderr } = await box.zeno(args, { input: ask, env })
      expect(code).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject({ ok: true })
      expect(stderr).toMatch(/^zeno: no snapshot: .*\n$/)
    }
    expect(existsSync(inside)).toBe(false)
    expect(readdirSync(box.root)).toEqual(['a.txt', 'sub'])
  })

  it('answers correctly if the snapshot is corrupt or its folder is a file', async () => {
    await leave()
    const file = path.join(cache, 'zeno', left()[0] as string)
    writeFileSync(file, 'rubbish')
    const run = (): ReturnType<Sandbox['zeno']> =>
      box.zeno(['serve', '--root', box.root, '--snapshot'], {
        input: ask,
        env: { XDG_CACHE_HOME: cache },
      })
    expect(await run()).toMatchObject({ code: 0, stderr: '' })
    rmSync(cache, { recursive: true })
    writeFileSync(cache, '')
    const { code, stdout, stderr } = await run()
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ result: { metrics: { hits: 2 } } })
  })
})

describe('zeno index stats', () => {
  it('prints the path and size of the snapshot', async () => {
    const words = ['index', 'stats', '--root', box.root]
    const env = { XDG_CACHE_HOME: cache }
    expect((await box.zeno(words, { env })).stdout).toMatch(/^snapshot +none$/m)
    const told = JSON.parse((await leave()).stdout) as { snapshot: Json }
    const file = path.join(cache, 'zeno', left()[0] as string)
    const { size } = statSync(file)
    expect(told.snapshot).toMatchObject({ file, bytes: size, root: box.root, files: 2 })
    const { stdout } = await box.zeno(words, { env })
    expect(stdout).toMatch(/^snapshot +\/.*\.snapshot \(\d+\.\d MiB, 2 files, \d{4}-.*Z\)$/m)
  })
})

describe('zeno index clear', () => {
  it('removes and lists the snapshot of one root and keeps those of other roots', async () => {
    const other = path.join(box.base, 'other')
    mkdirSync(other)
    await leave()
    const [own] = left()
    await leave(other)
    expect(left()).toHaveLength(2)
    const { code, stdout } = await clear('--root', box.root)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^removed \/.*\.snapshot \(\d+\.\d MiB, root \/.*root\)\n$/)
    expect(left()).toHaveLength(1)
    expect(left()).not.toContain(own)
    expect((await clear('--root', box.root)).stdout).toBe('nothing to remove\n')
  })

  it('removes all snapshots and no other file with --all, and lists them as JSON with --json', async () => {
    const other = path.join(box.base, 'other')
    mkdirSync(other)
    await leave()
    await leave(other)
    box.put({ 'zeno/notes.txt': 'mine\n', 'zeno/x.snapshot': 'mine, too\n' }, cache)
    const { stdout } = await clear('--all', '--json')
    const lines = stdout.trimEnd().split('\n')
    const roots = lines.map((line) => (JSON.parse(line) as { root: string }).root)
    expect(roots.sort()).toEqual([other, box.root].sort())
    expect(left().sort()).toEqual(['notes.txt', 'x.snapshot'])
    expect((await clear('--all', '--json')).stdout).toBe('')
  })

  it('removes corrupt snapshots and snapshots of roots that no longer exist', async () => {
    await leave()
    writeFileSync(path.join(cache, 'zeno', left()[0] as string), 'rubbish')
    rmSync(box.root, { recursive: true })
    const { code, stdout } = await clear('--root', box.root)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^removed .*\.snapshot \(0\.0 MiB\)\n$/)
    expect(left()).toEqual([])
  })

  it('exits 2 without --root or --all', async () => {
    for (const args of [[], ['--root', box.root, '--all'], ['--root', '']]) {
      const { code, stderr } = await clear(...args)
      expect(code).toBe(2)
      expect(stderr).toContain('--all')
    }
  })
})
