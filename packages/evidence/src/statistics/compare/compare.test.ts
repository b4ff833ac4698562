import { describe, expect, test } from 'vitest'
import { compareDefaults, compareRuns, type Comparison } from './compare.ts'
import { junitOfComparison } from './junit.ts'
import type { AttemptFacts, RunFacts } from '../read-run.ts'
import { Random } from '../random.ts'
import { statisticsOf } from '../statistics.ts'

const options = { ...compareDefaults, resamples: 2000, anyProfile: false, eachMission: false }

describe('compareRuns', () => {
  test('finds a run equal to itself', () => {
    const a = run({ one: '++-', two: '+--' })
    const { verdict, ok, passRate } = compare(a, a)
    expect({ verdict, ok }).toEqual({ verdict: 'equal', ok: true })
    expect(passRate).toMatchObject({ difference: 0, p: 1 })
  })

  test('treats one failed attempt as noise', () => {
    expect(compare(run({ one: '+' }), run({ one: '-' })).verdict).toBe('within_noise')
    const few = { one: '+', two: '+', three: '+', four: '+', five: '+' }
    const none = { one: '-', two: '-', three: '-', four: '-', five: '-' }
    expect(compare(run(few), run(none)).verdict).toBe('within_noise')
  })

  test('finds a clear loss worse, also with a single mission', () => {
    const { verdict, ok, passRate } = compare(run({ one: '++++++' }), run({ one: '------' }))
    expect({ verdict, ok }).toEqual({ verdict: 'worse', ok: false })
    expect(passRate).toMatchObject({ a: 1, b: 0, difference: -1, low: -1, high: -1 })
    expect(passRate.withinMissions).toEqual({ p: 0.002165, exact: true })
    expect(passRate.signFlip).toEqual({ p: 1, exact: true })
  })

  test('finds a clear gain better', () => {
    const low = Object.fromEntries(names(8).map((name) => [name, '-']))
    const high = Object.fromEntries(names(8).map((name) => [name, '+']))
    expect(compare(run(low), run(high)).verdict).toBe('better')
    expect(compare(run(high), run(low)).verdict).toBe('worse')
  })

  test('gives every mission the same weight, independent of its number of attempts', () => {
    const { passRate } = compare(run({ one: '+', two: '----' }), run({ one: '+', two: '++++' }))
    expect(passRate).toMatchObject({ a: 0.5, b: 1, difference: 0.5 })
  })

  test('counts infrastructure failures and missing outcomes separately', () => {
    const plain = compare(run({ one: '++-', two: '+' }), run({ one: '+-', two: '-' }))
    const apart = compare(run({ one: '++-ii?', two: '+' }), run({ one: '+-?', two: '-i' }))
    expect(apart.a).toMatchObject({ attempts: 7, passed: 3, failed: 1, infra: 2, missing: 1 })
    expect(apart.b).toMatchObject({ attempts: 5, passed: 1, failed: 2, infra: 1, missing: 1 })
    expect(apart.passRate).toEqual(plain.passRate)
    expect(apart.missions[0]?.a).toMatchObject({ infra: 2, missing: 1 })
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

  test('finds one broken mission worse if every mission must hold', () => {
    const a = Object.fromEntries(names(9).map((name) => [name, '++++++']))
    const b = { ...a, m3: '------' }
    expect(compare(run(a), run(b)).verdict).toBe('within_noise')
    const each = compareRuns(
      { runs: [run(a)] },
      { runs: [run(b)] },
      { ...options, eachMission: true },
    )
    expect(each.verdict).toBe('worse')
    expect(each.missions.filter(({ level }) => level === 'worse')).toHaveLength(1)
  })

  test('compares measures by mission, but not tokens from different sources', () => {
    const a = run({ one: '++', two: '+' })
    const b = run({ one: '++', two: '+' }, 3)
    const [calls] = compare(a, b).measures
    expect(calls).toMatchObject({ name: 'toolCalls', a: 10, b: 30, difference: 20, relative: 2 })
    expect(calls?.level).toBe('worse')
    for (const each of b.attempts) each.tokenSource = 'runner.metrics'
    expect(compare(a, b).measures.at(-1)).toMatchObject({ name: 'tokens', a: null, low: null })
  })

  test('gives the same bytes for the same seed, and other intervals for another seed', () => {
    const [a, b] = [noisy(1, 0.7), noisy(2, 0.5)]
    const text = (seed: number) =>
      JSON.stringify(compareRuns({ runs: [a] }, { runs: [b] }, { ...options, seed }))
    expect(text(1)).toBe(text(1))
    expect(text(1)).not.toBe(text(2))
  })

  test('reports a difference in less than 7 % of comparisons without one', () => {
    const random = new Random(77)
    let alarms = 0
    for (let round = 0; round < 200; round++) {
      const [a, b] = [noisy(random.next(), 0.6), noisy(random.next(), 0.6)]
      const { verdict } = compareRuns({ runs: [a] }, { runs: [b] }, { ...options, resamples: 300 })
      if (verdict === 'worse' || verdict === 'better') alarms++
    }
    expect(alarms / 200).toBeLessThan(0.07)
  })

  test('exports JUnit XML with failed and skipped cases and escaped names', () => {
    const a = run({ 'a<b': '++++++++', gone: '+' })
    const xml = junitOfComparison(compare(a, run({ 'a<b': '--------' })))
    expect(xml).toContain('tests="3" failures="2" errors="0" skipped="1"')
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
    expect(suite?.rate).toEqual({ passed: 0, judged: 0, low: 0, high: 1 })
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
  const marks = () => Array.from({ length: 4 }, () => (random.share() < rate ? '+' : '-')).join('')
  return run(Object.fromEntries(names(10).map((name) => [name, marks()])))
}

function names(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `m${index}`)
}
