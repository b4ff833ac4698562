import { describe, expect, it } from 'vitest'
import { readReports } from './reports.ts'

type Row = readonly [output: string, runner: string, passed: number, failed: number, total: number]

const rows: readonly Row[] = [
  // runners.ts
  ['      Tests  3 failed | 9 passed | 2 skipped (14)', 'vitest', 9, 3, 14],
  ['      Tests  9 passed (9)', 'vitest', 9, 0, 9],
  ['      Tests  4 failed (4)', 'vitest', 0, 4, 4],
  ['      Tests  2 passed | 3 todo (5)', 'vitest', 2, 0, 5],
  ['Tests:       1 failed, 2 skipped, 1 todo, 5 passed, 9 total', 'jest', 5, 1, 8],
  ['Tests:       5 passed, 5 total', 'jest', 5, 0, 5],
  ['=== 2 failed, 7 passed, 3 skipped, 1 warning, 4 errors in 0.12s ===', 'pytest', 7, 6, 16],
  ['7 passed in 1.20s', 'pytest', 7, 0, 7],
  ['test_a.py\n2 errors in 1.20s', 'pytest', 0, 2, 2],
  ['test result: FAILED. 3 passed; 2 failed; 1 ignored; 0 measured', 'cargo test', 3, 2, 6],
  ['# tests 9\n# pass 5\n# fail 3\n# cancelled 1', 'node --test', 5, 4, 9],
  ['ℹ pass 5\nℹ fail 3', 'node --test', 5, 3, 8],
  ['ℹ pass 5', 'node --test', 5, 0, 5],
  ['  5 passing (9ms)\n  2 pending\n  3 failing', 'mocha', 5, 3, 10],
  ['  5 passing (9ms)', 'mocha', 5, 0, 5],
  ['  3 failing', 'mocha', 0, 3, 3],
  ['ok  \tx/a\t0.1s\nok  \tx/b\t(cached)', 'go test', 2, 0, 0],
  ['ok  \tx/a\t0.1s\nFAIL\tx/b\t0.2s\nFAIL\tx/c [build failed]', 'go test', 1, 2, 0],
  ['--- PASS: A\n    --- PASS: B\n--- FAIL: C\nFAIL\tx\t0.1s', 'go test', 2, 1, 3],
  ['--- FAIL: A\n--- FAIL: B\nFAIL\tx\t0.1s', 'go test', 0, 2, 0],
  ['--- PASS: A', 'go test', 1, 0, 1],
  ['FAIL\tx\t0.1s', 'go test', 0, 1, 0],
  ['Ran 9 tests in 0.1s\n\nFAILED (failures=2, errors=1)', 'unittest', 6, 3, 9],
  ['Ran 1 test in 0.1s\n\nOK', 'unittest', 1, 0, 1],
  ['9 examples, 2 failures', 'rspec', 7, 2, 9],
  ['1 example, 0 failures', 'rspec', 1, 0, 1],
  ['OK (9 tests, 20 assertions)', 'phpunit', 9, 0, 9],
  ['Tests: 9, Assertions: 20, Errors: 1, Failures: 2.', 'phpunit', 6, 3, 9],
  ['Tests: 9, Assertions: 20.', 'phpunit', 9, 0, 9],
  ['78% tests passed, 2 tests failed out of 9', 'ctest', 7, 2, 9],
  [
    'Tests run: 2, Failures: 0, Errors: 0\nTests run: 9, Failures: 1, Errors: 2, Skipped: 0',
    'maven',
    6,
    3,
    9,
  ],
  ['Failed:     2, Passed:     7, Skipped:     1, Total:    10', 'dotnet test', 7, 2, 10],
  [' 7 pass\n 2 fail', 'bun test', 7, 2, 9],
  ['ok | 7 passed | 0 failed (10ms)', 'deno test', 7, 0, 7],
  ['FAILED | 7 passed (3 steps) | 2 failed (10ms)', 'deno test', 7, 2, 9],
  ['  2 failed\n    a.spec.ts\n  7 passed (1.2s)', 'playwright', 7, 2, 9],
  ['  7 passed (1.2s)', 'playwright', 7, 0, 7],
  // summary-lines.ts
  ['1 doctest, 9 tests, 2 failures, 1 skipped', 'exunit, jasmine, bats', 6, 2, 9],
  ['9 specs, 2 failures', 'exunit, jasmine, bats', 7, 2, 9],
  ['9 runs, 20 assertions, 2 failures, 1 errors, 3 skips', 'minitest', 3, 3, 9],
  ['Executed 9 tests, with 1 test skipped and 2 failures (0 unexpected)', 'xctest', 6, 2, 9],
  ['Executed 1 test, with 1 failure\nExecuted 4 tests, with 1 failure', 'xctest', 3, 1, 4],
  ['Executed 4 of 9 SUCCESS\nExecuted 9 of 9 (2 FAILED)', 'karma', 7, 2, 9],
  ['Executed 9 of 9 SUCCESS', 'karma', 9, 0, 9],
  ['Tests: succeeded 7, failed 2, canceled 0', 'sbt', 7, 2, 9],
  ['  │ Passing:      7 │\n  │ Failing:      2 │', 'cypress', 7, 2, 9],
  ['Summary 9 tests run: 7 passed (1 slow), 2 failed', 'nextest', 7, 2, 9],
  ['[  PASSED  ] 7 tests.\n[  FAILED  ] 2 tests, listed below:', 'gtest', 7, 2, 9],
  ['[  PASSED  ] 1 test.', 'gtest', 1, 0, 1],
  ['[doctest] test cases:  9 |  7 passed | 2 failed', 'catch2, doctest', 7, 2, 9],
  ['All tests passed (12 assertions in 7 test cases)', 'catch2', 7, 0, 7],
  ['00:01 +1: All tests passed!\n00:02 +7 ~1 -2: Some tests failed.', 'flutter', 7, 2, 9],
  ['DONE 9 tests, 1 skipped, 2 failures in 0.1s', 'gotestsum', 6, 2, 9],
  ['All 7 tests passed.', 'zig', 7, 0, 7],
  ['7 passed; 1 skipped; 2 failed.', 'zig', 7, 2, 10],
  ['Executed 4 out of 9 tests: 7 tests pass and 2 fail locally.', 'bazel', 7, 2, 9],
  ['1 test, 1 passed, 0 failed\n9 tests, 7 passed, 2 failed', 'robot', 7, 2, 9],
  ['  Tests:    2 failed, 1 skipped, 7 passed (20 assertions)', 'pest', 7, 2, 10],
  ['9 tests completed, 2 failed', 'gradle', 7, 2, 9],
  ['  7 tests passed', 'ava', 7, 0, 7],
  ['Fehler: 2, erfolgreich: 7, übersprungen: 1, gesamt: 10', 'dotnet test', 7, 2, 10],
  ['échec : 2, réussite : 7, ignorée(s) : 1, total : 10', 'dotnet test', 7, 2, 10],
  ['Con error: 2, Superado: 7, Omitido: 1, Total: 10', 'dotnet test', 7, 2, 10],
  ['Non superati: 2, Superati: 7, Ignorati: 1', 'dotnet test', 7, 2, 10],
  ['Files=1, Tests=9, 0 wallclock secs\nResult: PASS', 'prove', 9, 0, 9],
  ['Files=1, Tests=9, 0 wallclock secs\nResult: FAIL', 'prove', 8, 1, 9],
]

