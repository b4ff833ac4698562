import { describe, expect, it } from 'vitest'
import {
  bytes,
  compact,
  pluralize,
  distinctInstants,
  dollars,
  duration,
  formatInstant,
  points,
} from './format.ts'

describe('formatted values', () => {
  it.each([
    [duration(0), '0 ms'],
    [duration(999.4), '999 ms'],
    [duration(999.6), '1 s'],
    [duration(1000), '1 s'],
    [duration(61_000), '1 min 1 s'],
    [duration(59_960), '1 min 0 s'],
    [duration(119_600), '2 min 0 s'],
    [duration(3_599_700), '1 h 0 min'],
    [duration(7_199_000), '2 h 0 min'],
    [duration(7_260_000), '2 h 1 min'],
    [bytes(1023), '1023 B'],
    [bytes(1536), '1.5 KiB'],
    [bytes(1024 ** 2 - 1), '1 MiB'],
    [bytes(5 * 1024 ** 3), '5 GiB'],
    [compact(999), '999'],
    [compact(12_345), '12.3k'],
    [compact(1_250_000), '1.3M'],
    [pluralize(1, 'call'), '1 call'],
    [pluralize(1200, 'retry', 'retries'), '1,200 retries'],
    [points(-0.1664), '-16.6'],
    [points(0.004), '+0.4'],
    [points(-0.0004), '0.0'],
    [dollars(0.01234), '$0.0123'],
    [formatInstant('2026-11-15T11:02:09.123Z'), '15 Nov 2026, 11:02:09 UTC'],
    [formatInstant('soon'), 'soon'],
    [formatInstant(undefined), '–'],
  ])('%s equals %s', (actual, expected) => {
    expect(actual).toBe(expected)
  })
})

describe('distinctInstants', () => {
  it.each([
    ['2026-11-18T02:25:48Z', '2026-11-19T02:25:57Z', ['2026-11-18', '2026-11-19']],
    ['2026-11-18T02:25:48Z', '2026-11-18T02:25:57Z', ['02:25:48', '02:25:57']],
    ['2026-11-18T02:25:48Z', '2026-11-18T02:25:48Z', ['2026-11-18', '2026-11-18']],
  ])('labels the ends %s and %s', (first, last, labels) => {
    expect(distinctInstants([first, last])).toEqual(labels)
  })
})
