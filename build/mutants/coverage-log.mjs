// The log of which tests call which functions. It is kept, so that a run measures new and changed tests only.
import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { repository } from '../programs.mjs'

/** @typedef {import('./coverage.mjs').CalledLine & { changedMs: number, isFailing?: true }} LogLine */

/**
 * @param {string} name of the package
 * @param {string} folder below its sources
 */
export function coverageFile(name, folder) {
  const words = [name, ...folder.split('/')].filter((word) => word !== '')
  return path.join(repository, 'node_modules/.zee-mutants', `${words.join('-')}.jsonl`)
}

/** @param {string} log */
export function recordedCoverage(log) {
  /** @type {Map<string, LogLine>} */
  const newest = new Map()
  const text = existsSync(log) ? readFileSync(log, 'utf8') : ''
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const read = /** @type {LogLine} */ (JSON.parse(line))
    if (changedMs(read.test) === read.changedMs) newest.set(read.test, read)
  }
  const called = [...newest.values()]
  return {
    called,
    failing: new Set(called.filter(({ isFailing }) => isFailing === true).map(({ test }) => test)),
    /** @param {string} test */
    isRecorded: (test) => newest.has(test),
  }
}

/**
 * @param {string} log
 * @param {string[]} tests
 */
export function recordFailing(log, tests) {
  for (const test of tests.filter((each) => existsSync(each))) {
    const line = { test, ms: 0, called: [], changedMs: changedMs(test), isFailing: true }
    appendFileSync(log, `${JSON.stringify(line)}\n`)
  }
}

/** @param {string} test */
function changedMs(test) {
  return statSync(test, { throwIfNoEntry: false })?.mtimeMs
}