describe('readReports', () => {
  it.each(rows)('reads %j of %s', (output, runner, passed, failed, total) => {
    expect(readReports(`before\n${output}\nafter`)).toEqual([{ runner, passed, failed, total }])
  })

  it.each([
    ['vitest', ' Tests  2 passed (2)\n Tests  1 failed | 3 passed (4)', 5, 1, 6],
    ['jest', 'Tests: 2 passed, 2 total\nTests: 1 failed, 3 passed, 4 total', 5, 1, 6],
    ['rspec', '9 examples, 2 failures\n5 examples, 1 failure', 11, 3, 14],
    [
      'ctest',
      '50% tests passed, 1 test failed out of 2\n1% tests passed, 0 tests failed out of 3',
      4,
      1,
      5,
    ],
  ])('adds up the reports of several packages: %s', (runner, output, passed, failed, total) => {
    expect(readReports(output)).toEqual([{ runner, passed, failed, total }])
  })

  it('keeps one report per match of a summary line, and per runner', () => {
    expect(readReports('  7 tests passed\n  2 tests failed\n')).toEqual([
      { runner: 'ava', passed: 7, failed: 0, total: 7 },
      { runner: 'ava', passed: 0, failed: 2, total: 2 },
    ])
    expect(readReports(' Tests  2 passed (2)\n7 passed in 1.20s\n')).toEqual([
      { runner: 'vitest', passed: 2, failed: 0, total: 2 },
      { runner: 'pytest', passed: 7, failed: 0, total: 7 },
    ])
  })

  it.each([
    [''],
    ['build complete'],
    ['all tests passed'],
    ['Tests  none'],
    ['# fail 3'],
    ['Result: PASS'],
    ['Files=1, Tests=9,'],
    [' 7 pass'],
    [' 2 fail'],
    ['Failed: 2'],
  ])('reads none of %j', (output) => {
    expect(readReports(output)).toEqual([])
  })

  it('cannot count the tests of go in cut lines', () => {
    const output = '--- PASS: A\n--- FAIL: B\n'
    expect(readReports(output, true)).toEqual([
      { runner: 'go test', passed: 1, failed: 1, total: 0 },
    ])
    expect(readReports(output, false)[0]?.total).toBe(2)
    expect(readReports(' Tests  2 passed (2)\n', true)[0]?.total).toBe(2)
  })

  it.each([
    ['colors', '\u001b[32m Tests \u001b[0m 2 passed (2)'],
    ['line ends of Windows', 'Tests: 2 passed, 2 total\r\n'],
    ['the package of pnpm', 'packages/web test: Tests  2 passed (2)'],
    ['the package of turbo', '@x/web:test:unit: Tests  2 passed (2)'],
    ['the service of docker compose', 'web-1  | Tests:  2 passed, 2 total'],
  ])('reads a line with %s', (_, output) => {
    expect(readReports(output).map(({ passed, total }) => [passed, total])).toEqual([[2, 2]])
  })

  it('reads the last 64 KiB', () => {
    const line = '17 passed in 1.20s'
    const padding = 64 * 1024 - line.length
    const counts = [0, 1, 2].map((dropped) =>
      readReports(line + '\n'.repeat(padding + dropped)).map(({ passed }) => passed),
    )
    expect(counts).toEqual([[17], [7], []])
  })
})
