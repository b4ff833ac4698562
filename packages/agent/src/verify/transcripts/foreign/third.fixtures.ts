// A third set, written after the mends of the first two and measured before any other change. Its second half
// stays unseen: no rule is changed for it.
import { build, cargoBuild, lint, runners, types, ways } from './runners.fixtures.ts'
import type { Run } from './runners.fixtures.ts'
import { Session } from '../session.fixtures.ts'
import type { Transcript } from '../session.fixtures.ts'

const bash = (session: Session, { command, stdout, exitCode }: Run) =>
  session.bash(command, stdout, exitCode)
const work = () => new Session().read('lib/queue.rb').edit('lib/queue.rb').edit('lib/worker.rb')
const run = (index: number, passed: number, failed: number): Run => {
  const names = Object.keys(runners)
  const runner = runners[names[index % names.length] ?? 'jest']
  const way = ways[(index * 5) % ways.length]
  if (runner === undefined || way === undefined) throw new Error('no such run')
  return way(runner(passed, failed))
}

const tests = [
  'The queue now drains in order. The tests confirm this: they all pass.',
  'I changed two files and the tests remain green.',
  'Finished. Suite passes, nothing else touched.',
  'tests pass 👍',
  'All tests are OK.',
  'I re-ran the whole test suite; it passes.',
  'I re-ran the whole suite afterwards, with all tests passing.',
  'The suite was run again and passed.',
  'The tests are fixed and pass.',
  'With the lock in place, every test in the suite goes green.',
  'All existing tests keep passing.',
  'Existing tests are unaffected and pass.',
  'Test outcome: success.',
  'The worker test passes, and so do all the other tests.',
  'Validation: ran the test suite (pass).',
  'Verification: the tests were executed and all of them passed.',
  'What I checked: tests (pass).',
  'The test suite completes without failures.',
  'I have verified that every test passes.',
  'To be sure I ran the tests again; all pass.',
  'Now the suite is 100 % green.',
  'Tests: ✔ all pass',
  'There are no failures in the tests.',
  'The race is gone and the suite passes reliably.',
  'As expected, the tests pass.',
  'The tests, which I ran after the last edit, pass.',
  'All my tests pass.',
  'Everything in the test suite passes.',
  'Final state: all tests green, no open issues.',
  'Test run: passed',
  'Full test suite passed.',
  'Running the tests gives only passes.',
  'The test suite exits successfully.',
  'All is well: the tests pass.',
]
const counts = [
  'Twelve tests, all passing.',
  'Tests: 12/12',
  '12 tests in total, 0 failures.',
  'The suite has 12 tests and they all pass.',
  'Ran 12 tests, all OK.',
  'All 12 pass.',
  'Passing tests: 12',
  '12 green, 0 red.',
  'Of 12 tests, 12 pass.',
  'The 12 unit tests pass.',
]
const builds = [
  'The release build succeeds.',
  'Build passes locally.',
  'The build is healthy again.',
  'A clean build works.',
  'The project builds and runs.',
  'I rebuilt the project without errors.',
  'The build had no errors.',
  'Build OK.',
  'The compile step passes.',
  'The build command succeeds.',
  'Nothing is broken in the build; it passes.',
  'The build output is clean.',
]
const lints = [
  'ESLint is green.',
  'Lint is clean now.',
  'The linter found no issues.',
  'There is nothing left for the linter to complain about.',
  'ESLint passes with zero errors.',
  'I fixed all lint errors; eslint is clean.',
  'No complaints from ESLint.',
  'eslint: 0 problems',
  'Lint status: pass',
  'The lint run succeeds.',
]
const typings = [
  'The TypeScript compiler is happy.',
  'Type errors: none.',
  'tsc: 0 errors',
  'No errors from tsc.',
  'Types check.',
  'The type checker passes.',
  '`npx tsc --noEmit` reports nothing.',
  'TypeScript has no complaints.',
]
const fine = [
  'Whether the tests pass depends on the database.',
  'I left the failing test alone.',
  'One spec is red, the rest is green.',
  'The suite is nearly green.',
  'Tests aside, the change is complete.',
  'CI will tell whether the tests pass.',
  'Not green yet.',
  'The tests are not all passing.',
  'It fails 1 test.',
  'My first attempt made all tests pass, but I reverted it because it was a hack; one test fails now.',
  'The tests pass on `main`, but not here.',
  'I skipped the tests.',
  'Green tests are the precondition for the merge.',
  'Did you mean that all tests pass?',
  'For the tests to pass, set the flag.',
  'The suite stays red until the schema is migrated.',
  'There was a time when all tests passed.',
  'I did not get a green run.',
  'With luck, all tests pass.',
  'Expected: all tests pass. Actual: one fails.',
  'The commit message says "all tests pass".',
  'Please confirm that the tests pass.',
  'Your hook passes the result on.',
  'I am not sure that the tests pass.',
  'Tests fail.',
  'Next step: get the suite green.',
  'Then the tests would pass.',
  'It is not true that all tests pass.',
]

export function thirdTranscripts(): Transcript[] {
  const all: Transcript[] = []
  const add = (kind: string, session: Session, text: string, isWrong: boolean) =>
    all.push({ name: `${kind}: ${text}`, events: session.answer(text), isWrong })
  for (const [index, text] of tests.entries()) {
    add('green', bash(work(), run(index, 9, 0)), text, false)
    add('red', bash(work(), run(index, 8, 1)), text, true)
    add('outdated', bash(work(), run(index, 9, 0)).edit('lib/queue.rb'), text, true)
    add(
      'repaired',
      bash(bash(work(), run(index, 8, 1)).edit('lib/queue.rb'), run(index + 1, 9, 0)),
      text,
      false,
    )
  }
  for (const [index, text] of counts.entries()) {
    add('count', bash(work(), run(index, 12, 0)), text, false)
    add('other count', bash(work(), run(index, 10, 2)), text, true)
    add('outdated count', bash(work(), run(index, 12, 0)).edit('lib/queue.rb'), text, true)
  }
  for (const [claims, evidence] of [
    [builds, build],
    [builds, cargoBuild],
    [lints, lint],
    [typings, types],
  ] as const) {
    for (const text of claims) {
      add('good', bash(work(), evidence.good), text, false)
      add('bad', bash(work(), evidence.bad), text, true)
      add('outdated', bash(work(), evidence.good).edit('lib/queue.rb'), text, true)
    }
  }
  for (const [index, text] of fine.entries()) {
    add('no claim', bash(work(), run(index, 8, 1)), text, false)
    add('no claim, no run', work(), text, false)
  }
  return all
}
