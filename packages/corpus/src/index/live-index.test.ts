import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { changeTree, randomNumbers, randomRequest } from '../../test/support/random-requests.ts'
import { workerFile } from '../../test/support/trees.ts'
import { openCorpus } from '../corpus.ts'
import type { Corpus, RequestOptions, UncheckedOperation } from '../corpus.ts'
import type { WrittenHits } from '../operations/grep/grep.ts'
import type { IndexOptions, IndexStats } from './options.ts'

const defaults: IndexOptions = {
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
  const options = index === undefined ? {} : { index: { ...defaults, ...index } }
  const corpus = openCorpus(root, { workerFile, ...options })
  onTestFinished(() => corpus.close())
  return corpus
}

type Outcome = Record<string, unknown> & { metrics?: Record<string, unknown> }

async function outcome(
  corpus: Corpus,
  op: 'list' | 'grep' | 'summary' | 'chunks',
  args: object,
  options: RequestOptions = {},
) {
  try {
    return withHits((await (corpus[op] as UncheckedOperation<unknown>)(args, options)) as Outcome)
  } catch (error) {
    return { error: (error as Error).message } as Outcome
  }
}

/** Parses hits that were returned as JSON. */
function withHits({ written, ...result }: Outcome): Outcome {
  if (written === undefined) return result
  const { pieces, release } = written as WrittenHits
  const hits = pieces.flatMap((piece: unknown) =>
    piece instanceof Uint8Array ? (JSON.parse(`[${String(piece)}]`) as unknown[]) : [piece],
  )
  release()
  return { ...result, hits }
}

/** The result without the elapsed time and the source. */
function comparable({ metrics, ...result }: Outcome): object {
  const { time_ms: _, fresh: __, ...rest } = metrics ?? {}
  return { ...result, metrics: rest }
}

/** `npm test` runs a part of the rounds, `npm run test:long` all of them. */
const share = process.env.ZEE_ROUNDS === undefined ? 0.2 : 1

/** Compares results of the index and the disk on a changing tree; most must come from the index. */
async function compare(
  root: string,
  index: Partial<IndexOptions>,
  rounds: number,
): Promise<IndexStats> {
  const seed = Date.now() % 1_000_000
  const random = randomNumbers(seed)
  for (let count = 0; count < 60; count++) changeTree(root, random)
  const [plain, indexed] = [open(root), open(root, index)]
  await indexed.buildIndex()
  let asked = 0
  for (let round = 0; round < rounds * share; round++) {
    for (let count = random(4); count > 0; count--) changeTree(root, random)
    const { op, args } = randomRequest(random)
    let request = args
    for (let page = 0; page < 3; page++) {
      const [ours, theirs] = [
        await outcome(indexed, op, request, { writesHits: random(2) === 0 }),
        await outcome(plain, op, request),
      ]
      const note = `seed ${seed}, round ${round}: ${op} ${JSON.stringify(request)}`
      expect(comparable(ours), note).toEqual(comparable(theirs))
      if (index.watch !== false || op === 'grep') asked++
      if (typeof theirs.next_cursor !== 'string') break
      request = { ...args, cursor: theirs.next_cursor }
    }
  }
  const stats = indexed.indexStats() as IndexStats
  expect(stats.answers).toBeGreaterThan(asked * 0.9)
  return stats
}

describe('an index on a changing tree', () => {
  it('returns the same results as the disk for random requests', async () => {
    expect(await compare(newRoot(), {}, 600)).toMatchObject({ fresh: 'watch' })
  }, 120_000)

  it('returns the same results as the disk when query threads search every file', async () => {
    const stats = await compare(newRoot(), { ownFiles: 0 }, 400)
    expect(stats.handed_over).toBeGreaterThan(60 * share)
  }, 120_000)

  it('returns the same results as the disk when query threads continue the search', async () => {
    const stats = await compare(newRoot(), { ownFiles: 3 }, 300)
    expect(stats.handed_over).toBeGreaterThan(20 * share)
  }, 120_000)

  it('returns the same results as the disk without watches', async () => {
    expect(await compare(newRoot(), { watch: false }, 300)).toMatchObject({ fresh: 'sweep' })
  }, 120_000)

  it('returns the same results as the disk when events are lost', async () => {
    expect(await compare(newRoot(), { eventLimit: 2 }, 300)).toMatchObject({ fresh: 'watch' })
  }, 120_000)

  it('watches a folder that replaced another while events were lost', async () => {
    const root = newRoot()
    const folder = path.join(root, 'lib')
    mkdirSync(folder)
    const corpus = open(root, { eventLimit: 2 })
    await corpus.buildIndex()
    const files = async (): Promise<string[]> => (await corpus.list({})).files
    for (let round = 0; round < 40 * share; round++) {
      rmSync(folder, { recursive: true })
      mkdirSync(folder)
      expect(await files()).toEqual([])
      writeFileSync(path.join(folder, 'new'), '')
      expect(await files()).toEqual(['lib/new'])
    }
  })

  it('returns the same results as the disk without memory for contents', async () => {
    const stats = await compare(newRoot(), { contentBytes: 0 }, 300)
    expect(stats).toMatchObject({ content_bytes: 0 })
  }, 120_000)

  it('returns the same results as the disk without memory for signatures', async () => {
    const tight = { memoryBytes: 10 << 20, contentBytes: 0, threads: 1 }
    await compare(newRoot(), tight, 150)
  }, 120_000)
})

