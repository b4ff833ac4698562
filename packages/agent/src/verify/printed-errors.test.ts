import { expect, it } from 'vitest'
import { countErrors, countWarnings } from './printed-errors.ts'

it.each<[output: string, errors: number | undefined]>([
  ['✖ 5 problems (3 errors, 2 warnings)', 3],
  ['✖ 1 problem (1 error, 0 warnings)', 1],
  ['Found 4 errors in 2 files.', 4],
  ['    2 Error(s)', 2],
  ['webpack 5 compiled with 3 errors in 5 ms', 3],
  ['2 errors, 1 warning', 2],
  ['could not compile `a` due to 2 previous errors', 2],
  ['9 files inspected, 4 offenses detected', 4],
  ['3 issues:', 3],
  ['2 errors generated.', 2],
  ['1 error', 1],
  ['a.ts(1,1): error TS2322: x\nb.ts(1,1): error TS1: y\nerror: z', 3],
  ['error[E0308]: mismatched types', 1],
  // Failures without a number.
  ['make: *** [all] Error 2', 1],
  ['make[2]: *** [all] x', 1],
  ['BUILD FAILED in 1s', 1],
  ['Failed to compile.', 1],
  ['FAILURE: Build failed with an exception.', 1],
  ['could not compile `a`', 1],
  ['Compilation failed', 1],
  ['Build failed', 1],
  // Success.
  ['Found 0 errors.', 0],
  ['no issues found', 0],
  ['0 problems', 0],
  ['Success: no issues', 0],
  ['All checks passed!', 0],
  ['webpack compiled successfully', 0],
  ['BUILD SUCCESSFUL in 1s', 0],
  ['BUILD SUCCESS', 0],
  ['Build succeeded.', 0],
  // Neither.
  ['', undefined],
  ['done in 3s', undefined],
])('countErrors of %j is %j', (output, errors) => {
  expect(countErrors(`x\n${output}\ny`)).toBe(errors)
})

it.each<[output: string, warnings: number]>([
  ['✖ 5 problems (3 errors, 2 warnings)', 2],
  ['warning: `a` (lib) generated 3 warnings', 3],
  ['compiled with 1 warning', 1],
  ['found 4 warnings', 4],
  ['2 warnings emitted', 2],
  ['5 warnings generated.', 5],
  ['6 warnings found', 6],
  ['    7 Warning(s)', 7],
  ['a warning', 0],
  ['', 0],
])('countWarnings of %j is %j', (output, warnings) => {
  expect(countWarnings(`x\n${output}\ny`)).toBe(warnings)
})

it('reads the last 64 KiB of an output', () => {
  const line = 'Found 4 errors, compiled with 2 warnings'
  const rest = 64 * 1024 - line.length
  const whole = line + '.'.repeat(rest)
  expect([countErrors(whole), countWarnings(whole)]).toEqual([4, 2])
  const start = line.indexOf('with')
  const cut = (dropped: number) => line + '.'.repeat(rest + dropped)
  expect([0, 1].map((more) => countErrors(cut(more)))).toEqual([4, undefined])
  expect([start, start + 1].map((more) => countWarnings(cut(more)))).toEqual([2, 0])
})
