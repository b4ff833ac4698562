import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { childProgram } from '../../../../test/support/paths.ts'
import { changeTree, randomNumbers, randomRequest } from '../../test/support/random-requests.ts'
import { openCorpus } from '../corpus.ts'
import type { Corpus } from '../corpus.ts'
import type { IndexOptions, IndexStats } from './index-options.ts'

const workerPath = childProgram('corpus', 'regex-worker')
const usual: IndexOptions = {
  workerPath: childProgram('corpus', 'index-worker'),
  memoryBytes: 64 << 20,
  threads: 2,
}

function newRoot(): string {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-warm-')))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  writeFileSync(path.join(base, 'outside'), 'alpha outside\n')
  const root = path.join(base, 'root')
  mkdirSync(root)
  return root
}

function open(root: string, index?: Partial<IndexOptions>): Corpus {
  const options = index === undefined ? {} : { index: { ...usual, ...index } }
  const corpus = openCorpus(root, { workerPath, ...options })
  onTestFinished(() => corpus.close())
  return corpus
}

type Outcome = Record<string, unknown> & { metrics?: Record<string, unknown> }

async function outcome(corpus: Corpus, op: 'list' | 'grep' | 'summary' | 'chunks', args: object) {
  try {
    return (await corpus[op](args)) as unknown as Outcome
  } catch (error) {
    return { error: (error as Error).message } as Outcome
  }
}

/** All but the time, and where the answer came from. */
function comparable({ metrics, ...result }: Outcome): object {
  const { time_ms: _, fresh: __, ...rest } = metrics ?? {}
  return { ...result, metrics: rest }
}

/** Changes the tree and asks both; every answer must be the same, and most must come from the index. */
async function compare(
  root: string,
  index: Partial<IndexOptions>,
  rounds: number,
): Promise<IndexStats> {
  const seed = Date.now() % 1_000_000
  const random = randomNumbers(seed)
  for (let count = 0; count < 60; count++) changeTree(root, random)
  const [plain, indexed] = [open(root), open(root, index)]
  await indexed.warm()
  let asked = 0
  for (let round = 0; round < rounds; round++) {
    for (let count = random(4); count > 0; count--) changeTree(root, random)
    const { op, args } = randomRequest(random)
    let request = args
    for (let page = 0; page < 3; page++) {
      const [ours, theirs] = [
        await outcome(indexed, op, request),
        await outcome(plain, op, request),
      ]
      const note = `seed ${seed}, round ${round}: ${op} ${JSON.stringify(request)}`
      expect(comparable(ours), note).toEqual(comparable(theirs))
      asked++
      if (typeof theirs.next_cursor !== 'string') break
      request = { ...args, cursor: theirs.next_cursor }
    }
  }
  const stats = indexed.indexStats() as IndexStats
  expect(stats.answers).toBeGreaterThan(asked * 0.9)
  return stats
}

describe('an index on a tree that changes', () => {
  it('answers thousands of random requests as the disk does', async () => {
    expect(await compare(newRoot(), {}, 1500)).toMatchObject({ fresh: 'watch' })
  }, 120_000)

  it('does so where changes are not told and everything is looked at again', async () => {
    expect(await compare(newRoot(), { watch: false }, 300)).toMatchObject({ fresh: 'sweep' })
  }, 120_000)

  it('does so when events are lost', async () => {
    expect(await compare(newRoot(), { eventLimit: 2 }, 300)).toMatchObject({ fresh: 'watch' })
  }, 120_000)

  it('does so when contents have no room in memory', async () => {
    const stats = await compare(newRoot(), { contentBytes: 0 }, 300)
    expect(stats).toMatchObject({ content_bytes: 0 })
  }, 120_000)

  it('does so when there is no room for signatures either', async () => {
    const tight = { memoryBytes: 10 << 20, contentBytes: 0, threads: 1 }
    await compare(newRoot(), tight, 150)
  }, 120_000)
})
