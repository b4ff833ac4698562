import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { childProgram } from '../../../../../../test/support/paths.ts'
import { corpusOf, tree, workerFile } from '../../../../test/support/trees.ts'
import type { Corpus } from '../../../corpus.ts'
import type { IndexOptions, IndexStats } from '../../options.ts'

function open(root: string, index: Partial<IndexOptions> = {}): Corpus {
  return corpusOf(root, { index: { memoryBytes: 64 << 20, threads: 2, ...index } })
}

/** Lets the event loop turn until something holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}

const stats = (corpus: Corpus): IndexStats => corpus.indexStats() as IndexStats

/** Threads begin when somebody needs them. */
async function warm(corpus: Corpus): Promise<void> {
  await corpus.buildIndex()
  for (let before = -1; before === -1 || stats(corpus).handed_over === before;) {
    before = stats(corpus).handed_over
    await corpus.grep({ pattern: '[xyz]q', regex: true, max_hits: 1 })
  }
}

/** Every line matches: some seconds of work. */
function manyLines(): string {
  const text = 'a\n'.repeat(900_000)
  return tree(Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`f${at}.txt`, text])))
}

const everyLine = { pattern: '[a-z]', regex: true, mode: 'count' } as const

describe('threads that search', () => {
  it('end when the request is cancelled, and are there for the next', async () => {
    const corpus = open(manyLines())
    await warm(corpus)
    const leaving = new AbortController()
    const asked = corpus.grep(everyLine, { signal: leaving.signal })
    const refused = expect(asked).rejects.toThrow('the request was cancelled')
    await until(() => stats(corpus).searching > 0)
    leaving.abort()
    await refused
    await until(() => stats(corpus).searching === 0)
    const before = stats(corpus).handed_over
    expect((await corpus.grep({ pattern: '[xyz]q', regex: true })).hits).toEqual([])
    expect(stats(corpus).handed_over).toBe(before + 1)
  })

  it('are waited for by the first who needs them', async () => {
    const corpus = open(manyLines())
    await corpus.buildIndex()
    const { count } = await corpus.grep(everyLine)
    expect(count).toBe(12 * 900_000)
    expect(stats(corpus).handed_over).toBe(1)
  })

  it('end when the deadline passes, with what was found', async () => {
    const corpus = open(manyLines())
    await warm(corpus)
    const result = await corpus.grep({ ...everyLine, deadline_ms: 30 })
    expect(result).toMatchObject({ partial: true })
    await until(() => stats(corpus).searching === 0)
  })

  it('end when enough was found', async () => {
    const corpus = open(manyLines())
    await warm(corpus)
    const result = await corpus.grep({ pattern: '[a-z]', regex: true, max_hits: 5 })
    expect(result).toMatchObject({ truncated: true, metrics: { hits: 5, files_scanned: 1 } })
    await until(() => stats(corpus).searching === 0)
  })

  it('find more lines in a file than they have room for', async () => {
    const corpus = open(manyLines())
    await warm(corpus)
    const result = await corpus.grep({ pattern: '[a-z]', regex: true, max_hits: 1_000_000 })
    expect(result.hits).toHaveLength(1_000_000)
    expect(result.hits[999_999]).toEqual({ path: 'f1.txt', line: 100_000, text: 'a' })
  })

  it('are waited for when a corpus is closed, also by a program that has nothing else to do', () => {
    const args = [childProgram('corpus', 'close-while-searching'), manyLines()]
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('closed\n')
  })

  it('are not needed: what they leave undone is done without them', async () => {
    const files = Array.from({ length: 200 }, (_, at) => [`f${at}.txt`, `line ${at}\nword ${at}\n`])
    const root = tree(Object.fromEntries(files) as Record<string, string>)
    const missing = path.join(root, 'missing.cjs')
    for (const queryWorker of [childProgram('corpus', 'dying-query-worker'), missing]) {
      const corpus = corpusOf(root, {
        index: { memoryBytes: 64 << 20, threads: 2, ownFiles: 0 },
        workerFile: (name) => (name === 'query-worker' ? queryWorker : workerFile(name)),
      })
      await corpus.buildIndex()
      for (let round = 0; round < 5; round++) {
        for (const args of [{ pattern: 'word' }, { pattern: 'w[oO]rd', regex: true }]) {
          expect((await corpus.grep(args)).hits).toHaveLength(200)
        }
      }
    }
  })
})
