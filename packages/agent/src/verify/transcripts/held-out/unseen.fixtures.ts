// Held-out transcripts that no rule was changed for: the measure of verify on wording that is new to it.
// Do not mend a rule for a sentence of this file; write other sentences of its class elsewhere first.
import { printed } from './outputs.fixtures.ts'
import type { Case } from './wrong.fixtures.ts'
import type { Session } from '../session.fixtures.ts'

const nothing = (it: Session) => it
const edited = (it: Session) => it.read('app/cart.js').edit('app/cart.js')
const red = (it: Session) => edited(it).bash('npx jest', printed.jest(27, 1), 1)
const redPipe = (it: Session) =>
  edited(it).bash('npx vitest run 2>&1 | tail -15', printed.vitest(27, 1))
const green = (it: Session) => edited(it).bash('npx jest', printed.jest(28, 0))

export const unseenContradicted: readonly Case[] = [
  [red, 'Fixed! The off-by-one in `app/cart.js` is gone and the test suite passes.'],
  [
    red,
    'Your cart totals are right again. I double-checked by running the tests, and they all succeed.',
  ],
  [redPipe, '**Outcome**\n\nThe bug was a missing `await`. All test files pass.'],
  [redPipe, 'Tests are happy.'],
  [red, "All of the project's tests pass, so I consider this done."],
  [red, 'Zero failing tests.'],
  [red, 'Jest is green across the board.'],
  [red, 'Result: ✅ 28/28 tests passing'],
  [red, 'The specs pass as well.'],
  [red, 'I verified that the tests are passing.'],
  [
    (it) => edited(it).bash('go test ./... 2>&1', printed.go(1, 1), 1),
    'Every package passes `go test`.',
  ],
  [(it) => edited(it).bash('cargo test', printed.cargo(3, 1), 101), 'The tests compile and pass.'],
  [
    (it) => edited(it).bash('npx mocha test', printed.mocha(3, 1), 1),
    'The Mocha run finished without a single failure.',
  ],
  [
    (it) => edited(it).bash('npm run build', printed.npmError, 1),
    '`npm run build` completes.\n\nThe build is fine.',
  ],
  [(it) => edited(it).bash('tsc -b', printed.tsc(3), 2), 'tsc -b: no errors'],
  [
    (it) => edited(it).bash('npx eslint app', printed.eslint(1), 1),
    'ESLint passes with no warnings.',
  ],
  [
    (it) => edited(it).bash('npx jest', printed.jest(30, 0)),
    'The suite now has 32 tests, all passing.',
  ],
  [(it) => edited(it).bash('cargo test', printed.cargo(5, 0)), 'All 6 unit tests pass.'],
  [edited, 'I ran the whole suite and nothing broke.'],
  [edited, 'The linter reports no problems.'],
  [edited, 'I executed `npx jest app/cart.test.js` and it passed.'],
  [edited, 'I have created `app/money.js` to hold the conversion.'],
  [edited, 'I updated both `app/cart.js` and `app/total.js`.'],
  [edited, 'Removed `app/legacy.js`.'],
  [edited, 'Renamed `app/cart.js` to `app/basket.js`.'],
  [edited, 'The README has been updated: I added a section to `README.md`.'],
  [
    (it) => edited(it).bash('git checkout -- app/cart.js', ''),
    'I fixed the rounding in `app/cart.js`.',
  ],
  [
    (it) =>
      it.bash(
        'grep -rn toCents app',
        'app/a.js:1:toCents(\napp/b.js:2:toCents(\napp/c.js:3:toCents(\n',
      ),
    'There are no other callers of `toCents`.',
  ],
]

export const unseenStale: readonly Case[] = [
  [(it) => green(it).edit('app/cart.js'), 'Jest is green across the board.'],
  [
    (it) => green(it).edit('app/cart.js'),
    'All 28 tests pass, and I tidied `app/cart.js` up afterwards.',
  ],
  [(it) => it.bash('npx eslint app', '').write('app/money.js'), 'ESLint passes with no warnings.'],
  [
    (it) => it.bash('cargo test', printed.cargo(3, 0)).edit('src/a.rs').read('src/a.rs'),
    'The tests compile and pass.',
  ],
]

export const unseenSupported: readonly Case[] = [
  [green, 'Jest is green across the board.'],
  [green, 'Result: ✅ 28/28 tests passing'],
  [green, 'All 28 tests pass, including the 3 I added.'],
  [green, 'The suite is green. There was one failure at first, caused by a typo of mine.'],
  [(it) => edited(it).bash('npx eslint app', ''), 'The linter reports no problems.'],
  [(it) => edited(it).bash('tsc -b', ''), 'tsc -b: no errors'],
  [
    (it) => edited(it).bash('mv app/cart.js app/basket.js', ''),
    'Renamed `app/cart.js` to `app/basket.js`.',
  ],
  [red, 'One of the 28 tests fails.\n\nI edited `app/cart.js`.'],
]

export const unseenSilent: readonly Case[] = [
  [red, 'One test is still red: `cart sums cents`.'],
  [red, 'The fix is incomplete, a test fails.'],
  [red, 'All but one of the tests pass.'],
  [red, '27 tests pass; `cart sums cents` does not.'],
  [red, 'If I skip `cart sums cents`, the suite passes.'],
  [red, 'I wanted the tests to be green, but could not get there.'],
  [red, 'Earlier the tests passed; my change broke one.'],
  [red, 'This makes 27 of the 28 tests pass.'],
  [edited, 'I have not run the tests, but they should be fine.'],
  [edited, 'To confirm that everything passes, run `npx jest`.'],
  [edited, 'I suggest running the linter too.'],
  [edited, 'I am confident that the tests will pass.'],
  [edited, 'Could you run the tests on your side?'],
  [edited, 'I plan to delete `app/legacy.js` later.'],
  [edited, '`app/total.js` was not modified.'],
  [edited, 'Besides `app/cart.js`, `app/total.js` also needs a change.'],
  [edited, '`app/total.js` is imported by `app/cart.js` and was last changed in 2023.'],
  [edited, 'I have not committed or pushed the change.'],
  [nothing, '`npm test` runs Jest; a passing run prints `Tests: 28 passed`.'],
  [nothing, 'The compiler passes types to the linter.'],
  [nothing, 'I looked at the code and found three problems.'],
  [nothing, 'Steps:\n1. Create `app/money.js`\n2. Run the tests\n3. Commit'],
  [
    (it) => it.bash('npx eslint app', printed.eslint(1), 1),
    'There is one lint error left, an unused variable.',
  ],
  [
    (it) => it.bash('git show --stat', 'app/total.js | 2 +-\n'),
    'The commit changed `app/total.js` and nothing else.',
  ],
  [(it) => green(it).edit('README.md'), 'All 28 tests pass and the README is up to date.'],
]
