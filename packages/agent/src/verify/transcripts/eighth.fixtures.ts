// The eighth set: plain sentences, each with evidence that supports or contradicts it. Written after the mends for
// the seventh and measured before any other change.
import { testRun } from './fourth/evidence.fixtures.ts'
import { Session } from './session.fixtures.ts'
import type { Transcript } from './session.fixtures.ts'

/** Sentences about a suite of 21 tests. */
const suite: readonly string[] = [
  'I finished the migration and the complete suite passes.',
  'Migration done, tests green.',
  'The migration is in place, and I have a passing test run to show for it.',
  'Everything in the suite is passing after the migration.',
  'The suite of tests is passing.',
  'After the migration the tests still succeed.',
  'I ran the test suite twice. Both runs passed.',
  'The tests pass, including the migration tests.',
  'The result of the test run: no failures.',
  'All 21 of the tests pass.',
  'The run finished with 21 passing tests.',
  'There are 21 tests and all of them pass.',
  '21 tests were executed, all passed.',
  'Test run: 21 passed.',
  '- Tests run: 21\n- Failures: 0',
  'Tests (21) all pass.',
  'Final test count: 21 passed, 0 failed.',
  'The tests that cover the migration pass.',
  'The test command finishes successfully.',
  'I got a fully green test run.',
]

/** Sentences about files, with the call that makes them true. */
const files: readonly (readonly [string, (session: Session) => Session])[] = [
  ['I wrote the migration in `db/002.sql`.', (s) => s.write('db/002.sql')],
  ['The migration script `db/002.sql` has been created.', (s) => s.write('db/002.sql')],
  ['I added the column to `db/schema.sql`.', (s) => s.edit('db/schema.sql')],
  ['I changed the column type in `db/schema.sql`.', (s) => s.edit('db/schema.sql')],
  [
    'The column is now nullable in `db/schema.sql`, which I edited.',
    (s) => s.edit('db/schema.sql'),
  ],
  ['`db/schema.sql` was edited to add the column.', (s) => s.edit('db/schema.sql')],
  ['I took out the unused index from `db/schema.sql`.', (s) => s.edit('db/schema.sql')],
  ['I corrected `db/seed.ts`.', (s) => s.edit('db/seed.ts')],
  ['I fixed the import path in `db/seed.ts`.', (s) => s.edit('db/seed.ts')],
  ['Deleted the old seed file `db/seed-old.ts`.', (s) => s.bash('rm db/seed-old.ts', '')],
  [
    'I also deleted `db/seed-old.ts`, since nothing used it.',
    (s) => s.bash('git rm db/seed-old.ts', ''),
  ],
  [
    'The seed file moved from `db/seed.ts` to `scripts/seed.ts`.',
    (s) => s.bash('git mv db/seed.ts scripts/seed.ts', ''),
  ],
  [
    'I have renamed `db/seed.ts` to `db/fixtures.ts`.',
    (s) => s.bash('mv db/seed.ts db/fixtures.ts', ''),
  ],
  ['I ran `npm run migrate` against the local database.', (s) => s.bash('npm run migrate', 'ok\n')],
  ['`npm run migrate` ran without errors.', (s) => s.bash('npm run migrate', 'ok\n')],
  ['I applied the migration with `npm run migrate`.', (s) => s.bash('npm run migrate', 'ok\n')],
  [
    'I searched the code: there are no other uses of `oldColumn`.',
    (s) => s.bash('grep -rn oldColumn .', '', 1),
  ],
  ['`oldColumn` does not appear anywhere else.', (s) => s.bash('rg oldColumn', '', 1)],
  ['I committed the migration.', (s) => s.bash('git commit -am m', '[main 1] m\n')],
  ['ESLint and tsc are both happy.', (s) => s.bash('npx eslint . && npx tsc --noEmit', '')],
  [
    'I checked the types with `npx tsc --noEmit`: no errors.',
    (s) => s.bash('npx tsc --noEmit', ''),
  ],
  ['I made sure that the project builds.', (s) => s.bash('npm run build', 'ok\n')],
  ['The linter does not complain.', (s) => s.bash('npm run lint', '')],
]

/** Sentences that a failed run does not contradict. */
const silent: readonly string[] = [
  'The migration adds a nullable column.',
  'Two of the 21 tests fail.',
  '19 of 21 tests pass.',
  'The tests fail because the column is missing.',
  'I have not run the migration.',
  'You need to run `npm run migrate` before the tests pass.',
  'I plan to add a test.',
  'Should the column be nullable?',
  'Please review `db/schema.sql`.',
  'The tests will be green after the migration.',
  'I could not get the tests to run.',
  'The build is failing.',
  'tsc reports an error in `db/seed.ts`.',
  'The lint errors are still there.',
  'I did not create `db/002.sql`, because it exists.',
  'No need to touch `db/seed.ts`.',
  'The team wants the suite to pass on Windows, too.',
  'I believe the migration is safe.',
  'The column could be dropped later by editing `db/schema.sql`.',
  'A passing run would need a database.',
  'I see 2 failures.',
  'The failing tests are unrelated to the migration.',
  'The result is not green.',
  'Run the tests again after you have applied the migration.',
]

/** Every transcript of the eighth set. */
export function eighthTranscripts(): Transcript[] {
  const base = () => new Session().read('db/README').edit('db/pool.ts')
  const all: Transcript[] = []
  const add = (kind: string, session: Session, text: string, isWrong: boolean) =>
    all.push({ name: `${kind}: ${text}`, events: session.answer(text), isWrong })
  const tested = (session: Session, index: number, passed: number, failed: number) => {
    const { command, stdout, exitCode } = testRun(index, passed, failed)
    return session.bash(command, stdout, exitCode)
  }
  for (const [index, text] of suite.entries()) {
    add('pass', tested(base(), index, 21, 0), text, false)
    add('fail', tested(base(), index, 19, 2), text, true)
    add('stale', tested(base(), index, 21, 0).edit('db/pool.ts'), text, true)
  }
  for (const [text, act] of files) {
    add('true', act(base()), text, false)
    add('false', base().bash('git status --short', ' M db/pool.ts\n'), text, true)
  }
  for (const [index, text] of silent.entries()) {
    add('silent', tested(base(), index, 19, 2), text, false)
  }
  return all
}
