// Setup file of the first run of `npm run mutants`: appends one JSON line per test file with the functions
// that it called.
import type { Profiler } from 'node:inspector'
import { Session } from 'node:inspector'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect } from 'vitest'
import { writeLine } from './coverage-log.mjs'

/** One session for all test files of a worker. */
const shared = globalThis as { zeeCoverage?: Session }
const session = (shared.zeeCoverage ??= startCoverage())
session.post('Profiler.takePreciseCoverage')
let startedMs = 0

// Modules are loaded by then: a run with a mutant loads them once for all tests.
beforeAll(() => {
  startedMs = Date.now()
})

afterAll(() => {
  session.post('Profiler.takePreciseCoverage', (error, { result }) => {
    if (error !== null) throw error
    const called = result.filter(isSource).map(calledFunctions)
    const test = expect.getState().testPath ?? ''
    writeLine({ test, ms: Date.now() - startedMs, called })
  })
})

function startCoverage(): Session {
  const started = new Session()
  started.connect()
  started.post('Profiler.enable')
  started.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return started
}

function isSource({ url }: Profiler.ScriptCoverage): boolean {
  return url.includes('/packages/') && !url.includes('/node_modules/')
}

function calledFunctions({ url, functions }: Profiler.ScriptCoverage) {
  const [file = ''] = (url.startsWith('file:') ? fileURLToPath(url) : url).split('?')
  const called = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
  return { file, names: called.map(({ functionName }) => functionName) }
}
