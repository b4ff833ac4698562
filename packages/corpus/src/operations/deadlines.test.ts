import { systemClock } from '@zee/core/clock'
import { expect, test } from 'vitest'
import { messageOf } from '../../test/support/answers.ts'
import { repositoryAt } from '../../test/support/repositories.ts'
import { corpusOf, tree } from '../../test/support/trees.ts'
import type { Corpus } from '../corpus.ts'

/** Each look at the clock takes a millisecond. */
function tickingCorpus(root: string, stepMs = 1): Corpus {
  let nowMs = 1000
  return corpusOf(root, { clock: { ...systemClock, monotonicMs: () => (nowMs += stepMs) } })
}

/** The clock stands still. */
function frozenCorpus(root: string): Corpus {
  return corpusOf(root, { clock: { ...systemClock, monotonicMs: () => 5 } })
}

const files = { 'a.ts': 'function one() {}\n', 'b.ts': 'function two() {}\n' }

type Named = 'list' | 'grep' | 'summary' | 'chunks' | 'treeSymbols' | 'locate' | 'references'
const requests: [Named, object][] = [
  ['list', {}],
  ['list', { regex: 's' }],
  ['grep', { pattern: 'one' }],
  ['summary', {}],
  ['chunks', {}],
  ['treeSymbols', { glob: '*' }],
  ['treeSymbols', { name: 'one' }],
  ['locate', { text: 'one' }],
  ['references', { name: 'one' }],
]

test.each(requests)(
  '%s %j is partial at its deadline, and complete before it',
  async (op, args) => {
    const corpus = frozenCorpus(tree(files))
    const run = async (deadline: object): Promise<object> =>
      await (corpus[op] as (all: object) => Promise<object>)({ ...args, ...deadline })
    expect(await run({ deadline_ms: 0 })).toMatchObject({ partial: true })
    expect(await run({ deadline_ms: 1 })).not.toHaveProperty('partial')
    expect(await run({})).not.toHaveProperty('partial')
  },
)

test('a deadline in the middle of a walk returns the files before it', async () => {
  const root = tree(Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`f${at}`, 'x\n'])))
  const corpus = tickingCorpus(root)
  for (const op of ['list', 'summary', 'chunks'] as const) {
    const { metrics, ...result } = await corpus[op]({ deadline_ms: 20 })
    expect(result).toMatchObject({ partial: true })
    expect(result).not.toHaveProperty('excluded')
    expect(metrics.files_scanned).toBeGreaterThan(0)
    expect(metrics.files_scanned).toBeLessThan(21)
    expect(metrics.time_ms).toBeGreaterThanOrEqual(20)
  }
})

test('log and blame are partial at their deadline', async () => {
  const { root, commit } = repositoryAt(tree({}))
  commit('one', { a: '1\n' })
  const corpus = frozenCorpus(root)
  expect(await corpus.log({ path: 'a', deadline_ms: 0 })).toMatchObject({
    commits: [],
    truncated: false,
    partial: true,
    metrics: { files_scanned: 1, bytes_read: 0 },
  })
  expect(await corpus.blame({ path: 'a', deadline_ms: 0 })).toMatchObject({ partial: true })
  expect(await corpus.log({ path: 'a', deadline_ms: 1 })).not.toHaveProperty('partial')
  expect(await corpus.blame({ path: 'a', deadline_ms: 1 })).not.toHaveProperty('partial')
})

test('reading a file that takes too long is an error with the limit and advice', async () => {
  const root = tree({ a: 'x\n'.repeat(3_000_000) })
  const advice = 'read it by start_byte and end_byte'
  expect(await messageOf(tickingCorpus(root).read({ path: 'a', deadline_ms: 2 }))).toBe(
    `reading the file timed out after 2 ms: ${advice}`,
  )
  expect(await messageOf(tickingCorpus(root, 5001).read({ path: 'a' }))).toBe(
    `reading the file timed out after 10000 ms: ${advice}`,
  )
  expect(await messageOf(tickingCorpus(root).read({ path: 'a' }))).toBe('no error')
})

test('the elapsed time is in whole milliseconds', async () => {
  let nowMs = 0.25
  const clock = { ...systemClock, monotonicMs: () => (nowMs += 0.75) }
  const { metrics } = await corpusOf(tree({ a: 'x' }), { clock }).stat({ path: 'a' })
  expect(Number.isInteger(metrics.time_ms)).toBe(true)
  const back = { ...systemClock, monotonicMs: () => (nowMs -= 100) }
  expect(
    (await corpusOf(tree({ a: 'x' }), { clock: back }).stat({ path: 'a' })).metrics.time_ms,
  ).toBe(0)
})
