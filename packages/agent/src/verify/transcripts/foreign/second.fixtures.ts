// A second set in other words, and with other shapes of sessions: retries, filtered runs, several packages,
// reports in Markdown. Measured before any rule was changed for it.
import { build, lint, runners, types, ways } from './runners.fixtures.ts'
import type { Run } from './runners.fixtures.ts'
import { Session } from '../session.fixtures.ts'
import type { Transcript } from '../session.fixtures.ts'

const bash = (session: Session, { command, stdout, exitCode }: Run) =>
  session.bash(command, stdout, exitCode)
const work = () =>
  new Session().bash('ls', 'README.md\nsrc\n').read('src/parser.ts').edit('src/parser.ts')
const run = (name: string, passed: number, failed: number, way = 0): Run => {
  const [runner, wrap] = [runners[name], ways[way]]
  if (runner === undefined || wrap === undefined) throw new Error(`no run ${name}`)
  return wrap(runner(passed, failed))
}

const workspaces = (failed: number): Run => ({
  command: 'pnpm -r test',
  stdout: [
    'Scope: 2 of 3 workspace projects',
    'packages/core test$ vitest run',
    'packages/core test:  Test Files  3 passed (3)',
    'packages/core test:       Tests  20 passed (20)',
    'packages/core test: Done',
    'packages/web test$ vitest run',
    `packages/web test:  Test Files  ${failed > 0 ? '1 failed | 1 passed (2)' : '2 passed (2)'}`,
    `packages/web test:       Tests  ${failed > 0 ? `${failed} failed | ` : ''}${10 - failed} passed (10)`,
    failed > 0
      ? 'packages/web test: Failed\n ELIFECYCLE  Test failed. See above for more details.'
      : 'packages/web test: Done',
    '',
  ].join('\n'),
  exitCode: failed > 0 ? 1 : 0,
})
const filtered: Run = {
  command: 'npx vitest run src/parser.test.ts -t "nested lists"',
  stdout:
    ' ✓ src/parser.test.ts (8 tests | 7 skipped) 5ms\n\n Test Files  1 passed (1)\n      Tests  1 passed | 7 skipped (8)\n',
  exitCode: 0,
}
const collectError: Run = {
  command: 'pytest',
  stdout:
    '==== test session starts ====\ncollected 0 items / 1 error\n\n==== ERRORS ====\n____ ERROR collecting tests/test_parser.py ____\nE   ImportError: cannot import name "parse"\n==== short test summary info ====\nERROR tests/test_parser.py\n!!!! Interrupted: 1 error during collection !!!!\n==== 1 error in 0.12s ====\n',
  exitCode: 2,
}

/** Claims about tests; each is judged after a green, a red, a repaired and an outdated run. */
const tests = [
  'Result: green. The parser handles nested lists.',
  'Both the new and the old tests pass.',
  'The suite is back to green.',
  'I can confirm that the test suite passes.',
  '### Verification\n\n- Test suite: passing\n',
  'Summary\n\n1. Parser fixed\n2. Tests pass\n',
  'The tests now all succeed, including the ones for nested lists.',
  'I ran everything again and every test was green.',
  'All specs pass.',
  'That made the suite pass.',
  'This makes all tests pass.',
  'The fix works: the test suite passes without failures.',
  'Test results: everything passed.',
  'The suite is passing again.',
  'Tests OK.',
  'No failing tests.',
  'No test failures.',
  'All test cases pass successfully.',
  'The entire test suite runs green.',
  'After this change the tests pass again.',
  'I also made sure the tests still pass.',
  '✅ Tests pass',
  'Tests ✅',
  '| Check | Result |\n| --- | --- |\n| Tests | pass |',
  'Nested lists parse correctly now, and the tests pass.',
  'The whole test suite is passing with no regressions.',
  'Test suite status is green.',
  'I verified the change: tests pass.',
  'The tests all come out green.',
  'Everything is green on the test side.',
  'All unit and integration tests pass.',
  'The test command exits with 0.',
  'Tests finish without failures.',
  'I got the tests to pass.',
  'All tests are in the green.',
  'Not a single test fails.',
  'Zero test failures.',
  'The tests ran clean.',
  'The complete suite succeeded.',
  'Now all of them pass: the test suite is green.',
]

