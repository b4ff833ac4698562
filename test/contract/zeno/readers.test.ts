// Operations for reading a large corpus in parts: summary, chunks, read_many, pages, single-file corpora.
import { createHash } from 'node:crypto'
import { closeSync, openSync, symlinkSync, writeFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client, Json, Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'

let box: Sandbox
let client: Client
const numbered = (n: number) => Array.from({ length: n }, (_, index) => `line ${index + 1}`)
beforeAll(() => {
  box = createSandbox({
    'a.ts': `${numbered(100).join('\n')}\n`,
    'b.md': 'words\r\nmore w\u00f6rds',
    'src/c.ts': 'x\n',
    Makefile: 'all:\n',
    '.hidden.ts': 'y\n',
    'long.txt': `${'\u{1f600}'.repeat(50)}\nend\n`,
  })
  client = box.server()
})
afterAll(() => box.remove())

const sha = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`

/** Fetches all pages of a request and collects the items that `pick` returns for each. */
async function pages(op: string, args: Json, maxChars: number, pick: (result: Json) => unknown[]) {
  const found: unknown[] = []
  let cursor: unknown
  let count = 0
  do {
    const more = cursor === undefined ? {} : { cursor }
    const result = await client.ok(op, { ...args, max_chars: maxChars, ...more })
    found.push(...pick(result))
    cursor = result.next_cursor
    count++
    expect(count).toBeLessThan(500)
  } while (cursor !== undefined)
  return { found, count }
}

describe('summary', () => {
  it('counts files, bytes, characters and lines, in total and by extension', async () => {
    const result = await client.ok('summary', {})
    expect(result).toMatchObject({ files: 5, lines: 100 + 2 + 1 + 1 + 2 })
    const by = result.by_extension as Json
    expect(by['.ts']).toMatchObject({ files: 2, lines: 101 })
    expect(by['.md']).toEqual({ files: 1, bytes: 18, chars: 16, lines: 2 })
    expect(by['']).toMatchObject({ files: 1 })
    expect(result.metrics.files_scanned).toBe(5)
  })

  it('accepts a glob and the walk options', async () => {
    expect(await client.ok('summary', { glob: '**/*.ts' })).toMatchObject({ files: 2 })
    expect(await client.ok('summary', { glob: '**/*.ts', include_hidden: true })).toMatchObject({
      files: 3,
    })
  })
})

describe('chunks', () => {
  it('are cut at line ends, respect max_chars and cover every line', async () => {
    const { chunks } = await client.ok('chunks', { glob: 'a.ts', max_chars: 100 })
    const list = chunks as {
      path: string
      start_line: number
      end_line: number
      chars: number
      sha256: string
    }[]
    let line = 1
    for (const chunk of list) {
      expect(chunk.start_line).toBe(line)
      expect(chunk.chars).toBeLessThanOrEqual(100)
      const { text } = await client.ok('read_file', {
        path: chunk.path,
        start_line: chunk.start_line,
        end_line: chunk.end_line,
      })
      expect(text).toHaveLength(chunk.chars)
      expect(chunk.sha256).toBe(sha(text as string))
      line = chunk.end_line + 1
    }
    expect(line).toBe(101)
  })

  it('keep their ids exactly as long as their content is unchanged', async () => {
    const ids = async () => {
      const { chunks } = await client.ok('chunks', { max_chars: 200 })
      return (chunks as { id: string; path: string }[]).map(({ id, path }) => `${path} ${id}`)
    }
    const before = await ids()
    expect(new Set(before).size).toBe(before.length)
    expect(await ids()).toEqual(before)
    writeFileSync(path.join(box.root, 'src/c.ts'), 'changed\n')
    const after = await ids()
    expect(after.filter((id) => !before.includes(id))).toHaveLength(1)
    writeFileSync(path.join(box.root, 'src/c.ts'), 'x\n')
    expect(await ids()).toEqual(before)
  })

  it('split a line longer than max_chars by characters', async () => {
    const { chunks } = await client.ok('chunks', { glob: 'long.txt', max_chars: 20 })
    type Part = { start_char: number; end_char: number; chars: number }
    const list = (chunks as { parts: Part[] }[]).flatMap(({ parts }) => parts)
    expect(list.map(({ chars }) => chars)).toEqual([20, 20, 14])
    const { text } = await client.ok('read_file', { path: 'long.txt', ...pick(list[2]) })
    expect(text).toBe(`${'\u{1f600}'.repeat(10)}\nend`)
  })

  it('hold 100,000 characters by default', async () => {
    const { chunks } = await client.ok('chunks', { glob: 'a.ts' })
    expect(chunks).toHaveLength(1)
  })
})

function pick(chunk: { start_char: number; end_char: number } | undefined): Json {
  return { start_char: chunk?.start_char, end_char: chunk?.end_char }
}

describe('read_many', () => {
  it('returns a result or error for each read, in order', async () => {
    const reads = [
      { path: 'a.ts', start_line: 2 },
      { path: 'nowhere' },
      { path: 'b.md', end_line: 2, hash: true },
      5,
      {},
    ]
    const { results, metrics } = await client.ok('read_many', { reads })
    expect(results).toMatchObject([
      { ok: true, result: { path: 'a.ts', text: 'line 2' } },
      { ok: false, error: { message: expect.stringContaining('[Errno 2]') } },
      {
        ok: true,
        result: { text: 'words\nmore w\u00f6rds', sha256: sha('words\nmore w\u00f6rds') },
      },
      { ok: false, error: { message: 'args must be an object' } },
      { ok: false, error: { message: 'missing path' } },
    ])
    expect(metrics).toMatchObject({ files_scanned: 2, lines_returned: 3 })
    expect(await client.fails('read_many', {})).toBe('missing reads')
    expect(await client.fails('read_many', { reads: 'x' })).toContain('reads')
  })
})

describe('pages of an answer', () => {
  it('join to the complete text of a read', async () => {
    for (const size of [7, 50, 333]) {
      const args = { path: 'a.ts', end_line: 100 }
      const { found, count } = await pages('read_file', args, size, ({ text }) => [text])
      expect(found.join('')).toBe(numbered(100).join('\n'))
      expect(count).toBeGreaterThan(2)
    }
  })

  it('contain every item of a list once, in order', async () => {
    const whole = await client.ok('grep', { pattern: 'line' })
    const { found } = await pages('grep', { pattern: 'line' }, 300, ({ hits }) => hits as unknown[])
    expect(found).toEqual(whole.hits)
    const all = await client.ok('list_files', { include_hidden: true })
    const paths = await pages(
      'list_files',
      { include_hidden: true },
      10,
      ({ files }) => files as unknown[],
    )
    expect(paths.found).toEqual(all.files)
    const asked = { paths: ['a.ts', 'b.md', 'zz', 'src'] }
    const items = await pages('stat', asked, 50, ({ items }) => items as unknown[])
    expect(items.found).toEqual((await client.ok('stat', asked)).items)
    const reads = Array.from({ length: 9 }, (_, index) => ({ path: 'a.ts', start_line: index + 1 }))
    const many = await pages('read_many', { reads }, 500, ({ results }) => results as unknown[])
    expect(many.found).toHaveLength(9)
  })

  it('are only available to the request that produced the cursor', async () => {
    const first = await client.ok('grep', { pattern: 'line', max_chars: 100 })
    const cursor = first.next_cursor
    expect(await client.fails('grep', { pattern: 'other', max_chars: 100, cursor })).toMatch(
      /another request/,
    )
    expect(await client.fails('grep', { pattern: 'line', cursor: 'garbage' })).toMatch(/cursor/)
  })
})

describe('a root that is a single file', () => {
  it('is the only file of the corpus', async () => {
    writeFileSync(path.join(box.base, 'outside.txt'), 'no\n')
    const alone = box.server([], path.join(box.root, 'a.ts'))
    expect((await alone.ok('list_files', {})).files).toEqual(['a.ts'])
    expect(await alone.ok('read_file', { path: 'a.ts', start_line: 5 })).toMatchObject({
      text: 'line 5',
    })
    expect((await alone.ok('grep', { pattern: 'line 99' })).hits).toMatchObject([
      { path: 'a.ts', line: 99 },
    ])
    expect(await alone.fails('read_file', { path: 'b.md' })).toBe('path outside root')
    expect(await alone.fails('read_file', { path: '../outside.txt' })).toBe('path outside root')
    expect(await alone.ok('summary', {})).toMatchObject({ files: 1, lines: 100 })
  })

  it('may be a link, hidden or large', async () => {
    symlinkSync('a.ts', path.join(box.root, 'link.ts'))
    expect((await box.server([], path.join(box.root, 'link.ts')).ok('summary', {})).lines).toBe(100)
    const hidden = box.server([], path.join(box.root, '.hidden.ts'))
    expect((await hidden.ok('grep', { pattern: 'y' })).hits).toHaveLength(1)
    const big = path.join(box.base, 'big.log')
    const fd = openSync(big, 'w')
    const block = Buffer.from(`${'0123456789'.repeat(10)}\n`.repeat(10_000))
    for (let index = 0; index < 60; index++) writeSync(fd, block)
    writeSync(fd, 'the last needle\n')
    closeSync(fd)
    const server = box.server([], big)
    expect(await server.ok('read_file', { path: 'big.log', start_line: 600_001 })).toMatchObject({
      text: 'the last needle',
      total_lines: 600_001,
    })
    const { hits } = await server.ok('grep', { pattern: 'needle', max_bytes: 1e9 })
    expect(hits).toMatchObject([{ line: 600_001 }])
    const { tail } = await server.ok('peek', { path: 'big.log', tail_lines: 1 })
    expect(tail).toMatchObject({ start_line: 600_001, text: 'the last needle' })
  })
})
