import { describe, expect, it } from 'vitest'
import { splitShell } from './commands/commands.ts'
import { readRuns } from './runs.ts'

/** `kind status`, with a star for a part of the tests. */
const runsOf = (line: string, exitCode: number | undefined, output = '') =>
  readRuns(splitShell(line), exitCode, output).runs.map(
    ({ kind, status, isPartial }) => `${kind} ${status()}${isPartial ? '*' : ''}`,
  )

const passing = 'Tests: 2 passed, 2 total\n'
const failing = 'Tests: 1 failed, 2 passed, 3 total\n'

describe('readRuns', () => {
  it.each<[line: string, exitCode: number | undefined, output: string, runs: string[]]>([
    ['ls', 0, '', []],
    // The exit status decides without an output.
    ['npm test', 0, '', ['test passed']],
    ['npm test', 1, '', ['test failed']],
    ['npm test', undefined, '', ['test failed']],
    ['npx jest a.test.ts', 0, '', ['test passed*']],
    ['tsc && eslint .', 0, '', ['types passed', 'lint passed']],
    ['tsc && eslint .', 1, '', ['types failed', 'lint failed']],
    // The status of another command is no status of this one.
    ['eslint .; ls', 0, 'x', ['lint unknown']],
    ['eslint .; ls', 1, 'x', ['lint unknown']],
    ['eslint . | tail', 0, 'x', ['lint unknown']],
    ['eslint . || ls', 0, 'x', ['lint unknown']],
    ['eslint . && ls; ls', 0, 'x', ['lint unknown']],
    ['ls; eslint .', 1, 'x', ['lint failed']],
    // Strict mode.
    ['set -e; eslint .; ls', 0, 'x', ['lint passed']],
    ['set -euo pipefail; eslint .; ls', 1, 'x', ['lint failed']],
    ['set -e; eslint . | tail', 0, 'x', ['lint unknown']],
    ['set -e; eslint . || ls', 0, 'x', ['lint unknown']],
    ['set -x; eslint .; ls', 0, 'x', ['lint unknown']],
    ['echo -e; eslint .; ls', 0, 'x', ['lint unknown']],
    // A printed status.
    ['eslint .; echo "rc=$?"', 0, 'x\nrc=1', ['lint failed']],
    ['eslint .; echo "rc=$?"', 0, 'x\nrc=0', ['lint passed']],
    // The output outweighs an unknown status.
    ['eslint . | tail', 0, '', ['lint passed']],
    ['eslint . | tail', 0, ' \n', ['lint passed']],
    ['npm run build | tail', 0, '', ['build unknown']],
    ['eslint . | tail', 0, '✖ 1 problem (1 error, 0 warnings)', ['lint failed']],
    ['eslint . | tail', 0, 'no problems', ['lint passed']],
    ['eslint .', 0, '✖ 1 problem (1 error, 0 warnings)', ['lint passed']],
    // Reports of tests.
    ['npm test | tail', 0, passing, ['test passed']],
    ['npm test | tail', 0, failing, ['test failed']],
    ['npm test', 0, failing, ['test failed']],
    ['npm test', 1, passing, ['test failed']],
    ['npm test', 0, 'Tests: 0 total', ['test failed']],
    ['npm test', undefined, passing, ['test failed']],
    ['npm test', 0, `${passing}${failing}`, ['test failed']],
    // Something beside the tests failed.
    ['npm test && eslint .', 1, passing, ['test passed', 'lint failed']],
    ['npm test && eslint .', undefined, passing, ['test failed', 'lint failed']],
    ['npm test && ./deploy', 1, passing, ['test passed']],
    ['npm test && echo ok', 1, passing, ['test failed']],
    ['npm test && cat a', 1, passing, ['test failed']],
    ['npm test && true', 1, passing, ['test failed']],
    ['npm test; ./deploy', 1, passing, ['test passed']],
    ['npm test', 1, `${passing}Jest: coverage threshold for lines (80%) not met`, ['test passed']],
    ['npm test', 1, `${passing}Required test coverage of 80% not reached`, ['test passed']],
    ['npm test', 1, `${passing}Coverage for lines (1%) does not meet`, ['test passed']],
    // Runs that started after this one.
    ['tsc && npm test', 1, failing, ['types passed', 'test failed']],
    ['tsc && eslint . && npm test', 1, failing, ['types passed', 'lint passed', 'test failed']],
    ['tsc && eslint .', 1, '✖ 3 problems', ['types passed', 'lint failed']],
    ['tsc && eslint .', 1, 'x', ['types failed', 'lint failed']],
    ['tsc; npm test', 1, failing, ['types unknown', 'test failed']],
    ['npm test && tsc', 1, failing, ['test failed', 'types failed']],
    // No tests.
    ['npm test', 0, 'No test files found', ['test failed']],
    ['npm test', 0, 'No tests found, exiting', ['test failed']],
    ['npm test', 0, 'collected 0 items', ['test failed']],
    ['npm test', 0, 'the text collected 0 items', ['test passed']],
    ['gradle test | tail', 0, 'BUILD SUCCESSFUL in 1s', ['test passed']],
    ['gradle test | tail', 0, 'BUILD SUCCESS', ['test passed']],
    ['gradle test | tail', 0, 'BUILD FAILED in 1s', ['test failed']],
    ['make test | tail', 0, 'make[1]: *** [test] Error 1', ['test failed']],
    ['gradle test | tail', 0, 'x', ['test unknown']],
    // A report without a known command.
    ['./ci', 0, passing, ['test passed']],
    ['./ci', 1, failing, ['test failed']],
    ['./ci', 1, passing, ['test failed']],
    ['./ci', undefined, passing, ['test failed']],
    ['cat log', 0, passing, []],
    ['cat log | ./ci', 0, passing, ['test passed']],
    ['eslint .', 0, passing, ['lint passed', 'test passed']],
    // Lines that a package manager prints.
    ['npm run ci', 0, '> tsc && eslint .\n', ['types passed', 'lint passed']],
    ['pnpm ci-all', 1, '$ npx jest a.test.ts\n', ['test failed*']],
    ['npm test', 0, '> jest\n> eslint .\n', ['test passed', 'lint passed']],
    ['./ci', 0, '> tsc\n', []],
    ['ls && npm run ci', 0, '> tsc\n', ['types passed']],
    ['npm run ci', 0, 'see > tsc\n', []],
  ])('of %j with %j and %j', (line, exitCode, output, runs) => {
    expect(runsOf(line, exitCode, output)).toEqual(runs)
  })

  it('keeps the words of a run, and of the first command of an unknown line', () => {
    const words = (line: string, output = '') =>
      readRuns(splitShell(line), 0, output).runs.map((run) => run.words)
    expect(words('ls && npx jest -w 2')).toEqual([['npx', 'jest', '-w', '2']])
    expect(words('./ci a; ls', passing)).toEqual([['./ci', 'a']])
    expect(readRuns([], 0, passing).runs).toEqual([])
  })

  it.each(['tail', 'head'])('reads no count of go tests that %s cuts', (program) => {
    const output = '--- PASS: A\n'
    const totals = [`go test | ${program}`, 'go test | cat'].map((line) =>
      readRuns(splitShell(line), 0, output)
        .reports()
        .map(({ total }) => total),
    )
    expect(totals).toEqual([[0], [1]])
  })

  it('reads the scripts of the first 16 KiB', () => {
    const line = '> tsc'
    const padding = '\n'.repeat(16 * 1024 - line.length)
    expect(runsOf('npm run ci', 0, `${padding}${line}`)).toEqual(['types passed'])
    expect(runsOf('npm run ci', 0, `${padding}\n${line}`)).toEqual([])
  })

  it('computes reports and statuses once', () => {
    const { runs, reports } = readRuns(splitShell('npm test'), 0, passing)
    expect(reports()).toBe(reports())
    expect(runs[0]?.status()).toBe('passed')
  })
})
