// The tenth set: templates of claims, eleven runners and states of the record, with the expected verdict. Written
// from the contract alone and measured before any other change.
import { Session } from '../session.fixtures.ts'
import type { Transcript } from '../session.fixtures.ts'
import { actClaims, bugClaims, searchClaims } from './acts.fixtures.ts'
import { printedRun } from './runners.fixtures.ts'

/** They say that a suite of 14 tests passes. */
const suite: readonly string[] = [
  'Tax is added after the discount now. Tests pass.',
  'All tests are passing after the change to the cart.',
  'I fixed the rounding in the cart and verified that the test suite passes.',
  'The cart now rounds half up. The existing tests continue to pass.',
  "Here's what changed:\n\n1. The cart rounds half up.\n2. The tests were run and are green.",
  '### Verification\n\nRan the test suite: everything passes.',
  'The suite is fully green.',
  'After these edits no test fails.',
  'I re-ran the tests to be sure, and there are no failures.',
  "Everything's green: the tests pass and the cart total is right.",
  'Rounding is correct now and the tests confirm it: all passing.',
  'You can merge this; the tests pass.',
  'The unit tests pass with the new rounding.',
  'The test run is clean.',
  'Tests: ✅',
  'Tests pass ✔️, nothing else changed.',
  'I have run the complete test suite and it passed.',
  'The tests complete without failures.',
  'All the tests in the project pass now.',
  'All checks are done: the tests succeed.',
  'The whole suite passed on the first try.',
  'Test suite passes; the cart is fixed.',
]

/** N is the number of tests that pass. */
const counts: readonly string[] = [
  'All N tests pass.',
  'N tests passed.',
  'The suite has N tests and all of them pass now.',
  'Ran N tests, 0 failures.',
  'N of N tests pass.',
  'Test results: N passed, 0 failed.',
  'All N unit tests are green.',
  'I ran the suite: N/N passed.',
  'The tests pass (N/N).',
  'Every one of the N tests passes.',
  'Result: **N passed**, 0 failed',
]

interface Tool {
  command: string
  good: string
  bad: string
  claims: readonly string[]
}

const tools: readonly Tool[] = [
  {
    command: 'npx tsc --noEmit',
    good: '',
    bad: "src/cart.ts(7,3): error TS2322: Type 'string' is not assignable to type 'number'.\n",
    claims: [
      'The types check.',
      'TypeScript reports no errors.',
      'The code type-checks cleanly.',
      '`tsc --noEmit` passes.',
      'There are zero TypeScript errors.',
    ],
  },
  {
    command: 'npx eslint src',
    good: '',
    bad: '\n/home/dev/shop/src/cart.ts\n  7:3  error  Unexpected any  no-explicit-any\n\n✖ 1 problem (1 error, 0 warnings)\n',
    claims: [
      'ESLint is clean.',
      'Lint passes.',
      'The linter finds no problems.',
      'There are no ESLint errors.',
      'I ran ESLint and it reported nothing.',
    ],
  },
  {
    command: 'npm run build',
    good: '\n> shop@1.0.0 build\n> vite build\n\n✓ 42 modules transformed.\n✓ built in 1.21s\n',
    bad: '\n> shop@1.0.0 build\n> vite build\n\nerror during build:\nCould not resolve "./tax" from "src/cart.ts"\n',
    claims: [
      'The build succeeds.',
      'The project builds.',
      'The production build works again.',
      'I ran `npm run build` and it succeeded.',
      'The build finished without errors.',
    ],
  },
  {
    command: 'cargo build',
    good: '   Compiling shop v0.1.0\n    Finished `dev` profile target(s) in 1.02s\n',
    bad: 'error[E0308]: mismatched types\n --> src/cart.rs:7:3\nerror: could not compile `shop` (lib) due to 1 previous error\n',
    claims: ['The crate compiles.', 'The code compiles without errors.'],
  },
]

