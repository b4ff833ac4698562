import { expect, it } from 'vitest'
import type { RunKind } from '../commands/commands.ts'
import { findCount, numberOf, numberWords } from './counts.ts'
import { failureClaims } from './failures.ts'

it('reads digits and number words up to twenty', () => {
  expect(numberWords.map(numberOf)).toEqual(Array.from({ length: 21 }, (_, index) => index))
  expect(['Zero', 'TWENTY', '0', '17', undefined].map((text) => numberOf(text))).toEqual([
    0,
    20,
    0,
    17,
    undefined,
  ])
})

it.each<[text: string, passed: number | undefined, total?: number]>([
  // Ratios.
  ['12/14 tests pass', 12, 14],
  ['12 of 14 pass', 12, 14],
  ['12 out of the 14', 12, 14],
  ['12 of all 14', 12, 14],
  // Counts.
  ['all 12 tests pass', 12],
  ['the twelve unit tests pass', 12],
  ['both 2 quick small unit test cases', 2],
  ['12 tests pass', 12],
  ['twelve quick unit specs', 12],
  ['three cases', 3],
  ['one check', undefined],
  ['two checks', 2],
  ['12 passed', 12],
  ['12 passing', 12],
  ['12 pass', 12],
  ['12 passes', 12],
  ['12 green', 12],
  ['passed: 12', 12],
  ['Passing - 12', 12],
  ['the suite passes with all 12 tests', 12],
  ['it passed with nine tests', 9],
  ['tests: I saw 12 ok', 12],
  ['the suite (12)', 12],
  ['tests (12)', 12],
  ['specs (12)', 12],
  ['all 12 are green', 12],
  ['of 12 passing', 12],
  // No count of the run.
  ['the tests pass', undefined],
  ['-12 tests', undefined],
  ['12 test files', undefined],
  ['12 test suites', undefined],
  ['12 test failures', undefined],
  ['the 2 tests that failed', undefined],
  ['2 tests which failed', undefined],
  ...[
    ...['new', 'newly', 'added', 'additional', 'extra', 'more', 'failing', 'broken', 'remaining'],
    ...['other', 'related', 'affected', 'relevant', 'regression', 'existing'],
  ].map((word): [string, undefined] => [`2 ${word} tests`, undefined]),
  ...[
    ...['added', 'adds', 'wrote', 'written', 'including', 'plus', 'with', 'removed', 'skipped'],
    ...['for', 'of which', 'another', 'created', 'fixed'],
  ].map((word): [string, undefined] => [`${word} 2 tests`, undefined]),
])('the count of %j is %j of %j', (text, passed, total) => {
  expect(findCount(text)).toEqual(
    passed === undefined ? undefined : { passed, ...(total !== undefined && { total }) },
  )
})

type Row = readonly [text: string, what: RunKind, count: number, isExact: boolean]

it.each<Row>([
  ['2 tests fail', 'test', 2, true],
  ['two tests fail', 'test', 2, false],
  ['2 of the 12 tests still fail', 'test', 2, true],
  ['2 out of all the 12 tests now fail', 'test', 2, true],
  ['1 still test currently fails', 'test', 1, true],
  ['1 spec is only failing', 'test', 1, true],
  ['three failing tests', 'test', 3, false],
  ['3 broken tests', 'test', 3, true],
  ['3 red specs', 'test', 3, true],
  ['tsc reports 2 errors', 'types', 2, true],
  ['the type check shows 2 type errors', 'types', 2, true],
  ['2 typescript errors', 'types', 2, true],
  ['2 mypy errors', 'types', 2, true],
  ['eslint finds 4 problems', 'lint', 4, true],
  ['4 linting errors', 'lint', 4, true],
  ['41 passed and 2 failed', 'test', 2, true],
  ['41 tests pass, but 2 tests fail', 'test', 2, true],
  ['41 passing, 2 failing', 'test', 2, true],
])('%j claims failures of %s: %j', (text, what, count, isExact) => {
  expect(failureClaims(text)).toEqual([{ kind: 'fails', what, count, isExact }])
})

it.each([
  ...['the tests fail', '0 tests fail', 'zero tests fail', '41 passed and 0 failed'],
  ...['2 errors', '2 problems', 'eslint is slow and prints a very long list of 4 problems'],
  ...[...['fixed', 'fixes', 'resolved', 'repaired', 'mended', 'solved', 'addressed']].map(
    (verb) => `${verb} 2 failing tests`,
  ),
  ...['2 failing tests were flaky', '2 failing tests was wrong', 'had 2 failing tests'],
  ...['2 failing tests failed', '2 failing tests no longer fail', 'at least 2 failing tests'],
  ...['about 2 failing tests', 'around 2 failing tests', 'more than 2 failing tests'],
  ...['down from 2 failing tests'],
])('%j claims no failures', (text) => {
  expect(failureClaims(text)).toEqual([])
})
