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

/** Yields to the event loop until a condition holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}

const stats = (corpus: Corpus): IndexStats => corpus.indexStats() as IndexStats

/** Builds the index and starts the query threads, which happens with the first search that needs them. */
async function startThreads(corpus: Corpus): Promise<void> {
  await corpus.buildIndex()
  for (let before = -1; before === -1 || stats(corpus).handed_over === before;) {
    before = stats(corpus).handed_over
    await corpus.grep({ pattern: '[xyz]q', regex: true, max_hits: 1 })
  }
}

/** A tree in which every line matches: some seconds of work. */
function manyLines(): string {
  const text = 'a\n'.repeat(900_000)
  return tree(Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`f${at}.txt`, text])))
}

const everyLine = { pattern: '[a-z]', regex: true, mode: 'count' } as const

describe('query threads', () => {
  it('stop when the request is cancelled, and take the job of the next request', async () => {
    const corpus = open(manyLines())
    await startThreads(corpus)
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

  it('take the job of the first request that needs them, which waits for their start', async () => {
    const corpus = open(manyLines())
    await corpus.buildIndex()
    const { count } = await corpus.grep(everyLine)
    expect(count).toBe(12 * 900_000)
    expect(stats(corpus).handed_over).toBe(1)
  })

  it('stop when the deadline passes, and the answer is marked as partial', async () => {
    const corpus = open(manyLines())
    await startThreads(corpus)
    const result = await corpus.grep({ ...everyLine, deadline_ms: 30 })
    expect(result).toMatchObject({ partial: true })
    await until(() => stats(corpus).searching === 0)
  })

  it('stop when max_hits is reached', async () => {
    const corpus = open(manyLines())
    await startThreads(corpus)
    const result = await corpus.grep({ pattern: '[a-z]', regex: true, max_hits: 5 })
    expect(result).toMatchObject({ truncated: true, metrics: { hits: 5, files_scanned: 1 } })
    await until(() => stats(corpus).searching === 0)
  })

  it('find more lines in a file than fit into their memory', async () => {
    const corpus = open(manyLines())
    await startThreads(corpus)
    const result = await corpus.grep({ pattern: '[a-z]', regex: true, max_hits: 1_000_000 })
    expect(result.hits).toHaveLength(1_000_000)
    expect(result.hits[999_999]).toEqual({ path: 'f1.txt', line: 100_000, text: 'a' })
  })

  it('are awaited by the close of a corpus, also if nothing else keeps the process alive', () => {
    const args = [childProgram('corpus', 'close-while-searching'), manyLines()]
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('closed\n')
  })

  it('are optional: the main thread searches all files if they die or cannot start', async () => {
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
