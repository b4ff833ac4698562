import { describe, expect, it } from 'vitest'
import { countsText, footLines, measureCells, measureHead } from './cells.ts'
import { missionCells, missionHead, sideText } from './cells.ts'
import type { ComparedSide, Comparison } from './compare.ts'
import type { MeasureComparison } from './measures.ts'
import type { MissionComparison } from './missions.ts'

const counts = { attempts: 10, passed: 8, failed: 2, unproven: 0, infra: 0, missing: 0 }

it.each([
  [{}, '8 passed, 2 failed'],
  [{ unproven: 1 }, '8 passed, 2 failed (1 unproven)'],
  [{ infra: 1 }, '8 passed, 2 failed, 1 infra'],
  [{ missing: 3 }, '8 passed, 2 failed, 3 without outcome'],
  [{ infra: 1, missing: 3 }, '8 passed, 2 failed, 1 infra, 3 without outcome'],
])('counts attempts with %j as %s', (over, text) => {
  expect(countsText({ ...counts, ...over })).toBe(text)
})

it('describes a side with its cost, if that is known', () => {
  const side: ComparedSide = { ...counts, runIds: ['r'], rate: { passed: 8, judged: 10 } }
  expect(sideText(side)).toBe('10 attempts: 8 passed, 2 failed')
  expect(sideText({ ...side, costUsd: 1.23456 })).toBe(
    '10 attempts: 8 passed, 2 failed, 1.2346 USD',
  )
})

describe('missionCells', () => {
  const mission = {
    missionId: 'm',
    a: { rate: { passed: 8, judged: 10 }, infra: 0, missing: 0 },
    b: { rate: { passed: 2, judged: 9 }, infra: 0, missing: 0 },
    difference: -0.5,
    low: -0.75,
    high: -0.1,
    p: 0.01,
    pAdjusted: 0.0123,
    level: 'worse',
  } as MissionComparison

  it('has a cell for each column of the head', () => {
    expect(missionHead).toEqual(['mission', 'A', 'B', 'points', 'p (Holm)', ''])
    expect(missionCells(mission)).toEqual([
      'm',
      '8/10',
      '2/9',
      '-50.0 (-75.0 to -10.0)',
      '0.012',
      'worse',
    ])
  })

  it.each([{ low: null }, { high: null }])('has no interval with %j', (over) => {
    expect(missionCells({ ...mission, ...over })[3]).toBe('-50.0')
  })
})

describe('measureCells', () => {
  const measure: MeasureComparison = {
    name: 'bytes',
    unit: 'bytes',
    a: 10,
    b: 25.55,
    ratio: 2.555,
    low: 1.5,
    high: 3,
    p: 0.01,
    pAdjusted: 0.0123,
    level: 'worse',
  }

  it('has a cell for each column of the head', () => {
    expect(measureHead).toEqual(['measure', 'A', 'B', 'B to A', 'p (Holm)', ''])
    expect(measureCells(measure)).toEqual([
      'output bytes',
      '10.0',
      '25.6',
      'x 2.555 (1.500 to 3.000)',
      '0.012',
      'worse',
    ])
  })

  it.each([{ low: null }, { high: null }])('has no interval with %j', (over) => {
    expect(measureCells({ ...measure, ...over })[3]).toBe('x 2.555')
  })

  it.each([
    ['bytes', 999.94, 3, ['999.9', '3.0']],
    ['bytes', 1000, 3.4, ['1000', '3']],
    ['bytes', 3.4, 1000, ['3', '1000']],
    ['USD', 1000, 3.4, ['1000.0000', '3.4000']],
  ] as const)('in %s writes %d and %d as %j', (unit, a, b, texts) => {
    expect(measureCells({ ...measure, unit, a, b }).slice(1, 3)).toEqual(texts)
  })

  it.each([{ a: null }, { b: null }, { ratio: null }, { pAdjusted: null }])(
    'has dashes with %j',
    (over) => {
      const cells = ['output bytes', '-', '-', '-', '-', 'not measured']
      expect(measureCells({ ...measure, ...over, level: 'not measured' })).toEqual(cells)
    },
  )
})

describe('footLines', () => {
  const comparison = {
    plan: {
      effect: 0.1,
      power: 0.8,
      alpha: 0.05,
      missions: 2,
      attemptsPerMission: 9,
      expectedPower: 0.8,
    },
    settings: { seed: 3, resamples: 100, alpha: 0.05, margin: 0.02 },
    notCompared: [],
    warnings: [],
  } as unknown as Comparison
  const closing = [
    'a difference of 10 points at power 0.8 needs 9 attempts on each side for each of 2 missions',
    'seed 3, at most 100 arrangements sampled, alpha 0.05, margin 0.02',
  ]

  it('ends with the plan and the settings', () => {
    expect(footLines(comparison)).toEqual(closing)
  })

  it('names the missions left out and the warnings', () => {
    const notCompared = [
      { missionId: 'x', reason: 'only_in_a' as const },
      { missionId: 'y', reason: 'no_outcome' as const },
    ]
    expect(footLines({ ...comparison, notCompared, warnings: ['one', 'two'] })).toEqual([
      'not compared: x (only in A), y (no outcome on one side)',
      'note: one',
      'note: two',
      ...closing,
    ])
  })
})
