import path from 'node:path'
import { rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { corpusOf, put, tree } from '../../test/support/trees.ts'
import type { LineHit } from '../corpus.ts'

/** Bytes with line ends, incomplete characters and many matches. */
const anyContent = fc
  .array(fc.constantFrom('ab', 'a', 'b', '\n', '\r', '\r\n', 'é', '\0', '\xff', '\xe2\x82'), {
    maxLength: 12,
  })
  .map((parts) => Buffer.concat(parts.map(bytesOf)))

function bytesOf(part: string): Buffer {
  return Buffer.from(part, part === 'é' ? 'utf8' : 'latin1')
}

/** The answer of a search that reads one file after the other. */
function expected(files: readonly Buffer[], pattern: string, maxHits: number) {
  const hits: string[] = []
  let chars = 0
  for (const [index, bytes] of files.entries()) {
    const text = bytes.toString('utf8').replaceAll(/\r\n?/g, '\n')
    chars += [...text].length
    for (const [at, line] of text.split('\n').entries()) {
      if (hits.length < maxHits && line.includes(pattern)) hits.push(`${index}:${at + 1}:${line}`)
    }
    if (hits.length >= maxHits) return { hits, chars, files: index + 1 }
  }
  return { hits, chars, files: files.length }
}

describe.each([false, true])('a search in batches of files (ownsProcess %s)', (ownsProcess) => {
  test('returns the hits and counts of a search file by file', async () => {
    const root = tree()
    const corpus = corpusOf(root, { ownsProcess })
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyContent, { minLength: 1, maxLength: 70 }),
        fc.constantFrom('ab', 'a', 'é', 'b\0', '\0', 'bab'),
        fc.integer({ min: 1, max: 20 }),
        async (contents, pattern, maxHits) => {
          rmSync(path.join(root, 'files'), { recursive: true, force: true })
          const named = contents.map((content, index) => [nameOf(index), content] as const)
          put(root, Object.fromEntries(named))
          const wanted = expected(contents, pattern, maxHits)
          const { hits, metrics } = await corpus.grep({ pattern, max_hits: maxHits })
          const found = (hits as LineHit[]).map(
            (hit) => `${indexOf(hit.path)}:${hit.line}:${hit.text}`,
          )
          expect(found).toEqual(wanted.hits)
          expect(metrics.bytes_read).toBe(wanted.chars)
          expect(metrics.files_scanned).toBe(wanted.files)
        },
      ),
      { numRuns: 60 },
    )
  })

  test('stops at max_files, skips files larger than max_bytes and searches large files in path order', async () => {
    const large = `${'x'.repeat(99)}\n`.repeat(170_000)
    const root = tree({
      'a.txt': 'needle\n',
      'b.txt': `${large}needle\n`,
      'c.txt': 'needle\n',
      'd.txt': 'x'.repeat(30_000_000),
      'e.txt': 'needle\n',
    })
    const corpus = corpusOf(root, { ownsProcess })
    const all = await corpus.grep({ pattern: 'needle', max_bytes: 20_000_000 })
    expect((all.hits as LineHit[]).map((hit) => `${hit.path}:${hit.line}`)).toEqual([
      ...['a.txt:1', 'b.txt:170001', 'c.txt:1', 'e.txt:1'],
    ])
    expect(all.skipped_large).toBe(1)
    expect(all.metrics.files_scanned).toBe(5)
    expect(all.metrics.bytes_read).toBe(4 * 7 + large.length)
    const some = await corpus.grep({ pattern: 'needle', max_files: 3, max_bytes: 20_000_000 })
    expect(some.hits.length).toBe(3)
    expect(some.scan_limited).toBe(true)
    expect(some.skipped_large).toBe(undefined)
    const first = await corpus.grep({ pattern: 'needle', max_hits: 2, max_bytes: 20_000_000 })
    expect(first.metrics.files_scanned).toBe(2)
    expect(first.truncated).toBe(true)
    // The worker searches for a pattern with a backreference.
    const regex = { pattern: 'n(e)\\1dle', regex: true, max_bytes: 20_000_000 }
    expect((await corpus.grep(regex)).hits).toEqual(all.hits)
    const { metrics, ...page } = await corpus.grep({ ...regex, max_hits: 2 })
    const { metrics: _, ...wanted } = first
    expect(page).toEqual(wanted)
    expect(metrics.files_scanned).toBe(2)
  })
})

/** Names in the order of their numbers, several per folder. */
function nameOf(index: number): string {
  return `files/${index >> 3 < 5 ? index >> 3 : 5}/f${String(index).padStart(4, '0')}`
}

function indexOf(file: string): number {
  return Number(file.slice(-4))
}
