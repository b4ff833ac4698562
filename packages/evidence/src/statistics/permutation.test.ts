import { describe, expect, test } from 'vitest'
import { holm, signFlipTest, stratifiedTest, type MissionCounts } from './permutation.ts'
import { Random } from './random.ts'

// Charles Darwin's fifteen pairs of maize (cross- minus self-fertilised, eighths of an inch), which
// Fisher took for his example of the randomisation test in The Design of Experiments: of the 32,768
// arrangements of signs 863 have a total of 314 or more, and as many one of -314 or less.
const darwin = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]

describe('signFlipTest', () => {
  test("reproduces Fisher's count for Darwin's maize", () => {
    const { p, greater, exact } = signFlipTest(darwin.map(withDifference), 10, new Random(1))
    expect(exact).toBe(true)
    expect(p).toBeCloseTo((2 * 863) / 32_768, 12)
    expect(greater).toBeCloseTo(863 / 32_768, 12)
  })

  test('equals the enumeration of all arrangements for up to 9 missions', () => {
    const random = new Random(3)
    for (let missions = 1; missions <= 9; missions++) {
      const differences = Array.from({ length: missions }, () => random.below(11) - 5)
      const { p } = signFlipTest(differences.map(withDifference), 10, random)
      expect(p).toBeCloseTo(enumerated(differences), 12)
    }
  })

  test('samples missions whose counts have no moderate common multiple, with p never 0', () => {
    const primes = [1009, 1013, 1019, 1021, 1031, 1033, 1039, 1049, 1051, 1061]
    const missions = primes.map((n) => counts(0, n, n, n))
    const drawn = signFlipTest(missions, 999, new Random(1))
    expect(drawn.exact).toBe(false)
    expect(drawn.p).toBeGreaterThan(0)
    expect(drawn.p).toBeLessThan(0.01)
  })

  test('counts sampled sums that equal the observed one', () => {
    const primes = [1009, 1013, 1019, 1021]
    const lost = primes.map((n) => counts(n, n, 0, n))
    const won = primes.map((n) => counts(0, n, n, n))
    expect(signFlipTest(lost, 99, new Random(1))).toEqual({
      exact: false,
      greater: 1,
      p: 0.11,
    })
    expect(signFlipTest(won, 99, new Random(1))).toEqual({
      exact: false,
      greater: 0.08,
      p: 0.11,
    })
    expect(signFlipTest([...won.slice(1), ...lost.slice(0, 1)], 99, new Random(1))).toEqual({
      exact: false,
      greater: 0.34,
      p: 0.6,
    })
  })

  test('returns p = 1 without differences', () => {
    expect(signFlipTest([0, 0, 0].map(withDifference), 10, new Random(1)).p).toBe(1)
  })

  test('needs six missions to get below 0.05', () => {
    const lost = (missions: number) => Array.from({ length: missions }, () => counts(1, 1, 0, 1))
    expect(signFlipTest(lost(5), 10, new Random(1)).p).toBeCloseTo(2 / 32, 12)
    expect(signFlipTest(lost(6), 10, new Random(1)).p).toBeCloseTo(2 / 64, 12)
  })
})

