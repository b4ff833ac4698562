// The summary lines of further test runners. A row is a pattern with the groups passed, failed, errors,
// skipped and total; passed is the total without the others where a runner prints only that.
import type { Report } from './reports.ts'

interface SummaryRow {
  runner: string
  pattern: RegExp
  /** The last match counts, because the runner prints sums while it runs. */
  isRunning?: boolean
}

const rows: readonly SummaryRow[] = [
  {
    runner: 'exunit, jasmine, bats',
    pattern:
      /^(?:\d+ (?:doctests?|properties|property), )*(?<total>\d+) (?:specs?|tests?), (?<failed>\d+) failures?(?:, (?<skipped>\d+) (?:skipped|excluded))?/gm,
  },
  {
    runner: 'minitest',
    pattern:
      /^(?<total>\d+) (?:runs|tests), \d+ assertions, (?<failed>\d+) failures, (?<errors>\d+) errors, (?<skipped>\d+) skips/gm,
  },
  {
    runner: 'xctest',
    pattern:
      /Executed (?<total>\d+) tests?, with (?:(?<skipped>\d+) tests? skipped and )?(?<failed>\d+) failures?/g,
    isRunning: true,
  },
  {
    runner: 'karma',
    pattern: /Executed (?<total>\d+) of \d+ .*?(?:\((?<failed>\d+) FAILED\)|SUCCESS)/g,
    isRunning: true,
  },
  { runner: 'sbt', pattern: /Tests: succeeded (?<passed>\d+), failed (?<failed>\d+)/g },
  {
    runner: 'cypress',
    pattern: /Passing: +(?<passed>\d+)[\s│|]+Failing: +(?<failed>\d+)/g,
  },
  {
    runner: 'nextest',
    pattern:
      /(?<total>\d+) tests? run: (?<passed>\d+) passed(?: \([^)]*\))?(?:, (?<failed>\d+) failed)?/g,
  },
  {
    runner: 'gtest',
    pattern:
      /^\[ +PASSED +\] (?<passed>\d+) tests?\.(?:\s+\[ +FAILED +\] (?<failed>\d+) tests?, listed)?/gm,
  },
  {
    runner: 'catch2, doctest',
    pattern:
      /^(?:\[doctest\] )?test cases: +(?<total>\d+) \| +(?<passed>\d+) passed(?: \| +(?<failed>\d+) failed)?/gm,
  },
  {
    runner: 'catch2',
    pattern: /^All tests passed \(\d+ assertions? in (?<passed>\d+) test cases?\)/gm,
  },
  {
    runner: 'flutter',
    pattern:
      /\+(?<passed>\d+)(?: ~\d+)?(?: -(?<failed>\d+))?: (?:All tests passed!|Some tests failed)/g,
    isRunning: true,
  },
  {
    runner: 'gotestsum',
    pattern:
      /^DONE (?<total>\d+) tests?(?:, (?<skipped>\d+) skipped)?(?:, (?<failed>\d+) failures?)?/gm,
  },
  { runner: 'zig', pattern: /^All (?<passed>\d+) tests passed\./gm },
  {
    runner: 'zig',
    pattern: /^(?<passed>\d+) passed; (?<skipped>\d+) skipped; (?<failed>\d+) failed\./gm,
  },
  {
    runner: 'bazel',
    pattern:
      /Executed \d+ out of (?<total>\d+) tests?: (?<passed>\d+) tests? pass(?:es)?(?: and (?<failed>\d+) fails?)?/g,
  },
  {
    runner: 'robot',
    pattern: /^(?<total>\d+) tests?, (?<passed>\d+) passed, (?<failed>\d+) failed/gm,
    isRunning: true,
  },
  {
    runner: 'pest',
    pattern:
      /^ *Tests: +(?:(?<failed>\d+) failed, )?(?:(?<skipped>\d+) skipped, )?(?<passed>\d+) passed \(\d+ assertions?\)/gm,
  },
  { runner: 'gradle', pattern: /^(?<total>\d+) tests? completed, (?<failed>\d+) failed/gm },
  {
    runner: 'ava',
    pattern: /^ +(?:(?<passed>\d+) tests? passed|(?<failed>\d+) tests? failed)\b/gm,
  },
  {
    runner: 'dotnet test',
    // German, French, Spanish and Italian.
    pattern:
      /(?:Fehler|échec|Con error|Non superat\w+) *: *(?<failed>\d+), *(?:erfolgreich|réussite|Superado|Superat\w+) *: *(?<passed>\d+), *[^\d,]+: *(?<skipped>\d+)/gi,
  },
]

/** The reports of all rows that match. */
export function readSummaries(text: string): Report[] {
  const reports: Report[] = []
  for (const { runner, pattern, isRunning } of rows) {
    const found = [...text.matchAll(pattern)]
    const counted = isRunning === true ? found.slice(-1) : found
    for (const { groups = {} } of counted) reports.push({ runner, ...countsOf(groups) })
  }
  return [...reports, ...proveReport(text)]
}

function countsOf(groups: Readonly<Record<string, string | undefined>>): Omit<Report, 'runner'> {
  const count = (name: string) => Number(groups[name] ?? 0)
  const failed = count('failed') + count('errors')
  const skipped = count('skipped')
  const total = groups.total === undefined ? count('passed') + failed + skipped : count('total')
  const passed = groups.passed === undefined ? total - failed - skipped : count('passed')
  return { passed, failed, total }
}

/** Perl's prove prints the number of tests, and whether all of them passed. */
function proveReport(text: string): Report[] {
  const total = Number(/^Files=\d+, Tests=(\d+),/m.exec(text)?.[1] ?? Number.NaN)
  const result = /^Result: (PASS|FAIL)/m.exec(text)?.[1]
  if (result === undefined || Number.isNaN(total)) return []
  const failed = result === 'PASS' ? 0 : 1
  return [{ runner: 'prove', passed: total - failed, failed, total }]
}