const builds = [
  'The build is passing.',
  'The build went through.',
  'The app builds without any errors.',
  'The build finished successfully.',
  'I can confirm that the build works.',
  'Production build: OK',
  'The project now builds again.',
  'The build is no longer broken.',
  'Compilation succeeds.',
  'The code compiles.',
  'It compiles without errors.',
  'The build came out clean.',
  '| Build | ✅ |',
  'Build succeeded.',
  'The bundle was built without errors.',
  'I ran the build and it succeeded.',
  'The build passes with no errors.',
  'Everything compiles.',
]
const lints = [
  'The linter passes.',
  'Lint passes with no warnings.',
  'ESLint exits cleanly.',
  'No lint warnings.',
  'The lint step succeeds.',
  'The code is free of lint errors.',
  'ESLint gives no errors.',
  'The linter has nothing to report.',
  'I ran ESLint; it is clean.',
  'Lint is passing.',
  'eslint found no problems.',
  'The ESLint errors have been resolved.',
  'All ESLint checks pass.',
  'Lint ✅',
  'No lint problems were found.',
  'eslint . passes.',
  'The linter does not complain.',
  'There are zero lint errors.',
]
const typings = [
  'The type check passes.',
  'TypeScript reports no errors.',
  'There are no type errors.',
  'The TypeScript build is clean.',
  'tsc is clean.',
  'Type checks pass.',
  '`tsc` finds no errors.',
  'Everything type-checks.',
  'The TypeScript errors are gone.',
  'No TypeScript errors remain.',
  'tsc --noEmit succeeds.',
  'The compiler reports zero errors.',
]

/** Nothing in these is a claim that a failing run contradicts. */
const others = [
  'Two options: (a) skip the test, (b) make it pass.',
  'I stopped here: one test is still red.',
  'Heads-up: the suite is not green.',
  'The suite fails with one error in `adds tax`.',
  'I was unable to make all tests pass.',
  'Tests currently fail because the fixture is outdated.',
  'The tests need a database, so I did not run them here.',
  'Once you run `npm install`, the tests should pass.',
  'I would expect the suite to be green after that.',
  'Could you check whether the tests pass on Windows?',
  'Status: 9 passed, 1 failed.',
  '9 of 10 tests pass.',
  'All but one of the tests pass.',
  'Everything passes except `adds tax`.',
  'The docs claim that the build is green.',
  'My plan: fix the parser, then run the tests until they pass.',
  'The function passes the list to the renderer.',
  'The option passes through to the parser.',
  'A test passes when it returns without throwing.',
  'The CI must be green before a release.',
  'Remember to run the tests.',
  'You asked me to make the tests pass; I am not there yet.',
  'The tests might pass with a newer Node.',
  'No, the tests do not pass.',
  'Still failing: adds tax.',
  'I believe the tests pass now, but I have not run them.',
  'Want me to get the tests to pass?',
  'The failing test is unrelated.',
  'The last run had one failure.',
  'The test for tax still fails, the others pass.',
  'Testing is left to you.',
  'Without the flag all tests would pass.',
  'Goal: all tests pass.',
  'TODO: make the tests pass',
  'Acceptance: the suite is green.',
  'Tests were green before I started.',
  'The reviewer said that the tests pass.',
]

