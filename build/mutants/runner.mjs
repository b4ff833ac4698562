// One vitest for all mutants: it transforms every file once, and a worker per mutant runs the tests.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createVitest } from 'vitest/node'
import { repository } from '../programs.mjs'
import { sourceConditions } from '../bundle.mjs'

/** @typedef {import('./changes.mjs').Mutant} Mutant */

/** A run that takes longer than its tests took before by this much does not end. */
const extraMs = 30_000
/** Tests of one run, in milliseconds of the run without a mutant. */
const budgetMs = 20_000
/** Tests that kill and race processes for minutes. */
const slowTests = ['**/*crash.test.ts', '**/*-fuzz.test.ts', '**/contention.test.ts']

export class MutantRunner {
  #vitest
  /** @type {Mutant | undefined} */
  #mutant
  /** @type {Map<string, import('vitest/node').TestSpecification>} */
  #specifications = new Map()

  /** @param {import('vitest/node').Vitest} vitest */
  constructor(vitest) {
    this.#vitest = vitest
  }

  /**
   * @param {string[]} include patterns of the tests
   * @param {string[]} setupFiles
   */
  static async open(include, setupFiles) {
    /** @type {MutantRunner | undefined} */
    let runner
    /** @type {import('vite').Plugin} */
    const plugin = {
      name: 'mutant',
      enforce: 'pre',
      transform: (code, id) => runner?.changed(code, id),
    }
    const vitest = await createVitest(
      'test',
      {
        config: false,
        root: repository,
        watch: true,
        include,
        exclude: ['**/node_modules/**', ...slowTests],
        setupFiles,
        globalSetup: ['test/support/build-children.ts'],
        pool: 'forks',
        // The first test file of a process evaluates the modules for all: tables would have one test.
        isolate: setupFiles.length > 0,
        // Coverage is measured once for all packages.
        maxWorkers: setupFiles.length > 0 ? 4 : 1,
        bail: setupFiles.length > 0 ? 0 : 1,
        testTimeout: 60_000,
        hookTimeout: 60_000,
        reporters: [{}],
        onConsoleLog: () => false,
      },
      {
        plugins: [plugin],
        cacheDir: '/tmp/zee-mutants',
        resolve: { conditions: sourceConditions },
        ssr: { resolve: { conditions: sourceConditions } },
        server: { watch: null },
      },
    )
    runner = new MutantRunner(vitest)
    await vitest.standalone()
    for (const each of await vitest.globTestSpecifications()) {
      runner.#specifications.set(each.moduleId, each)
    }
    return runner
  }

  get tests() {
    return [...this.#specifications.keys()]
  }

  /**
   * Runs the tests and returns those that fail.
   * @param {string[]} tests
   */
  async failing(tests) {
    const { testModules, unhandledErrors } = await this.#run(tests)
    const failed = testModules.filter((module) => !module.ok()).map(({ moduleId }) => moduleId)
    return unhandledErrors.length > 0 && failed.length === 0 ? ['an error outside a test'] : failed
  }

  /**
   * The test that fails, or does not end, with the mutant; undefined when it survives.
   * @param {Mutant} mutant
   * @param {{ test: string, ms: number }[]} tests
   * @returns {Promise<string | undefined>}
   */
  async noticedBy(mutant, tests) {
    let expectedMs = 0
    const chosen = tests.filter(({ ms }) => {
      if (expectedMs > 0 && expectedMs + ms > budgetMs) return false
      expectedMs += ms
      return true
    })
    if (chosen.length === 0) return undefined
    this.#mutant = mutant
    this.#vitest.invalidateFile(mutant.file)
    let isLate = false
    const timer = setTimeout(
      () => {
        isLate = true
        killWorkers()
      },
      expectedMs * 4 + extraMs,
    )
    try {
      const [failing] = await this.failing(chosen.map(({ test }) => test))
      return isLate ? 'the deadline' : failing
    } catch (error) {
      if (isLate) return 'the deadline'
      throw error
    } finally {
      clearTimeout(timer)
      this.#mutant = undefined
      this.#vitest.invalidateFile(mutant.file)
    }
  }

  /**
   * @param {string} code
   * @param {string} id
   */
  changed(code, id) {
    if (this.#mutant === undefined || id.split('?')[0] !== this.#mutant.file) return undefined
    const { start, end, text } = this.#mutant
    return code.slice(0, start) + text + code.slice(end)
  }

  async close() {
    await this.#vitest.close()
  }

  /** @param {string[]} tests */
  #run(tests) {
    const specifications = tests.flatMap((test) => this.#specifications.get(test) ?? [])
    // Otherwise the result contains the failures of earlier runs.
    this.#vitest.state.filesMap.clear()
    this.#vitest.state.clearErrors()
    return this.#vitest.runTestSpecifications(specifications)
  }
}

/** Ends the worker processes of vitest, which may be in an endless loop. */
function killWorkers() {
  const children = readdirSync('/proc/self/task').flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, 'utf8').trim().split(' '),
  )
  for (const pid of children.filter((each) => each !== '')) {
    const command = readFileSync(path.join('/proc', pid, 'cmdline'), 'utf8')
    if (command.includes('vitest')) process.kill(Number(pid), 'SIGKILL')
  }
}
