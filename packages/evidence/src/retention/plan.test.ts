import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultAgeMs, parseAge, parseSize, planRetention, type StoredRun } from './plan.ts'

function run(runId: string, createdMs: number, bytes: number, pinned = false): StoredRun {
  return { runId, createdAt: '', createdMs, bytes, pinned }
}

const ids = (runs: readonly StoredRun[]) => runs.map(({ runId }) => runId)

test('planRetention deletes runs strictly older than the age limit', () => {
  const plan = planRetention(
    [run('a', 0, 1), run('b', 10, 1), run('c', 11, 1)],
    { olderThanMs: 90 },
    100,
  )
  expect(ids(plan.deleted)).toEqual(['a'])
  expect(ids(plan.kept)).toEqual(['b', 'c'])
})

test('planRetention subtracts runs deleted by age before it applies the size limit', () => {
  const runs = [run('a', 0, 50), run('b', 90, 50), run('c', 95, 50)]
  const plan = planRetention(runs, { olderThanMs: 50, maxBytes: 100 }, 100)
  expect(ids(plan.deleted)).toEqual(['a'])
  expect(plan).toMatchObject({ totalBeforeBytes: 150, totalAfterBytes: 100 })
})

test('planRetention deletes the oldest runs first and counts pinned runs', () => {
  const runs = [run('p', 0, 60, true), run('c', 5, 30), run('b', 5, 30), run('d', 9, 30)]
  const plan = planRetention(runs, { maxBytes: 120 }, 100)
  expect(ids(plan.deleted)).toEqual(['b'])
  expect(ids(planRetention(runs, { maxBytes: 0 }, 100).kept)).toEqual(['p'])
})

test('planRetention never deletes a pinned run, and its totals add up', () => {
  const runs = fc.array(fc.record({ at: fc.nat(100), bytes: fc.nat(1000), pinned: fc.boolean() }), {
    maxLength: 12,
  })
  fc.assert(
    fc.property(runs, fc.option(fc.nat(100)), fc.option(fc.nat(5000)), (made, age, bytes) => {
      const stored = made.map((each, index) => run(`r${index}`, each.at, each.bytes, each.pinned))
      const limits = {
        ...(age === null ? {} : { olderThanMs: age }),
        ...(bytes === null ? {} : { maxBytes: bytes }),
      }
      const plan = planRetention(stored, limits, 100)
      const sum = (list: readonly StoredRun[]) => list.reduce((all, each) => all + each.bytes, 0)
      expect(sum(plan.kept)).toBe(plan.totalAfterBytes)
      expect(sum(plan.kept) + sum(plan.deleted)).toBe(plan.totalBeforeBytes)
      expect(plan.deleted.every((each) => !each.pinned)).toBe(true)
      if (bytes !== null && plan.kept.some((each) => !each.pinned)) {
        expect(plan.totalAfterBytes).toBeLessThanOrEqual(bytes)
      }
    }),
  )
})

test.each([
  ['0s', 0],
  ['90s', 90_000],
  ['2m', 120_000],
  ['36h', 129_600_000],
  ['14d', 1_209_600_000],
  ['2W', 1_209_600_000],
])('parseAge accepts %s', (text, ms) => {
  expect(parseAge(text)).toBe(ms)
})

test.each(['', '5', 'd', '-1d', '1.5d', '5 d', '5y', '1e3d', '∞d'])(
  'parseAge refuses %j',
  (text) => {
    expect(() => parseAge(text)).toThrow(/is not an age/)
  },
)

test.each([
  ['0', 0],
  ['512', 512],
  ['512b', 512],
  ['4KB', 4096],
  ['2mb', 2_097_152],
  ['10Gb', 10_737_418_240],
  ['1tb', 1_099_511_627_776],
])('parseSize accepts %s', (text, bytes) => {
  expect(parseSize(text)).toBe(bytes)
})

test.each(['', 'mb', '-5', '1.5gb', '5 mb', '5kib', '5pb', '0x10'])(
  'parseSize refuses %j',
  (text) => {
    expect(() => parseSize(text)).toThrow(/is not a size/)
  },
)

test('runs are kept for 30 days by default', () => {
  expect(defaultAgeMs).toBe(parseAge('30d'))
})
