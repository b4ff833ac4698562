import { describe, expect, test } from 'vitest'
import { compareDefaults, compareRuns, type Comparison } from './compare.ts'
import { junitOfComparison } from './junit.ts'
import type { AttemptFacts, RunFacts } from '../read-run.ts'
import { Random } from '../random.ts'
import { statisticsOf } from '../statistics.ts'

const options = { ...compareDefaults, resamples: 2000, anyProfile: false }
const gate = { ...options, failOn: 'worse' as const }

describe('compareRuns', () => {
  test('does not call a small run equal to itself, because a difference may be hidden', () => {
    const a = run({ one: '++-', two: '+--' })
    const { onTheseMissions, ok } = compare(a, a)
    expect(ok).toBe(true)
    expect(onTheseMissions).toMatchObject({ verdict: 'undecided', difference: 0, p: 1 })
    expect(onTheseMissions.low).toBeLessThan(-0.3)
    expect(onTheseMissions.high).toBeGreaterThan(0.3)
  })

  test('calls runs equal only if an interval at 1 - 2 alpha lies inside the margin', () => {
    const missions = Object.fromEntries(names(8).map((name) => [name, '+'.repeat(30)]))
    const a = run(missions)
    expect(compare(a, a).onTheseMissions.verdict).toBe('equal')
    const narrow = compareRuns({ runs: [a] }, { runs: [a] }, { ...options, margin: 0.005 })
    expect(narrow.onTheseMissions.verdict).toBe('undecided')
  })

  test('leaves one failed attempt undecided and prints no interval from it', () => {
    const { onTheseMissions, a, measures } = compare(run({ one: '+' }), run({ one: '-' }))
    expect(onTheseMissions).toMatchObject({ verdict: 'undecided', p: 1, low: null, high: null })
    expect(a.rate).toEqual({ passed: 1, judged: 1, rate: 1 })
    expect(measures.map(({ level }) => level)).toContain('too few')
    expect(measures.map(({ level }) => level)).not.toContain('better')
  })

  test('decides on these missions with a single mission, but does not generalise from it', () => {
    const { onTheseMissions, onMissionsLikeThese } = compare(
      run({ one: '++++++' }),
      run({ one: '------' }),
    )
    expect(onTheseMissions).toMatchObject({ verdict: 'worse', difference: -1, p: 0.002165 })
    expect(onTheseMissions.low).toBe(-1)
    expect(onTheseMissions.high).toBeGreaterThan(-0.8)
    expect(onMissionsLikeThese).toMatchObject({
      verdict: 'undecided',
      reason: 'too few missions to generalise',
      p: null,
    })
  })

  test('decides on missions like these by the sign-flip test from six missions on', () => {
    const of = (mark: string, count: number) =>
      run(Object.fromEntries(names(count).map((name) => [name, mark])))
    expect(compare(of('-', 6), of('+', 6)).onMissionsLikeThese).toMatchObject({
      verdict: 'better',
      p: 0.03125,
    })
    expect(compare(of('+', 5), of('-', 5)).onMissionsLikeThese.reason).toBe(
      'too few missions to generalise',
    )
    // All missions alike: the interval still has width.
    const { low, high } = compare(of('+', 6), of('+', 6)).onMissionsLikeThese
    expect(low).toBeLessThan(-0.3)
    expect(high).toBeGreaterThan(0.3)
  })

  test('sees mission effects of both signs on these missions only', () => {
    const up = Object.fromEntries(names(8).map((name, i) => [name, marks(i < 5 ? 9 : 1)]))
    const down = Object.fromEntries(names(8).map((name, i) => [name, marks(i < 5 ? 1 : 9)]))
    const { onTheseMissions, onMissionsLikeThese } = compare(run(up), run(down))
    expect(onTheseMissions.verdict).toBe('worse')
    expect(onMissionsLikeThese.verdict).toBe('undecided')
  })

  test('gives every mission the same weight, independent of its number of attempts', () => {
    const { onTheseMissions } = compare(
      run({ one: '+', two: '----' }),
      run({ one: '+', two: '++++' }),
    )
    expect(onTheseMissions.difference).toBe(0.5)
  })

  test('bounds lost attempts and is undecided: infra if they could change the verdict', () => {
    const full = Object.fromEntries(names(6).map((name) => [name, marks(10)]))
    const lost = Object.fromEntries(names(6).map((name) => [name, '+iiiiiiiii']))
    const compared = compare(run(full), run(lost))
    expect(compared.onTheseMissions.verdict).toBe('undecided: infra')
    expect(compared.lost).toMatchObject({
      b: { infra: 54, missing: 0, share: 0.9 },
      bounds: { worst: -0.9, best: 0 },
      onTheseMissions: { allFailed: 'worse' },
    })
    const few = Object.fromEntries(names(6).map((name) => [name, '+--------i']))
    expect(compare(run(full), run(few)).onTheseMissions.verdict).toBe('worse')
  })

  test('bounds also missions of which no attempt was judged', () => {
    const full = run({ one: '++++++++' })
    const { onTheseMissions, lost } = compare(full, run({ one: 'iiiiiiii' }))
    expect(onTheseMissions).toMatchObject({ verdict: 'undecided: infra', p: null })
    expect(lost.bounds).toEqual({ worst: -1, best: 0 })
  })

  test('has no gate by default; the gate stops for worse and for infra failures', () => {
    const good = run(Object.fromEntries(names(6).map((name) => [name, marks(10)])))
    const bad = run(Object.fromEntries(names(6).map((name) => [name, marks(0)])))
    const lossy = run(Object.fromEntries(names(6).map((name) => [name, '++++++++ii'])))
    expect(compare(good, bad)).toMatchObject({ ok: true, gate: null })
    const stopped = (b: RunFacts, more = {}) =>
      compareRuns({ runs: [good] }, { runs: [b] }, { ...gate, ...more }).gate
    expect(stopped(bad)).toMatchObject({ failed: true })
    expect(stopped(good)).toMatchObject({ failed: false, reasons: [] })
    expect(stopped(lossy)?.reasons).toEqual([
      expect.stringContaining('more infra failures than A (p < 0.001, one-sided)'),
      expect.stringContaining('limit 10.0%'),
    ])
    expect(stopped(lossy, { maxInfra: 0.3 })?.reasons).toHaveLength(1)
  })

  test('names missions that cannot be paired, with the reason', () => {
    const a = run({ both: '+', left: '+', changed: '+', dead: 'ii' })
    const b = run({ both: '+', right: '+', changed: '+', dead: '+' })
    for (const each of b.attempts) if (each.missionId === 'changed') each.contentHash = 'other'
    expect(compare(a, b).notCompared).toEqual([
      { missionId: 'changed', reason: 'content_differs' },
      { missionId: 'dead', reason: 'no_outcome' },
      { missionId: 'left', reason: 'only_in_a' },
      { missionId: 'right', reason: 'only_in_b' },
    ])
  })

  test.each([
    ['other missions', run({ one: '+' }), run({ two: '+' })],
    ['no attempts', run({}), run({})],
    ['another suite', run({ one: '+' }), { ...run({ one: '+' }), suiteId: 'other' }],
    [
      'other settings',
      { ...run({ one: '+' }), comparabilityKey: 'x' },
      { ...run({ one: '+' }), comparabilityKey: 'y' },
    ],
  ])('throws ZCL_E_NOT_COMPARABLE with exit code 1 for %s', (_, a, b) => {
    expect(() => compare(a, b)).toThrow(
      expect.objectContaining({ code: 'ZCL_E_NOT_COMPARABLE', exitCode: 1 }) as Error,
    )
  })

  test('takes the suite from the attempts if run.json is missing', () => {
    const lost = { ...run({ one: '+' }), suiteId: '' }
    expect(compare(run({ one: '+' }), lost).suiteId).toBe('smoke')
  })

  test('compares runs with different settings on request, with a warning', () => {
    const a = { ...run({ one: '+' }), comparabilityKey: 'x' }
    const b = { ...run({ one: '+' }), comparabilityKey: 'y' }
    const { warnings } = compareRuns({ runs: [a] }, { runs: [b] }, { ...options, anyProfile: true })
    expect(warnings).toEqual([expect.stringContaining('different settings')])
  })

  test('pools several runs of one side', () => {
    const first = run({ one: '+-' })
    const second = run({ one: '++', two: '+' })
    const { a } = compareRuns({ runs: [first, second] }, { runs: [second] }, options)
    expect(a).toMatchObject({ attempts: 5, passed: 4, failed: 1 })
  })

  test('stops for one broken mission only if every mission must hold', () => {
    const a = Object.fromEntries(names(9).map((name) => [name, '++++++']))
    const b = { ...a, m3: '------' }
    const each = compareRuns({ runs: [run(a)] }, { runs: [run(b)] }, { ...gate, eachMission: true })
    expect(each.gate?.reasons).toEqual(expect.arrayContaining(['B is worse on m3']))
    expect(each.missions.filter(({ level }) => level === 'worse')).toHaveLength(1)
  })

  test('compares measures by mission, but not tokens from different sources', () => {
    const a = run(Object.fromEntries(names(6).map((name) => [name, marks(4, 4)])))
    const b = run(Object.fromEntries(names(6).map((name) => [name, marks(4, 4)])), 3)
    const [calls] = compare(a, b).measures
    expect(calls).toMatchObject({ name: 'toolCalls', a: 10, b: 30, ratio: 3, level: 'worse' })
    expect(compare(b, a).measures[0]).toMatchObject({ ratio: 0.333333, level: 'better' })
    for (const each of b.attempts) each.tokenSource = 'runner.metrics'
    const tokens = compare(a, b).measures.find(({ name }) => name === 'tokens')
    expect(tokens).toMatchObject({ a: null, p: null, level: 'not measured' })
  })

  test('gives the same bytes for the same seed', () => {
    const [a, b] = [noisy(1, 0.7), noisy(2, 0.5)]
    const text = (seed: number) =>
      JSON.stringify(compareRuns({ runs: [a] }, { runs: [b] }, { ...options, seed }))
    expect(text(1)).toBe(text(1))
  })

  test('exports JUnit XML with failed and skipped cases and escaped names', () => {
    const a = run({ 'a<b': '++++++++', gone: '+' })
    const xml = junitOfComparison(compare(a, run({ 'a<b': '--------' })))
    expect(xml).toContain('tests="4" failures="2" errors="0" skipped="1"')
    expect(xml).toContain('name="a&lt;b"')
    expect(xml).toContain('<skipped message="only_in_a"/>')
  })
})

