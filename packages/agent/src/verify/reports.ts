// Reads the counts that test runners print.
import { runners } from './runners.ts'
import { readSummaries } from './summary-lines.ts'

export interface Report {
  runner: string
  passed: number
  failed: number
  /** Passed, failed and skipped tests. */
  total: number
}

/** A report is at the end of an output. */
const maxLength = 64 * 1024

/** Every report in an output. Several packages may print one each. `isCut`: a part of the lines is missing. */
export function readReports(output: string, isCut = false): Report[] {
  // oxlint-disable-next-line no-control-regex
  const text = output
    .slice(-maxLength)
    .replace(/\u001b\[[0-9;]*m/g, '')
    .replaceAll('\r\n', '\n')
    // The package before each line: `packages/web test: `, `web:test: `, `web-1  | `.
    .replace(/^(?:[@\w./-]+[ :]test[\w:-]*: ?|[\w.-]+-\d+ +\| )/gm, '')
  if (!/pass|fail|test|ok\b|run\b|example|spec|executed|fehler|chec\b|superad|superat/i.test(text))
    return []
  const reports: Report[] = []
  for (const { name, read } of runners) {
    const found = read(text)
    // go prints no number of tests; its lines cannot be counted if some are missing.
    if (found !== undefined && isCut && name === 'go test') found.total = 0
    if (found !== undefined) reports.push({ runner: name, ...found })
  }
  return reports.length > 0 ? reports : readSummaries(text)
}
