// Runs the test files with failures once more, alone, and corrects the report: `rerun-failed.mjs REPORT CONFIG`.
// A test that fails on a loaded machine and passes alone counts as passed and as unstable, and its name is
// printed at the end. More than ten failures are a broken change and are not run again.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** @typedef {{ status: string, fullName: string }} TestResult */
/** @typedef {{ name: string, status: string, assertionResults: TestResult[] }} FileResult */
/** @typedef {{ success: boolean, testResults: FileResult[] }} Report */

const maxFailures = 10

const [report = '', config = ''] = process.argv.slice(2)
process.exitCode = rerun()

function rerun() {
  if (!existsSync(report)) return 1
  const first = readReport(report)
  const failed = failedTests(first)
  const files = first.testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name }) => name)
  if (files.length === 0 || failed.length > maxFailures) return 1
  console.log(`\n== again, alone: ${files.join(' ')}`)
  const folder = mkdtempSync(`${report}-again-`)
  const second = path.join(folder, path.basename(report))
  spawnSync('npx', ['vitest', 'run', '--config', config, '--maxWorkers', '1', ...files], {
    stdio: 'inherit',
    env: { ...process.env, ZEE_TEST_REPORTS: folder },
  })
  if (!existsSync(second)) return 1
  const again = readReport(second)
  const results = new Map(again.testResults.map((file) => [file.name, file]))
  const testResults = first.testResults.map((file) => results.get(file.name) ?? file)
  const counts = countsOf(testResults)
  writeFileSync(report, JSON.stringify({ ...first, ...counts, testResults, unstable: failed }))
  return again.success ? 0 : 1
}

/** @param {string} file @returns {Report} */
function readReport(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** @param {Report} report */
function failedTests({ testResults }) {
  return testResults.flatMap((file) =>
    file.assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => `${file.name}: ${fullName}`),
  )
}

/** @param {FileResult[]} testResults */
function countsOf(testResults) {
  const statuses = testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ status }) => status),
  )
  /** @param {string[]} names */
  const count = (...names) => statuses.filter((status) => names.includes(status)).length
  return {
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numPendingTests: count('skipped', 'pending', 'disabled'),
    numTodoTests: count('todo'),
  }
}