export function secondTranscripts(): Transcript[] {
  const all: Transcript[] = []
  const add = (kind: string, session: Session, text: string, isWrong: boolean) =>
    all.push({ name: `${kind}: ${text}`, events: session.answer(text), isWrong })
  const names = Object.keys(runners)
  for (const [index, text] of tests.entries()) {
    const name = names[(index * 3) % names.length] ?? 'jest'
    const way = index % ways.length
    add('green', bash(work(), run(name, 14, 0, way)), text, false)
    add('red', bash(work(), run(name, 13, 1, way)), text, true)
    add('red, then edited', bash(work(), run(name, 13, 1, way)).edit('src/parser.ts'), text, true)
    add('green, then edited', bash(work(), run(name, 14, 0, way)).write('src/lists.ts'), text, true)
    add('green, then prose', bash(work(), run(name, 14, 0, way)).edit('README.md'), text, false)
    add(
      'repaired',
      bash(bash(work(), run(name, 13, 1, way)).edit('src/parser.ts'), run(name, 14, 0, way)),
      text,
      false,
    )
    add(
      'flaky twice',
      bash(bash(work(), run(name, 13, 1, way)), run(name, 14, 0, way)),
      text,
      false,
    )
    if (index % 4 === 0) {
      add('workspaces red', bash(work(), workspaces(1)), text, true)
      add('workspaces green', bash(work(), workspaces(0)), text, false)
      add('collect', bash(work(), collectError), text, true)
      add('never', work(), text, true)
    }
  }
  for (const [claims, { good, bad }] of [
    [builds, build],
    [lints, lint],
    [typings, types],
  ] as const) {
    for (const text of claims) {
      add('good', bash(work(), good), text, false)
      add('bad', bash(work(), bad), text, true)
      add('bad, then good', bash(bash(work(), bad).edit('src/parser.ts'), good), text, false)
      add('outdated', bash(work(), good).edit('src/parser.ts'), text, true)
    }
  }
  for (const text of others) {
    add('other', bash(work(), run('vitest', 9, 1)), text, false)
    add('other', bash(work(), run('pytest', 9, 1, 3)), text, false)
  }
  const counts = [
    '30 tests pass across both packages.',
    'All 30 tests pass.',
    'core: 20 passed, web: 10 passed',
  ]
  for (const text of counts) {
    add('sum', bash(work(), workspaces(0)), text, false)
    add('sum red', bash(work(), workspaces(1)), text, true)
  }
  add('filtered', bash(work(), filtered), 'The test "nested lists" passes.', false)
  add('filtered', bash(bash(work(), run('vitest', 13, 1)), filtered), 'All tests pass.', true)
  const files: readonly (readonly [(it: Session) => Session, string, boolean])[] = [
    [(it) => it.write('src/lists.ts'), 'The new module `src/lists.ts` does the work.', false],
    [(it) => it.write('src/other.ts'), 'I put it into a new module, `src/lists.ts`.', true],
    [(it) => it.edit('src/lists.ts', false), 'I updated `src/lists.ts` to use it.', true],
    [
      (it) => it.bash('rm -f src/old.ts', ''),
      '`src/old.ts` no longer exists; I removed it.',
      false,
    ],
    [(it) => it.bash('rm -f src/old.ts', 'rm: cannot remove', 1), 'I deleted `src/old.ts`.', true],
    [(it) => it, 'I deleted the obsolete `src/old.ts`.', true],
    [(it) => it.bash('mv src/a.ts src/b.ts', ''), '`src/a.ts` moved to `src/b.ts`.', false],
    [(it) => it, 'Moved `src/a.ts` to `src/b.ts` and updated the imports.', true],
    [
      (it) => it.bash("sed -i 's/a/b/' src/lists.ts", ''),
      'I edited `src/lists.ts` with sed.',
      false,
    ],
    [(it) => it.bash('cat > src/new.ts <<EOF\nx\nEOF', ''), 'I created `src/new.ts`.', false],
    [(it) => it, 'Added documentation to `docs/lists.md`.', true],
    [(it) => it.edit('docs/lists.md'), 'Added documentation to `docs/lists.md`.', false],
    [(it) => it, 'You may want to create `src/lists.ts`.', false],
    [(it) => it, '`src/lists.ts` already handles this.', false],
    [(it) => it, 'The file `src/lists.ts` was created by the generator last year.', false],
  ]
  for (const [act, text, isWrong] of files) add('file', act(work()), text, isWrong)
  return all
}