describe('statisticsOf', () => {
  const settings = { ks: [1, 2, 5], seed: 1, resamples: 500 }

  test('groups by suite and mission, and counts infra and missing separately', () => {
    const [suite] = statisticsOf(run({ one: '++-i', two: '+?' }).attempts, settings)
    expect(suite).toMatchObject({
      suiteId: 'smoke',
      attempts: 6,
      passed: 3,
      failed: 1,
      infra: 1,
      missing: 1,
      rate: { passed: 3, judged: 4, rate: 0.75 },
      missionMean: { rate: 0.833333 },
    })
    expect(
      suite?.missions.map(({ missionId, passed, infra }) => [missionId, passed, infra]),
    ).toEqual([
      ['one', 2, 1],
      ['two', 1, 0],
    ])
    expect(suite?.missions[0]?.passAt).toEqual([
      { k: 1, passAtK: 0.666667, passHatK: 0.666667 },
      { k: 2, passAtK: 1, passHatK: 0.333333 },
      { k: 5, passAtK: null, passHatK: null },
    ])
    // One mission has a single attempt, so the suite has no pass@2.
    expect(suite?.passAt.map(({ passAtK }) => passAtK)).toEqual([0.833333, null, null])
    expect(suite?.measures.toolCalls).toMatchObject({ count: 4, p50: 10 })
  })

  test('treats the same mission id with other content as another mission', () => {
    const { attempts } = run({ one: '++' })
    const [first, second] = attempts
    if (second !== undefined) second.contentHash = 'other'
    const [suite] = statisticsOf(attempts, settings)
    expect(suite?.missions.map(({ attempts: count }) => count)).toEqual([1, 1])
    expect(first?.contentHash).not.toBe(second?.contentHash)
  })

  test('returns no rate without judged attempts, and no suite without attempts', () => {
    const [suite] = statisticsOf(run({ one: 'i?' }).attempts, settings)
    expect(suite?.missionMean).toBeNull()
    expect(suite?.rate).toEqual({ passed: 0, judged: 0 })
    expect(suite?.measures.tokens).toBeNull()
    expect(statisticsOf([], settings)).toEqual([])
  })
})