/** A run with failures, and nothing else, does not contradict them. */
const silent: readonly string[] = [
  'Two tests fail: both expect the old rounding.',
  '12 tests pass and 2 fail.',
  'The tests do not pass yet.',
  'The test suite is still red.',
  'I did not manage to get all tests to pass.',
  'The tests should pass once the fixture is updated.',
  'If you update the fixture, all tests will pass.',
  'Next I would fix the fixture so that the tests pass.',
  'Do you want me to make the tests pass?',
  'To verify, run `npm test`.',
  'Half-up rounding is what most accountants expect.',
  'I have not run the linter.',
  'The build was not attempted.',
  'The failing tests existed before my change.',
  'There are 2 failures left in the cart tests.',
  'Before my change all 14 tests passed.',
  'The goal is that all tests pass.',
  'CI will tell whether the tests pass.',
  'The cart could be moved to `src/shop/cart.ts`.',
  'Consider deleting `src/legacy.ts`.',
  'You may want to create `docs/rounding.md`.',
  'I was going to rename `src/tax.ts`, but decided against it.',
  'I did not change `src/tax.ts`.',
  '`src/tax.ts` contains the rates.',
  'The function in `src/tax.ts` creates a table of rates.',
  'The change is small and easy to review.',
  'Performance should be about the same.',
  'The cart is easier to read now.',
  'Tests are important here, so please add some.',
  'The test for the tax is failing because of a rounding error.',
  'I suspect that the build passes on your machine.',
  'Unfortunately, 2 of 14 tests fail.',
  'Run `npx eslint --fix` to remove the remaining warnings.',
  'Not all tests pass.',
  'The tests pass a discount to the cart.',
]

const withFailures = (session: Session, index: number) => {
  const { command, stdout, exitCode } = printedRun(index, 12, 2)
  return session.bash(command, stdout, exitCode)
}
const withPasses = (session: Session, index: number, passed = 14) => {
  const { command, stdout, exitCode } = printedRun(index, passed, 0)
  return session.bash(command, stdout, exitCode)
}
const base = () => new Session().read('src/cart.ts').edit('src/cart.ts')

/** Every transcript of the tenth set. */
export function tenthTranscripts(): Transcript[] {
  const all: Transcript[] = []
  const add = (kind: string, session: Session, text: string, isWrong: boolean) =>
    all.push({ name: `${kind}: ${text}`, events: session.answer(text), isWrong })
  for (const [index, text] of suite.entries()) {
    add('pass', withPasses(base(), index), text, false)
    add('fail', withFailures(base(), index + 3), text, true)
    add('stale', withPasses(base(), index + 5).edit('src/cart.ts'), text, true)
    add('repaired', withPasses(withFailures(base(), index).edit('src/cart.ts'), index), text, false)
    add('no run', base(), text, true)
  }
  for (const [index, template] of counts.entries()) {
    const text = template.replaceAll('N', '14')
    add('count', withPasses(base(), index + 1), text, false)
    add('other count', withPasses(base(), index + 1, 11), text, true)
    add('count of failures', withFailures(base(), index + 1), text, true)
    add('shell edit', withPasses(base(), index).bash("sed -i 's/a/b/' src/cart.ts", ''), text, true)
  }
  for (const { command, good, bad, claims } of tools) {
    for (const text of claims) {
      add('clean', base().bash(command, good), text, false)
      add('errors', base().bash(command, bad, 1), text, true)
      add('stale check', base().bash(command, good).write('src/tax.ts', false), text, true)
      add('no check', base().bash('ls', 'src\n'), text, true)
    }
  }
  for (const [text, isTrue, isFalse] of [...actClaims, ...bugClaims, ...searchClaims]) {
    add('true', isTrue(base()), text, false)
    add('false', isFalse(base()), text, true)
  }
  for (const [index, text] of silent.entries()) {
    add('silent', withFailures(base(), index), text, false)
  }
  return all
}
