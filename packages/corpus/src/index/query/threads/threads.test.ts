import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { childProgram } from '../../../../../../test/support/paths.ts'
import { corpusOf, tree, workerFile } from '../../../../test/support/trees.ts'
import { openCorpus } from '../../../corpus.ts'
import type { Corpus } from '../../../corpus.ts'
import type { IndexOptions, IndexStats } from '../../options.ts'

/** A busy machine needs seconds to start a thread. */
const index: IndexOptions = { memoryBytes: 64 << 20, threads: 2, maxStartMs: 60_000 }

/** Yields to the event loop until a condition holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}

const stats = (corpus: Corpus): IndexStats => corpus.indexStats() as IndexStats

/** Files in which every line matches: some seconds of work. */
function writeLines(root: string): void {
  const text = 'a\n'.repeat(900_000)
  for (let at = 0; at < 12; at++) writeFileSync(path.join(root, `f${at}.txt`), text)
}

/** Cancels a request while threads search. Repeats it if a busy machine answers before. */
async function cancelWhileSearching(corpus: Corpus): Promise<void> {
  for (let outcome = 'answered'; outcome === 'answered';) {
    const leaving = new AbortController()
    let isOver = false
    const asked = corpus
      .grep(everyLine, { signal: leaving.signal })
      .then(() => 'answered')
      .catch((error: Error) => error.message)
      .finally(() => (isOver = true))
    await until(() => isOver || stats(corpus).searching > 0)
    leaving.abort()
    outcome = await asked
    expect(['answered', 'the request was cancelled']).toContain(outcome)
  }
}

const everyLine = { pattern: '[a-z]', regex: true, mode: 'count' } as const

describe('query threads', () => {
  const root = mkdtempSync(path.join(tmpdir(), 'query-threads-'))
  let corpus: Corpus

  beforeAll(async () => {
    writeLines(root)
    corpus = openCorpus(root, { workerFile, index })
    await corpus.buildIndex()
  })
  afterAll(async () => {
    await corpus.close()
    rmSync(root, { recursive: true })
  })

  it('take the job of the first request that needs them, which waits for their start', async () => {
    const { count } = await corpus.grep(everyLine)
    expect(count).toBe(12 * 900_000)
    expect(stats(corpus).handed_over).toBe(1)
  }, 180_000)

  it.runIf(process.platform === 'linux')(
    'end when their corpus is closed',
    async () => {
      const threads = (): number => readdirSync('/proc/self/task').length
      const before = threads()
      const other = openCorpus(root, { workerFile, index: { ...index, ownFiles: 1 } })
      await other.buildIndex()
      await other.grep({ pattern: 'b' })
      expect(stats(other).handed_over).toBe(1)
      expect(threads()).toBeGreaterThan(before)
      await other.close()
      await vi.waitFor(() => expect(threads()).toBeLessThanOrEqual(before), { timeout: 10_000 })
    },
    180_000,
  )

  it('stop when the request is cancelled, and take the job of the next request', async () => {
    await cancelWhileSearching(corpus)
    await until(() => stats(corpus).searching === 0)
    const before = stats(corpus).handed_over
    expect((await corpus.grep({ pattern: '[xyz]q', regex: true })).hits).toEqual([])
    expect(stats(corpus).handed_over).toBe(before + 1)
  })

  it('stop when the deadline passes, and the answer is marked as partial', async () => {
    const result = await corpus.grep({ ...everyLine, deadline_ms: 30 })
    expect(result).toMatchObject({ partial: true })
    await until(() => stats(corpus).searching === 0)
  })

  it('stop when max_hits is reached', async () => {
    const result = await corpus.grep({ pattern: '[a-z]', regex: true, max_hits: 5 })
    expect(result).toMatchObject({ truncated: true, metrics: { hits: 5, files_scanned: 1 } })
    await until(() => stats(corpus).searching === 0)
  })

  it('find more lines in a file than fit into their memory', async () => {
    const result = await corpus.grep({ pattern: '[a-z]', regex: true, max_hits: 1_000_000 })
    expect(result.hits).toHaveLength(1_000_000)
    expect(result.hits[999_999]).toEqual({ path: 'f1.txt', line: 100_000, text: 'a' })
  })

  it('are awaited by the close of a corpus, also if nothing else keeps the process alive', () => {
    const args = [childProgram('corpus', 'close-while-searching'), root]
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toBe('closed\n')
  }, 180_000)

  it('are optional: the main thread searches all files if they die or cannot start', async () => {
    const files = Array.from({ length: 200 }, (_, at) => [`f${at}.txt`, `line ${at}\nword ${at}\n`])
    const folder = tree(Object.fromEntries(files) as Record<string, string>)
    const missing = path.join(folder, 'missing.cjs')
    for (const queryWorker of [childProgram('corpus', 'dying-query-worker'), missing]) {
      const other = corpusOf(folder, {
        index: { ...index, ownFiles: 0 },
        workerFile: (name) => (name === 'query-worker' ? queryWorker : workerFile(name)),
      })
      await other.buildIndex()
      for (let round = 0; round < 5; round++) {
        for (const args of [{ pattern: 'word' }, { pattern: 'w[oO]rd', regex: true }]) {
          expect((await other.grep(args)).hits).toHaveLength(200)
        }
      }
    }
  })
})