function compare(a: RunFacts, b: RunFacts): Comparison {
  return compareRuns({ runs: [a] }, { runs: [b] }, options)
}

const outcomes = { '+': 'passed', '-': 'failed', i: 'infra', '?': 'missing' } as const

/** Missions with one character for each attempt. */
function run(missions: Readonly<Record<string, string>>, cost = 1): RunFacts {
  const attempts = Object.entries(missions).flatMap(([missionId, marks]) =>
    [...marks].map((mark, index): AttemptFacts => ({
      runId: 'r',
      suiteId: 'smoke',
      missionId,
      contentHash: `hash-${missionId}`,
      attemptId: `${String(index + 1).padStart(3, '0')}-${missionId}-r1`,
      outcome: outcomes[mark as keyof typeof outcomes],
      toolCalls: 10 * cost,
      failures: cost,
      wallTimeMs: 1000 * cost,
      bytes: 500 * cost,
      tokens: 200 * cost,
      tokenSource: 'trace-heuristic',
    })),
  )
  return { runId: 'r', suiteId: 'smoke', pinned: false, attempts }
}

function noisy(seed: number, rate: number): RunFacts {
  const random = new Random(seed)
  const drawn = () => Array.from({ length: 4 }, () => (random.share() < rate ? '+' : '-')).join('')
  return run(Object.fromEntries(names(10).map((name) => [name, drawn()])))
}

function marks(passed: number, total = 10): string {
  return '+'.repeat(passed) + '-'.repeat(total - passed)
}

function names(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `m${index}`)
}
