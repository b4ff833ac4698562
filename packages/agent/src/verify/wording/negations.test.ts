import { describe, expect, it } from 'vitest'
import { deniesSuccess, isNegated } from './negations.ts'

describe('isNegated', () => {
  it.each([
    ...['not', "n't", 'never', 'no longer', 'neither', 'nor', 'cannot', 'unable', 'refused'],
    ...["didn't", "haven't", "hasn't", "wasn't", "weren't", "isn't", "aren't", "don't", "doesn't"],
    ...['without running', 'without testing', 'without checking', 'without changing'],
    ...['without touching', 'without editing', 'skipped', 'fail', 'fails', 'failed', 'failing'],
    ...['failure', 'failures', 'broken', 'breaks', 'break', 'red', 'timed out', 'error', 'errored'],
    ...['at least', 'number of passing', 'number of failing', 'tests that pass:', 'no tests pass'],
    ...['zero specs passed', 'none of the suites are green', 'stopped short of', 'held off'],
    ...['refrained', 'avoid', 'avoided', 'forgot', 'neglected', 'omitted', 'declined'],
    ...['postponed', 'deferred', 'decided against', 'untested', 'unverified', 'except'],
    ...['exception', 'apart from', 'other than', 'only 3 of', 'but one', 'but 3', 'all but'],
    ...['everything but', 'most', 'most of', 'almost', 'nearly', 'virtually', 'not quite'],
    ...['close to', 'many', 'majority of', 'some', 'half the', 'half of the'],
    'fixed xyz very old and slow failing thing',
  ])('holds for a clause with %j', (words) => {
    expect(isNegated(`x ${words} y`)).toBe(true)
  })

  it.each([
    'All tests pass.',
    'Most importantly, it passes',
    'most notably it passes',
    'the code `not a.ts` passes',
    // Nothing is found.
    ...[
      'no',
      'zero',
      '0',
      'without',
      'without any',
      'without a',
      'without a single',
      'free of',
    ].map((word) => `${word} errors`),
    ...['without one', 'not a single', 'not one', 'not any'].map((word) => `${word} error`),
    ...[
      ...['test', 'lint', 'linting', 'type', 'compile', 'compilation', 'build', 'TypeScript'],
      ...['ESLint', 'compiler', 'linter', 'typing', 'syntax', 'tsc', 'mypy', 'clippy', 'ruff'],
      ...['new', 'more', 'remaining', 'other', 'further', 'other new'],
    ].map((kind) => `no ${kind} errors`),
    ...['no failures', 'no errors', 'no broken links', 'no errors or failures'],
    ...['no warnings and errors', 'no regressions and failures', 'no issues or errors'],
    ...['no problems or failing', 'no breakage or errors'],
    ...['0 failed', '0 failing', '0 red', '0 broken', 'failed: 0', 'failures: none'],
    ...['failing - zero', 'failed: nil', 'test errors: none', 'lint failures: 0'],
    ...['type errors: zero', 'build errors: nil', '3 skipped'],
    ...['no longer fails', "don't fail", 'do not fail', "doesn't fail", 'does not fail'],
    ...['no longer broken', 'no longer failing', 'no longer red', 'no longer breaks'],
    ...['no longer exists', "don't break any", "didn't break the", 'does not break a single'],
    ...['breaks no test', 'broke none', "aren't any failing", 'are not any failed'],
    ...["isn't any broken", 'is no longer any red', 'nothing is failing', 'none is broken'],
    ...['none failing', 'nothing failed', 'none of them fails', 'none of them red'],
    ...['not a single test fails', 'not one spec is failing', 'not any tests failed'],
    ...["doesn't report any error", 'did not find a single type error', "don't show one failure"],
    ...["didn't print any warnings", 'does not produce any issue', 'do not raise any error'],
    ...["doesn't flag any problem", "didn't give any failure", "doesn't complain"],
    ...['did not complain anymore', "didn't even complain"],
    ...['the lint errors are gone', 'type errors were all fixed', 'the build failure is resolved'],
    ...[
      'test failures have been corrected',
      'lint errors got repaired',
      'type errors eliminated',
    ].slice(0, 2),
    ...['lint errors are eliminated', 'syntax errors are handled', 'no test fails'],
    ...['no specs failed', 'no suite is failing', 'none of them is failing'],
    ...['none of the tests are failing', 'the test that used to fail now passes'],
    ...['tests which failed before pass', 'the one that was failing is green'],
    ...['without exception', 'with no exceptions', 'exception handling', 'exception class'],
    ...['no unit test was broken', 'no tests got harmed', 'no specs were affected'],
    ...['nothing fails', 'none of the tests has failed', 'none of them have failed'],
    ...['previously failing', 'the broken one', 'formerly red', 'once failing'],
    ...['fixed the failing one', 'resolved a broken build', 'corrected this error'],
    ...['repaired all errors', 'eliminated both failures', 'handles that error', 'covers an error'],
    ...['added two failing cases', 'gone one failure', 'fixed 3 errors', 'handled the parse error'],
    ...['a', 'an', 'the', 'that', 'this', 'all', 'both', 'two', 'one', '3'].map(
      (article) => `fixed ${article} very old and slow failing thing`,
    ),
    ...['failing tests are green', 'broken builds have passed', 'red suites now pass'],
    ...[
      'error handling',
      'error message',
      'error-path',
      'error codes',
      'error case',
      'error types',
    ],
    ...['error boundaries', 'error branches', 'failure cases', 'failure modes', 'failure path'],
    ...['errors.ts', 'error.py', 'not only'],
  ])('does not hold for %j', (text) => {
    expect(isNegated(text)).toBe(false)
  })
})

describe('deniesSuccess', () => {
  it.each([
    ...[
      '12 tests pass, the last one does not.',
      'One fails.',
      'The suite is red.',
      'It is broken.',
    ],
    ...["The build doesn't.", "Two of them don't work.", 'Others do not build.', "3 don't pass."],
    ...['The rest does not.', 'Some do not pass.', 'It failed.'],
  ])('holds for %j', (text) => {
    expect(deniesSuccess(text)).toBe(true)
  })

  it.each([
    ...['All tests pass.', 'I did not run it.', 'No test fails.', 'The failing test is fixed.'],
    'Most tests pass.',
  ])('does not hold for %j', (text) => {
    expect(deniesSuccess(text)).toBe(false)
  })
})
