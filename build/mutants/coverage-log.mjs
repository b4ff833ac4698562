// The log of which tests call which functions. It is kept, so that a run measures new and changed tests only.
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { repository } from '../programs.mjs'

/** @typedef {import('./coverage.mjs').CalledLine & { hash: string, isFailing?: true }} LogLine */

export const coverageFile = path.join(repository, 'node_modules/.zee-mutants/tests.jsonl')

/**
 * The newest lines of tests that have not changed since.
 * @param {string} source the folder whose functions are wanted
 */
export function recordedCoverage(source) {
  /** @type {Map<string, LogLine>} */
  const newest = new Map()
  const text = existsSync(coverageFile) ? readFileSync(coverageFile, 'utf8') : ''
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const read = /** @type {LogLine} */ (JSON.parse(line))
    const test = path.join(repository, read.test)
    if (hashOf(test) !== read.hash) continue
    const called = read.called
      .map(({ file, names }) => ({ file: path.join(repository, file), names }))
      .filter(({ file }) => file.startsWith(source + path.sep))
    newest.set(test, { ...read, test, called })
  }
  const called = [...newest.values()]
  return {
    called,
    failing: new Set(called.filter(({ isFailing }) => isFailing === true).map(({ test }) => test)),
    /** @param {string} test */
    isRecorded: (test) => newest.has(test),
  }
}

/** @param {string[]} tests */
export function recordFailing(tests) {
  for (const test of tests.filter((each) => existsSync(each))) {
    writeLine({ test, ms: 0, called: [], isFailing: true })
  }
}

/**
 * Paths are relative in the file, so that it is valid in another checkout.
 * @param {import('./coverage.mjs').CalledLine & { isFailing?: true }} line
 */
export function writeLine({ test, called, ...rest }) {
  const relative = called.map(({ file, names }) => ({
    file: path.relative(repository, file),
    names,
  }))
  const line = {
    test: path.relative(repository, test),
    ...rest,
    called: relative,
    hash: hashOf(test),
  }
  appendFileSync(coverageFile, `${JSON.stringify(line)}\n`)
}

/**
 * @param {string} test
 * @returns {string | undefined}
 */
function hashOf(test) {
  if (!existsSync(test)) return undefined
  return createHash('sha256').update(readFileSync(test)).digest('hex')
}
