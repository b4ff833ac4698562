// Adds up the JSON reports of the test runs: `N passed, N failed` alone on a line.
// Names the tests that failed, and the unstable ones: these failed at first and passed alone.
// Exits 1 when a test failed, when one was skipped, or when none ran. Only tests with other programs
// (`services.json`) may be skipped: on machines that cannot run these.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const [folder = '.'] = process.argv.slice(2)
const total = { passed: 0, failed: 0, skipped: 0 }
let wronglySkipped = 0
const failed = []
const unstable = []
for (const name of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
  const report = JSON.parse(readFileSync(path.join(folder, name), 'utf8'))
  total.passed += report.numPassedTests
  total.failed += report.numFailedTests
  const skipped = report.numPendingTests + report.numTodoTests
  total.skipped += skipped
  unstable.push(...(report.unstable ?? []))
  for (const file of report.testResults) {
    for (const test of file.assertionResults)
      if (test.status === 'failed') failed.push(`${file.name}: ${test.fullName}`)
  }
  if (name !== 'services.json') wronglySkipped += skipped
}
for (const test of failed) console.log(`failed: ${test}`)
for (const test of unstable) if (!failed.includes(test)) console.log(`unstable: ${test}`)
const skipped = total.skipped === 0 ? '' : `, ${total.skipped} skipped`
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`)
process.exitCode = total.failed === 0 && wronglySkipped === 0 && total.passed > 0 ? 0 : 1
