// Freshness: a request sees every write that ended before it was sent, also if size and mtime are unchanged.
// Bad directory entries do not fail a list or grep.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkFreshness } from './freshness-rounds.ts'
import type { Client, Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'

let box: Sandbox
let client: Client
beforeEach(() => {
  box = createSandbox()
  client = box.server()
})
afterEach(() => box.remove())

describe('zeno serve', () => {
  it('sees each of 500 random changes in the next request', async () => {
    await checkFreshness(client, box.root, 500)
  })
})

describe('list_files and grep', () => {
  it('skip link loops, dangling links and links out of the root', async () => {
    box.put({ 'good.txt': 'word\n', 'sub/good.txt': 'word\n' })
    const link = (target: string, name: string) => symlinkSync(target, path.join(box.root, name))
    link('loop-b', 'loop-a')
    link('loop-a', 'loop-b')
    link('nowhere', 'dangling')
    link('/etc', 'out-folder')
    link('/etc/hostname', 'out-file')
    link('.', 'self')
    link('a\u0001b', 'odd\u0001name')
    const { hits } = await client.ok('grep', { pattern: 'word' })
    expect(hits).toMatchObject([{ path: 'good.txt' }, { path: 'sub/good.txt' }])
    expect((await client.ok('list_files', {})).files).toContain('good.txt')
    expect(await client.ok('summary', {})).toMatchObject({ files: 2 })
    const { chunks } = await client.ok('chunks', {})
    expect((chunks as { parts: unknown[] }[]).flatMap(({ parts }) => parts)).toHaveLength(2)
  })

  it('succeed while entries are removed concurrently', async () => {
    for (let index = 0; index < 300; index++)
      box.put({ [`d${index % 10}/f${index}.txt`]: 'word\n' })
    const pending: Promise<unknown>[] = []
    for (let round = 0; round < 10; round++) {
      pending.push(client.ok('grep', { pattern: 'word' }), client.ok('list_files', {}))
      rmSync(path.join(box.root, `d${round}`), { recursive: true })
    }
    await Promise.all(pending)
    expect((await client.ok('list_files', {})).files).toEqual([])
  })
})

describe('the default max_files', () => {
  it('covers 20,000 files and sets scan_limited for one more', async () => {
    for (let folder = 0; folder < 200; folder++) {
      mkdirSync(path.join(box.root, `d${folder}`))
      for (let file = 0; file < 100; file++) {
        writeFileSync(path.join(box.root, `d${folder}/f${file}.txt`), file === 99 ? 'mark\n' : '')
      }
    }
    const listed = await client.ok('list_files', { max: 100_000 })
    expect(listed.files).toHaveLength(20_000)
    expect(listed).not.toHaveProperty('scan_limited')
    const found = await client.ok('grep', { pattern: 'mark', max_hits: 500 })
    expect(found.hits).toHaveLength(200)
    expect(found.metrics.files_scanned).toBe(20_000)
    writeFileSync(path.join(box.root, 'z'), '')
    expect(await client.ok('list_files', { max: 100_000 })).toMatchObject({ scan_limited: true })
    expect(await client.ok('list_files', { max: 100_000, max_files: 50_000 })).not.toHaveProperty(
      'scan_limited',
    )
  })
})
