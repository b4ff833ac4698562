import { describe, expect, it } from 'vitest'
import { rounded } from '../distribution.ts'
import { Random } from '../random.ts'
import { arrangementsOf, drawsFor, shiftTests, type MeasuredMission } from './shuffles.ts'

const mission = (inA: number, inB: number, ...rows: number[]): MeasuredMission => ({
  rows: Float64Array.from(rows),
  inA,
  inB,
})

it.each([
  [100, 2000, 2000],
  [24_000, 5000, 1000],
  [23_976, 5000, 1001],
  [12_000, 5000, 2000],
  [1e9, 5000, 1000],
  [1e9, 500, 500],
  [1, 1e9, 24_000_000],
  [0, 1e9, 24_000_000],
])('for %d attempts and %d requested draws, drawsFor gives %d', (attempts, requested, draws) => {
  expect(drawsFor(attempts, requested)).toBe(draws)
})

it.each([
  [[], 1],
  [[mission(1, 1)], 2],
  [[mission(3, 2)], 10],
  [[mission(2, 3)], 10],
  [[mission(2, 2), mission(4, 1)], 30],
  [[mission(2, 0)], 1],
])('arrangementsOf counts the arrangements of table %#', (missions, arrangements) => {
  expect(Math.round(arrangementsOf(missions))).toBe(arrangements)
})

function results(missions: MeasuredMission[], width: number, draws: number, alpha: number) {
  return shiftTests(missions, { width, draws, alpha }, new Random(4)).map(
    ({ shift, p, interval }) => [
      rounded(shift),
      rounded(p),
      interval === undefined ? undefined : [rounded(interval.low), rounded(interval.high)],
    ],
  )
}

describe('shiftTests', () => {
  it('tests a shift of one mission', () => {
    expect(results([mission(4, 4, 1, 2, 3, 4, 11, 12, 13, 14)], 1, 199, 0.1)).toEqual([
      [10, 0.02, [8, 12]],
    ])
    expect(results([mission(4, 4, 11, 12, 13, 14, 1, 2, 3, 4)], 1, 199, 0.1)).toEqual([
      [-10, 0.02, [-12, -8]],
    ])
  })

  it('tests several measures of several missions with the same arrangements', () => {
    const missions = [
      mission(3, 2, 1, 10, 2, 20, 4, 40, 8, 90, 16, 70),
      mission(2, 4, 3, 30, 5, 50, 9, 20, 17, 40, 33, 60, 65, 80),
      mission(1, 3, 0, 0, 1, 10, 2, 25, 7, 35),
    ]
    expect(results(missions, 2, 99, 0.2)).toEqual([
      [13.333333, 0.02, [4.954545, 22.526316]],
      [30, 0.02, [16.363636, 41.578947]],
    ])
    expect(results(missions, 2, 99, 0.5)).toEqual([
      [13.333333, 0.02, [7.485714, 18.62963]],
      [30, 0.02, [22.571429, 36.857143]],
    ])
  })

  it('has p = 1 without a shift, and no interval with too few arrangements', () => {
    expect(results([mission(2, 2, 5, 5, 5, 5)], 1, 50, 0.4)).toEqual([[0, 1, [0, 0]]])
    expect(results([mission(1, 1, 5, 7)], 1, 50, 0.4)).toEqual([[2, 0.862745, undefined]])
  })

  it('has an interval from the rank 1 on, and with two thresholds for each rank', () => {
    const one = [mission(5, 5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)]
    expect([0.19, 0.2, 0.21, 0.4].map((alpha) => results(one, 1, 9, alpha))).toEqual([
      [[5, 0.2, undefined]],
      [[5, 0.2, [3.5, 6]]],
      [[5, 0.2, [3.5, 6]]],
      [[5, 0.2, [4, 6]]],
    ])
    expect([0.9, 1, 1.2].map((alpha) => results(one, 1, 4, alpha))).toEqual([
      [[5, 0.4, [4.666667, 5]]],
      [[5, 0.4, [4.666667, 5]]],
      [[5, 0.4, undefined]],
    ])
  })
})