describe('stratifiedTest', () => {
  test("reproduces Fisher's exact value for the lady tasting tea", () => {
    // Three of four cups right: two-sided 34/70.
    const { p, exact } = stratifiedTest([counts(3, 4, 1, 4)], 10, new Random(1))
    expect(exact).toBe(true)
    expect(p).toBeCloseTo(34 / 70, 12)
    expect(stratifiedTest([counts(4, 4, 0, 4)], 10, new Random(1)).p).toBeCloseTo(2 / 70, 12)
  })

  test('equals the enumeration of all relabellings of two missions with unequal counts', () => {
    const missions = [counts(3, 3, 1, 3), counts(2, 4, 0, 2)]
    const { p, exact } = stratifiedTest(missions, 10, new Random(1))
    expect(exact).toBe(true)
    expect(p).toBeCloseTo(relabelled(missions), 12)
  })

  test('samples counts without a moderate common multiple, with p near the exact value', () => {
    const exact = Array.from({ length: 5 }, () => counts(14, 30, 11, 30))
    const sampled = [...exact, counts(0, 1009, 0, 1013), counts(0, 1019, 0, 1021)]
    const drawn = stratifiedTest(sampled, 20_000, new Random(1))
    expect(drawn.exact).toBe(false)
    expect(Math.abs(drawn.p - stratifiedTest(exact, 1, new Random(1)).p)).toBeLessThan(0.01)
    expect(stratifiedTest(sampled, 20_000, new Random(1))).toEqual(drawn)
  })

  test('samples the passes of B from their distribution', () => {
    const rare = [counts(0, 1009, 3, 1013), counts(2, 1019, 5, 1021)]
    const few = counts(4, 5, 1, 7)
    expect(stratifiedTest([...rare, few], 400, new Random(1))).toEqual({
      exact: false,
      greater: 0.972568578553616,
      p: 0.05236907730673317,
    })
    const even = [counts(1, 1009, 0, 1013), counts(0, 1019, 0, 1021)]
    expect(stratifiedTest(even, 400, new Random(1))).toEqual({
      exact: false,
      greater: 1,
      p: 0.46384039900249374,
    })
    expect(stratifiedTest([counts(9, 9, 8, 9), ...even], 400, new Random(2))).toEqual({
      exact: false,
      greater: 1,
      p: 0.256857855361596,
    })
  })

  test('returns both tails of the exact distribution', () => {
    const tails = [
      stratifiedTest([counts(3, 4, 1, 4)], 1, new Random(1)),
      stratifiedTest([counts(1, 4, 3, 4)], 1, new Random(1)),
      stratifiedTest([counts(2, 5, 3, 3), counts(1, 2, 0, 4)], 1, new Random(1)),
    ]
    const share = (value: number) => Math.round(value * 1e9) / 1e9
    expect(tails.map(({ p, greater }) => [share(p), share(greater)])).toEqual([
      [0.485714286, 0.985714286],
      [0.485714286, 0.242857143],
      [1, 0.535714286],
    ])
  })

  test('returns p = 1 for one attempt per side', () => {
    expect(stratifiedTest([counts(1, 1, 0, 1)], 10, new Random(1)).p).toBe(1)
  })
})

test('holm multiplies p-values by the number of remaining tests and keeps them monotonic', () => {
  expect(holm([0.01, 0.04, 0.03])).toEqual([0.03, 0.06, 0.06])
  expect(holm([0.5, 0.9])).toEqual([1, 1])
  expect(holm([])).toEqual([])
})

test('signFlipTest rejects at most about 5 % of comparisons without a difference', () => {
  const random = new Random(11)
  let rejected = 0
  for (let round = 0; round < 1000; round++) {
    const missions = Array.from({ length: 10 }, () =>
      counts(draw(random, 4, 0.6), 4, draw(random, 4, 0.6), 4),
    )
    if (signFlipTest(missions, 10, random).p < 0.05) rejected++
  }
  expect(rejected / 1000).toBeLessThan(0.065)
})

function draw(random: Random, attempts: number, rate: number): number {
  let passed = 0
  for (let attempt = 0; attempt < attempts; attempt++) passed += random.share() < rate ? 1 : 0
  return passed
}

/** A mission with this difference of passes. */
function withDifference(difference: number): MissionCounts {
  return counts(100, 200, 100 + difference, 200)
}

function counts(aPassed: number, aJudged: number, bPassed: number, bJudged: number): MissionCounts {
  return { a: { passed: aPassed, judged: aJudged }, b: { passed: bPassed, judged: bJudged } }
}

function enumerated(differences: readonly number[]): number {
  const observed = Math.abs(differences.reduce((sum, each) => sum + each, 0))
  let hits = 0
  for (let set = 0; set < 2 ** differences.length; set++) {
    const sum = differences.reduce((all, each, i) => all + ((set >> i) & 1 ? each : -each), 0)
    if (Math.abs(sum) >= observed - 1e-9) hits++
  }
  return hits / 2 ** differences.length
}

/** The p-value by enumeration of all relabellings of the attempts of each mission. */
function relabelled(missions: readonly MissionCounts[]): number {
  const ways = missions.map(({ a, b }) => {
    const outcomes = Array.from({ length: a.judged + b.judged }, (_, index) =>
      index < a.passed + b.passed ? 1 : 0,
    )
    const found: number[] = []
    for (let set = 0; set < 2 ** outcomes.length; set++) {
      const inA = outcomes.filter((_, i) => (set >> i) & 1)
      if (inA.length !== a.judged) continue
      const passed = inA.reduce<number>((sum, each) => sum + each, 0)
      found.push((a.passed + b.passed - passed) / b.judged - passed / a.judged)
    }
    return found
  })
  const sums = ways.reduce((all, each) => all.flatMap((x) => each.map((y) => x + y)), [0])
  const observed = missions.reduce(
    (sum, { a, b }) => sum + b.passed / b.judged - a.passed / a.judged,
    0,
  )
  return sums.filter((sum) => Math.abs(sum) >= Math.abs(observed) - 1e-9).length / sums.length
}
