import { mkdtempSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { systemClock } from '@zee/core/clock'
import type { Clock } from '@zee/core/clock'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { childProgram } from '../../../../../test/support/paths.ts'
import { messageOf } from '../../../test/support/answers.ts'
import { corpusOf, put, tree } from '../../../test/support/trees.ts'
import type { Corpus, CorpusOptions, GrepArgs } from '../../corpus.ts'
import { openCorpusRoot } from '../../root/root.ts'
import { TreeWalk } from '../../walk/walk.ts'
import { FileBatch } from '../file-batch.ts'
import type { ReadBatch } from '../file-batch.ts'
import { plainNeedle } from '../../finder/plain-needle.ts'
import type { PlainNeedle } from '../../finder/plain-needle.ts'
import type { PrefilterJob } from './jobs.ts'
import { prefilterJob } from './filter-files.ts'
import { FilteredBatch } from './filtered-batch.ts'
import { Prefilter } from './prefilter.ts'

const prefilterWith = (worker: string, threads = 1): CorpusOptions => ({
  prefilter: { threads, minRemainingMs: 0, estimateIntervalMs: 0 },
  workerFile: (name) => childProgram('corpus', name === 'prefilter-worker' ? worker : name),
})

/** A clock that advances 10 ms per reading, so that the event loop turns after every step. */
function slowClock(): Clock {
  let now = 0
  return { ...systemClock, monotonicMs: () => (now += 10) }
}

const opened = (root: string, options: CorpusOptions = {}): Corpus =>
  corpusOf(root, { clock: slowClock(), ...options })

/** Enough files for threads to start. Every 40th file matches, and some are links. */
const many = mkdtempSync(path.join(tmpdir(), 'corpus-prefilter-'))

beforeAll(() => {
  const files = Array.from({ length: 2800 }, (_, at): [string, string] => {
    const text = at % 40 === 7 ? 'é needle\r\n and\nneedle again' : 'nothing\r\nhere é'
    return [`d${at % 7}/e${at % 11}/f${at}.txt`, `${text}${at}\n`.repeat(1 + (at % 3))]
  })
  put(many, Object.fromEntries(files))
  symlinkSync('e7/f7.txt', path.join(many, 'd0/inside'))
  symlinkSync('/etc/passwd', path.join(many, 'd1/outside'))
  symlinkSync('missing', path.join(many, 'd2/nowhere'))
})

afterAll(() => rmSync(many, { recursive: true }))

const all = { pattern: 'needle', max_hits: 1000 }

const questions: GrepArgs[] = [
  { pattern: 'needle' },
  { pattern: 'needle', max_hits: 3 },
  { pattern: 'needle', mode: 'count', max_hits: 5 },
  { pattern: 'needle', mode: 'files', max_hits: 1000 },
  { pattern: 'needle', max_files: 1834, max_hits: 1000 },
  { pattern: 'needle', max_bytes: 40, max_hits: 1000 },
  { pattern: 'needle', paths: '*9.txt', context: 1, max_hits: 1000 },
  { pattern: 'nothing', max_hits: 100_000 },
  { pattern: 'nowhere to be found' },
]

/** Answers without their times. */
async function answers(corpus: Corpus): Promise<unknown[]> {
  const given: unknown[] = []
  for (const question of questions) {
    const { metrics, ...answer } = await corpus.grep(question)
    given.push({ ...answer, metrics: { ...metrics, time_ms: 0 } })
  }
  return given
}

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

describe('prefilter threads', () => {
  const plain = lazily(() => answers(opened(many)))

  test.each([
    ['prefilter-worker', 1, true],
    ['prefilter-worker', 3, false],
    ['dying-prefilter-worker', 2, false],
    ['dying-prefilter-worker', 1, true],
    ['missing', 1, false],
  ])(
    'do not change any answer (worker %s, %i threads, ownsProcess: %s)',
    async (worker, threads, ownsProcess) => {
      const options = { ...prefilterWith(worker, threads), ownsProcess }
      expect(await answers(opened(many, options))).toEqual(await plain())
    },
  )

  test('decide which files the search reads again', async () => {
    const corpus = opened(many, prefilterWith('blind-prefilter-worker'))
    const { hits, metrics } = await corpus.grep(all)
    expect(hits.length).toBeLessThan(284)
    expect(metrics.files_scanned).toBe(2803)
  })

  test('stop when the request is cancelled, and the next request is answered', async () => {
    const corpus = opened(many, prefilterWith('prefilter-worker'))
    const abort = new AbortController()
    const asked = corpus.grep(all, { signal: abort.signal })
    setImmediate(() => abort.abort())
    expect(await messageOf(asked)).toBe('the request was cancelled')
    const { hits } = await corpus.grep(all)
    expect(hits.length).toBe(284)
  })

  test('serve one of several concurrent searches, and all are answered', async () => {
    const corpus = opened(many, prefilterWith('prefilter-worker'))
    const asked = Array.from({ length: 6 }, () => corpus.grep(all))
    for (const { hits } of await Promise.all(asked)) expect(hits.length).toBe(284)
  })
})

test('prefilter threads start only for a search with enough time left, and for one at a time', async () => {
  const root = openCorpusRoot(many)
  const setup = { root, needle: needleOf('x'), maxBytes: 100 }
  const use = new Prefilter({ threads: 1 }, childProgram('corpus', 'prefilter-worker'))
  expect(use.start(100, 0.5, setup)).toBe(undefined)
  const begun = use.start(100, 0.1, setup)
  expect(begun).toBeDefined()
  expect(use.start(100, 0.1, setup)).toBe(undefined)
  await begun?.close()
  const next = use.start(100, 0.1, setup)
  expect(next).toBeDefined()
  await use.close()
  expect(use.start(100, 0.1, setup)).toBe(undefined)
})

test('the progress of a walk grows from 0 to 1 with the share of the tree that it passed', () => {
  const options = { includeHidden: false, excludedFolders: new Set<string>(), gitignore: false }
  const walk = new TreeWalk(openCorpusRoot(many), options)
  const shares = [walk.progress]
  while (walk.next()) shares.push(walk.progress)
  walk.close()
  expect(shares[0]).toBe(0)
  expect(shares.at(-1)).toBe(1)
  expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  expect(shares[shares.length >> 1]).toBeCloseTo(0.5, 1)
})

function needleOf(text: string): PlainNeedle {
  return plainNeedle(text, true) as PlainNeedle
}

function batchFor(text: string, maxBytes: number): FileBatch {
  const batch = new FileBatch(maxBytes)
  batch.setNeedle(needleOf(text))
  return batch
}

/** Every file that a search of the batch stops at, with the counts up to it. */
function met(batch: ReadBatch): string[] {
  const files: string[] = []
  const counted = (at: number): string => `${batch.charsTo(at)} ${batch.skippedTo(at)}`
  while (batch.seek()) {
    const { index } = batch
    files.push(`${batch.path} ${batch.bytes.toString('latin1')} ${counted(index)}`)
  }
  return [...files, `${batch.length} ${counted(batch.length - 1)}`]
}

test('a prefiltered batch stops at the same files with the same counts as a batch that was read directly', () => {
  const content = fc.array(fc.constantFrom('ab', 'a', 'b', '\n', '\r\n', 'é', '\0', 'x'.repeat(99)))
  fc.assert(
    fc.property(fc.array(content, { minLength: 1, maxLength: 30 }), (contents) => {
      const names = contents.map((parts, at) => [`d${at >> 3}/${100 + at}`, parts.join('')])
      const root = openCorpusRoot(tree(Object.fromEntries(names) as Record<string, string>))
      const options = { includeHidden: false, excludedFolders: new Set<string>(), gitignore: false }
      const walk = new TreeWalk(root, options)
      const [direct, file] = [batchFor('ab', 150), new FileBatch(150)]
      const job: PrefilterJob = { folders: [], files: 0 }
      const paths: string[] = []
      while (walk.next()) {
        direct.add(walk.prefix, walk.name, walk.open())
        job.folders.push({ prefix: walk.prefix, names: `${walk.name}\0`, special: walk.special })
        paths.push(walk.path)
      }
      const filtered = prefilterJob(job, root, batchFor('ab', 150))
      const kept = filtered.kept.map((number) => paths[number] as string)
      expect(met(new FilteredBatch(root, filtered, kept, file))).toEqual(met(direct))
      for (const used of [direct, file, walk]) used.close()
    }),
    { numRuns: 25 },
  )
})

test('a file that is deleted between the prefilter and the search counts as empty', () => {
  const root = openCorpusRoot(tree({ a: 'ab', b: 'ab' }))
  const folder = { prefix: '', names: 'a\0b\0', special: undefined }
  const job: PrefilterJob = { folders: [folder], files: 2 }
  const filtered = prefilterJob(job, root, batchFor('ab', 100))
  unlinkSync(path.join(root.folder.path, 'a'))
  const file = new FileBatch(100)
  expect(met(new FilteredBatch(root, filtered, ['a', 'b'], file))).toEqual([
    ...['a  0 0', 'b ab 2 0', '2 2 0'],
  ])
  file.close()
})