describe('an index while its threads work', () => {
  it('answers the second list request, instead of a second walk of the disk beside the build', async () => {
    const root = newRoot()
    writeFileSync(path.join(root, 'a'), '')
    const corpus = open(root, {})
    for (let request = 0; request < 3; request++) {
      expect((await corpus.list({})).files).toEqual(['a'])
    }
    expect(corpus.indexStats()).toMatchObject({ state: 'ready', answers: 2 })
  })

  it('finds every change immediately', async () => {
    const root = newRoot()
    const file = (number: number): string => path.join(root, `d${number % 20}/f${number}.txt`)
    for (let number = 0; number < 20; number++) mkdirSync(path.join(root, `d${number}`))
    const write = (number: number, text: string): void =>
      writeFileSync(file(number), `${'some words in a file\n'.repeat(number % 60)}${text}\n`)
    for (let number = 0; number < 1010; number++) write(number, `first${number}x`)
    const corpus = open(root, {})
    await corpus.buildIndex()
    const found = async (pattern: string): Promise<number> =>
      (await corpus.grep({ pattern })).hits.length
    const last = Math.ceil(40 * share) - 1
    for (let round = 0; round <= last; round++) {
      for (let number = 0; number < 150; number++) write(number, `round${round}n${number}x`)
      for (let change = 0; change < 8; change++) {
        write(1000 + change, `change${round}c${change}x`)
        expect(await found(`change${round}c${change}x`)).toBe(1)
        expect(await found(`round${round}n${change * 7}x`)).toBe(1)
      }
    }
    await corpus.buildIndex()
    for (let number = 0; number < 150; number++)
      expect(await found(`round${last}n${number}x`)).toBe(1)
  }, 60_000)

  it('classifies the uses of a name again after a change of the file', async () => {
    const root = newRoot()
    const file = path.join(root, 'a.ts')
    const corpus = open(root, {})
    const kinds = async (text: string): Promise<string> => {
      writeFileSync(file, text)
      const { references } = await corpus.references({ name: 'used' })
      return references.map(({ line, kind }) => `${line} ${kind}`).join()
    }
    expect(await kinds('used()\n')).toBe('1 call')
    await corpus.buildIndex()
    expect(await kinds('/* used */\n')).toBe('1 other')
    expect(await kinds('/* used */\n')).toBe('1 other')
    expect(await kinds('// unused\nused()\n')).toBe('2 call')
    expect(await kinds('// unused\n')).toBe('')
    expect(await kinds('// unused\n')).toBe('')
    expect(await kinds('function used() {}\n')).toBe('1 definition')
  })

  it('references that are known from earlier requests are those of a first request', async () => {
    const root = newRoot()
    const text = 'function used() {}\n// unused\nused(1)\n// used\n'
    for (let file = 0; file < 90; file++) {
      writeFileSync(path.join(root, `f${file}.js`), file % 3 === 0 ? '// unused\n' : text)
    }
    const expected = (await open(root, {}).references({ name: 'used', max: 1000 })).references
    expect(expected).toHaveLength(180)
    const corpus = open(root, {})
    await corpus.buildIndex()
    const pages = async (max: number): Promise<unknown[]> => {
      const rows: unknown[] = []
      let cursor: string | undefined
      do {
        const page = await corpus.references({ name: 'used', max, cursor })
        rows.push(...page.references)
        cursor = page.next_cursor
      } while (cursor !== undefined)
      return rows
    }
    for (const max of [7, 1000, 7, 64, 1000]) expect(await pages(max)).toEqual(expected)
    rmSync(path.join(root, 'f1.js'))
    expect(await pages(1000)).toEqual(expected.filter(({ path }) => path !== 'f1.js'))
  })

  it('reuses the memory of files that change repeatedly', async () => {
    const root = newRoot()
    writeFileSync(path.join(root, 'a.txt'), 'text\n'.repeat(2000))
    const corpus = open(root, {})
    await corpus.buildIndex()
    const rewrite = async (rounds: number): Promise<number> => {
      for (let round = 0; round < rounds; round++) {
        writeFileSync(
          path.join(root, 'a.txt'),
          `${'text\n'.repeat(2000 - (round % 7))}n${round}x\n`,
        )
        expect((await corpus.grep({ pattern: `n${round}x` })).hits).toHaveLength(1)
      }
      return corpus.indexStats()?.memory_bytes ?? 0
    }
    // A leak of 150 texts would be 1.5 MB.
    const before = await rewrite(30)
    expect(await rewrite(150)).toBeLessThan(before + 750_000)
  }, 60_000)
})
