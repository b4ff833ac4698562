// Changes one operator, bound or string of a package at a time, and runs the tests that call the changed
// function. A mutant that no test notices is printed: it needs a test, or an explanation. A mutant that the
// compiler refuses is not counted.
// npm run mutants -- core [count] [seed] [folder below src]
//
// With a folder, only its tests run; `ZEE_MUTANTS_TESTS=all` runs those of all packages. With
// `ZEE_MUTANTS_AGAIN=<output of an earlier run>`, only its survivors are tried.
//
// A changed line may kill or delete the wrong thing. So everything runs in bubblewrap: no other process is
// visible, and only a temporary folder can be written.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { mutantsOf, shuffled, withoutExplained } from './mutants/changes.mjs'
import { Coverage } from './mutants/coverage.mjs'
import { coverageFile, recordedCoverage, recordFailing } from './mutants/coverage-log.mjs'
import { Compiler } from './mutants/types.mjs'
import { repository } from './programs.mjs'

/** Tests of other packages notice mutants too; contract tests run most commands in their own process. */
const allTests = ['packages/*/src/**/*.test.ts', 'test/contract/**/*.test.ts']

const [name = '', count = '200', seed = '1', folder = ''] = process.argv.slice(2)
const source = path.join(repository, 'packages', name, 'src')
if (name === '' || !existsSync(source)) {
  console.error('mutants: name a package: npm run mutants -- core [count] [seed] [folder]')
  process.exitCode = 2
} else if (process.env.ZEE_MUTANTS_INSIDE === '1') await countCaught()
else process.exitCode = await runInside()

/** @returns {Promise<number>} */
function runInside() {
  const cache = path.join(repository, 'node_modules/.cache')
  const kept = path.dirname(coverageFile)
  for (const each of [cache, kept]) mkdirSync(each, { recursive: true })
  const jail = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp']
  // The checkout itself may be in `/tmp`.
  jail.push('--ro-bind', repository, repository)
  jail.push('--tmpfs', cache, '--bind', kept, kept)
  const earlier = process.env.ZEE_MUTANTS_AGAIN
  if (earlier !== undefined) jail.push('--ro-bind', earlier, path.resolve(earlier))
  jail.push('--unshare-pid', '--unshare-net', '--die-with-parent')
  const words = [process.execPath, fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  const env = { ...process.env, ZEE_MUTANTS_INSIDE: '1', TMPDIR: '/tmp', HOME: '/tmp' }
  // Node 20 parses extra certificates at each start.
  Object.assign(env, { NODE_EXTRA_CA_CERTS: undefined })
  const child = spawn('bwrap', [...jail, ...words], { cwd: repository, env, stdio: 'inherit' })
  return new Promise((resolve) => {
    child.on('error', () => {
      console.error('mutants: bubblewrap is not installed (bwrap)')
      resolve(1)
    })
    child.on('close', (code) => resolve(code ?? 1))
  })
}

async function countCaught() {
  const { MutantRunner } = await import('./mutants/runner.mjs')
  process.env.ZEE_TEST_RUN = 'mutants'
  const ownTests = [path.join('packages', name, 'src', folder, '**/*.test.ts')]
  const include = folder === '' || process.env.ZEE_MUTANTS_TESTS === 'all' ? allTests : ownTests
  const coverage = await measureCoverage(MutantRunner, include)
  const mutants = sample()
  const runner = await MutantRunner.open(include, [])
  await checkControl(runner, coverage, mutants)
  const endsAtMs = Date.now() + Number(process.env.ZEE_MUTANTS_MINUTES ?? Infinity) * 60_000
  let [tried, caught, uncovered] = [0, 0, 0]
  for (const mutant of mutants) {
    if (Date.now() > endsAtMs) break
    const tests = coverage.testsFor(mutant)
    const noticedBy = await runner.noticedBy(mutant, tests)
    tried += 1
    if (tests.length === 0) uncovered += 1
    if (noticedBy !== undefined) caught += 1
    const by =
      noticedBy === undefined ? `${tests.length} tests` : path.relative(repository, noticedBy)
    console.log(`${noticedBy === undefined ? 'survived' : 'caught'}: ${describe(mutant)} (${by})`)
  }
  const percent = ((caught / Math.max(tried, 1)) * 100).toFixed(1)
  const where = [name, folder].filter((word) => word !== '').join('/')
  console.log(`${where}: ${caught} of ${tried} mutants caught (${percent} %)`)
  console.log(`${uncovered} of the survivors are in functions that no test calls`)
  await runner.close()
  // vitest reports the failures of tests that noticed a mutant.
  process.exitCode = 0
}

/** @param {import('./mutants/changes.mjs').Mutant} mutant */
function describe({ file, line, from, text }) {
  return `${path.relative(repository, file)}:${line}: ${from} -> ${text}`
}

/**
 * A change to the same text must survive; otherwise the tests fail for another reason.
 * @param {import('./mutants/runner.mjs').MutantRunner} runner
 * @param {Coverage} coverage
 * @param {import('./mutants/changes.mjs').Mutant[]} mutants
 */
async function checkControl(runner, coverage, mutants) {
  const mutant = mutants.find((each) => coverage.testsFor(each).length > 0)
  if (mutant === undefined) throw new Error('no test calls any of the functions')
  const control = { ...mutant, text: mutant.from }
  const noticedBy = await runner.noticedBy(control, coverage.testsFor(mutant))
  if (noticedBy !== undefined) throw new Error(`${noticedBy} fails without a mutant`)
}

/**
 * Runs the tests once without a mutant, if they changed since their last run; leaves out those that fail.
 * @param {typeof import('./mutants/runner.mjs').MutantRunner} MutantRunner
 * @param {string[]} include
 */
async function measureCoverage(MutantRunner, include) {
  const runner = await MutantRunner.open(include, ['build/mutants/coverage-setup.ts'])
  const { isRecorded } = recordedCoverage(source)
  const changed = runner.tests.filter((test) => !isRecorded(test))
  if (changed.length > 0) {
    console.log(`running ${changed.length} of ${runner.tests.length} test files without a mutant`)
    recordFailing(await runner.failing(changed))
  }
  const { called, failing } = recordedCoverage(source)
  const chosen = new Set(runner.tests)
  await runner.close()
  for (const test of failing)
    if (chosen.has(test)) console.log(`fails without a mutant: ${path.relative(repository, test)}`)
  return new Coverage(
    called.filter(({ test }) => chosen.has(test)),
    failing,
  )
}

/** Random mutants that compile and have no explanation. */
function sample() {
  const earlier = process.env.ZEE_MUTANTS_AGAIN
  if (earlier !== undefined) return survivorsOf(readFileSync(path.resolve(earlier), 'utf8'))
  const compiler = new Compiler(path.join(repository, 'packages', name))
  const mutants = []
  for (const mutant of shuffled(withoutExplained(name, sourceFiles().flatMap(mutantsOf)), seed)) {
    if (mutants.length >= Number(count)) break
    if (compiler.compiles(mutant)) mutants.push(mutant)
  }
  return mutants
}

/** @param {string} output of an earlier run */
function survivorsOf(output) {
  const survivors = new Set(
    output.split('\n').map((line) => /^survived: (.*) \(\d+ tests\)$/.exec(line)?.[1]),
  )
  const mutants = withoutExplained(name, sourceFiles().flatMap(mutantsOf))
  return mutants.filter((mutant) => survivors.has(describe(mutant)))
}

function sourceFiles() {
  return readdirSync(path.join(source, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => path.join(source, folder, file))
    .filter((file) => file.endsWith('.ts') && !/\.(test|fixtures|d)\.ts$/.test(file))
}
