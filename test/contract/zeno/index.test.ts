// The index of `zeno serve`: its options, that it answers searches, and that it never misses a change.
import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkFreshness } from './freshness-rounds.ts'
import type { Client, Json, Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'

let box: Sandbox
beforeEach(() => {
  box = createSandbox({ 'a.txt': 'one word\n', 'sub/b.txt': 'two words\n' })
})
afterEach(() => box.remove())

interface Stats {
  state: string
  pending: number
  answers: number
  files: number
}

async function statsOf(client: Client): Promise<Stats> {
  return (await client.ok('index_stats', {})).index as Stats
}

/** Sends requests until the index is ready. */
async function waitForIndex(client: Client): Promise<void> {
  const end = Date.now() + 30_000
  while (Date.now() < end) {
    await client.ok('list_files', { max: 1 })
    const { index } = await client.ok('index_stats', {})
    const { state, pending } = (index ?? {}) as Partial<Stats>
    if (state === 'ready' && pending === 0) return
  }
  throw new Error('the index was not ready in time')
}

async function words(client: Client): Promise<string[]> {
  const { hits } = await client.ok('grep', { pattern: 'word', max_hits: 100_000 })
  return (hits as { path: string }[]).map((hit) => hit.path)
}

describe('the index', () => {
  it('answers searches once it is ready and reports its freshness mode', async () => {
    const client = box.server()
    await waitForIndex(client)
    const before = await statsOf(client)
    const { hits, metrics } = await client.ok('grep', { pattern: 'word' })
    expect(hits).toHaveLength(2)
    expect(metrics).toMatchObject({ fresh: 'watch', files_scanned: 2, bytes_read: 19, hits: 2 })
    expect((await statsOf(client)).answers).toBe(before.answers + 1)
  })

  it('never returns the trace file, under any of its names', async () => {
    const log = path.join(box.root, 'logs/trace.jsonl')
    const client = box.server(['--log', log])
    const found = async (): Promise<unknown> => {
      const { files } = await client.ok('list_files', {})
      return { files, hits: await words(client) }
    }
    const both = ['a.txt', 'sub/b.txt']
    await words(client)
    symlinkSync('logs/trace.jsonl', path.join(box.root, 'alias'))
    symlinkSync('../alias', path.join(box.root, 'sub/alias-of-alias'))
    expect(await found()).toEqual({ files: both, hits: both })
    await waitForIndex(client)
    expect(await found()).toEqual({ files: both, hits: both })
    symlinkSync(log, path.join(box.root, 'late'))
    expect(await found()).toEqual({ files: both, hits: both })
    linkSync(log, path.join(box.root, 'twin'))
    expect(await found()).toEqual({ files: both, hits: both })
    rmSync(path.join(box.root, 'twin'))
    expect(await found()).toEqual({ files: both, hits: both })
  })

  it('is absent with --no-index', async () => {
    const client = box.server(['--no-index'])
    for (let count = 0; count < 5; count++) expect(await words(client)).toHaveLength(2)
    expect((await client.ok('index_stats', {})).index).toBe(null)
    expect((await client.ok('list_files', {})).metrics).not.toHaveProperty('fresh')
  })

  it('respects --memory, which must be a valid size', async () => {
    const client = box.server(['--memory', '32M'])
    await waitForIndex(client)
    for (const size of ['lots', '1M', '-2G', '']) {
      const { code, stderr } = await box.zeno(['serve', '--root', box.root, '--memory', size])
      expect(code).toBe(2)
      expect(stderr).toMatch(/at least 16M|such as 512M|argument/)
    }
  })

  it('shows each of 500 random changes in the next request', async () => {
    rmSync(box.root, { recursive: true })
    mkdirSync(box.root)
    const client = box.server()
    await waitForIndex(client)
    await checkFreshness(client, box.root, 500)
    expect((await statsOf(client)).answers).toBeGreaterThan(900)
  }, 120_000)

  it('misses no change when the inotify queue overflows', async () => {
    const client = box.server()
    await waitForIndex(client)
    client.child.kill('SIGSTOP')
    mkdirSync(path.join(box.root, 'many'))
    for (let count = 0; count < 17_000; count++) {
      const name = path.join(box.root, `sub/f${count}.txt`)
      writeFileSync(name, '')
      if (count % 1000 === 0) renameSync(name, path.join(box.root, `many/f${count}.txt`))
    }
    box.put({ 'sub/last.txt': 'the last word\n', 'many/last.txt': 'word\n', 'a.txt': 'nothing\n' })
    client.child.kill('SIGCONT')
    expect(await words(client)).toEqual(['many/last.txt', 'sub/b.txt', 'sub/last.txt'])
    const { files } = await client.ok('list_files', { max: 100_000 })
    expect(files).toHaveLength(17_004)
  }, 60_000)

  it('follows a root that is renamed and created again', async () => {
    const client = box.server()
    await waitForIndex(client)
    renameSync(box.root, path.join(box.base, 'old'))
    box.put({ 'new.txt': 'another word\n' })
    expect(await words(client)).toEqual(['new.txt'])
    rmSync(box.root, { recursive: true })
    expect(await words(client)).toEqual([])
    renameSync(path.join(box.base, 'old'), box.root)
    expect(await words(client)).toEqual(['a.txt', 'sub/b.txt'])
  })

  it('leaves out the trace, which every answer changes', async () => {
    const log = path.join(box.root, 'trace.jsonl')
    const client = box.server(['--log', log])
    await waitForIndex(client)
    for (let count = 0; count < 20; count++) expect(await words(client)).toHaveLength(2)
  })

  it('does not keep the server alive after its input ends', async () => {
    const client = box.server()
    client.send('grep', { pattern: 'word' })
    await client.next()
    expect(await client.end()).toEqual({ code: 0, signal: null })
    const again = box.server()
    await waitForIndex(again)
    expect(await again.end()).toEqual({ code: 0, signal: null })
    expect(again.stderr).toBe('')
  })
})

describe('zeno index stats', () => {
  it('prints the file count and freshness of the index', async () => {
    const { code, stdout } = await box.zeno(['index', 'stats', '--root', box.root])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^files +2\nfreshness +watching 2 folders\n/)
    const { stdout: json } = await box.zeno(['index', 'stats', '--root', box.root, '--json'])
    expect(JSON.parse(json) as Json).toMatchObject({ state: 'ready', files: 2, pending: 0 })
  })

  it('exits 2 if the root does not exist', async () => {
    const missing = path.join(box.base, 'nowhere')
    expect((await box.zeno(['index', 'stats', '--root', missing])).code).toBe(2)
  })
})
