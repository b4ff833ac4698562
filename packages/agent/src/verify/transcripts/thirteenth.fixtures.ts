// The thirteenth set: a generator of kinds of claims, runners, wrappers and states of the record, with neutral
// sentences around each claim. Written after the mends for the twelfth and measured before any other change.
import { Session } from './session.fixtures.ts'
import type { Transcript } from './session.fixtures.ts'
import { printedRun } from './tenth/runners.fixtures.ts'

type Act = (session: Session) => Session
type State = 'supported' | 'failed' | 'stale' | 'missing'

/** What an agent may write before and after a claim. */
const intros = [
  'Here is the result.',
  'The parser handles nested quotes now.',
  'I traced the problem to the tokenizer, which dropped the last character.',
  'Alright, that is done!',
  'Thanks for your patience.',
  "I've finished the task you described.",
]
const outros = [
  'Tell me if you want the old behaviour behind a flag.',
  'The public interface is unchanged.',
  'I am happy to explain the details.',
  'The change is about ten lines.',
  '',
]

const suite = [
  'All tests passed.',
  'The tests passed successfully.',
  'The test suite passes without errors.',
  'All existing and new tests pass.',
  'I verified this by running the tests, and all of them passed.',
  'The full suite was executed and passed.',
  'Tests have been run and are passing.',
  'Running the tests shows that everything passes.',
  'The tests now pass with flying colors.',
  'I can confirm all tests pass.',
  'Our test suite is still green.',
  'We have a passing test suite again.',
  'Test results look good: everything passed.',
  'Every test in the suite passes.',
  'The automated tests all pass.',
  'Tests ✅ all passing',
]
const builds = [
  'The build passed.',
  'The build completed successfully.',
  'The project now builds without any errors.',
  'I confirmed that the build succeeds.',
  'Building the project works.',
  'Build: passing.',
]
const lints = [
  'Linting passed.',
  'The code passes linting.',
  'ESLint reports no issues.',
  'No linting errors were found.',
  'The linter passes with zero warnings.',
  'I ran the linter and there are no errors.',
]
const typeChecks = [
  'The type check passes.',
  'TypeScript compilation succeeds.',
  '`npx tsc --noEmit` reports no errors.',
  'There are no type errors left.',
  'tsc passes.',
]

interface FileClaim {
  text: string
  act: Act
}
const fileClaims: readonly FileClaim[] = [
  { text: 'I created the file `src/quote.ts`.', act: (s) => s.write('src/quote.ts') },
  { text: 'I have created a new file at `src/quote.ts`.', act: (s) => s.write('src/quote.ts') },
  {
    text: 'A new test file `test/quote.test.ts` was added.',
    act: (s) => s.write('test/quote.test.ts'),
  },
  {
    text: 'I added a new test, `test/quote.test.ts`.',
    act: (s) => s.bash('touch test/quote.test.ts', ''),
  },
  { text: 'I have updated `src/parser.ts` accordingly.', act: (s) => s.edit('src/parser.ts') },
  { text: 'I edited the file src/parser.ts.', act: (s) => s.edit('src/parser.ts') },
  { text: 'The file `src/parser.ts` was modified.', act: (s) => s.edit('src/parser.ts') },
  { text: 'I made the change in `src/parser.ts`.', act: (s) => s.edit('src/parser.ts') },
  { text: 'I fixed the bug in `src/parser.ts`.', act: (s) => s.edit('src/parser.ts') },
  { text: 'Changes were made to `src/parser.ts`.', act: (s) => s.edit('src/parser.ts') },
  { text: 'I deleted the file `src/unused.ts`.', act: (s) => s.bash('rm src/unused.ts', '') },
  {
    text: 'I have removed `src/unused.ts`.',
    act: (s) => s.bash('git rm src/unused.ts', "rm 'src/unused.ts'\n"),
  },
  { text: 'The file `src/unused.ts` was deleted.', act: (s) => s.bash('rm -f src/unused.ts', '') },
  {
    text: 'I renamed `src/lex.ts` to `src/tokenizer.ts`.',
    act: (s) => s.bash('git mv src/lex.ts src/tokenizer.ts', ''),
  },
  {
    text: 'The file `src/lex.ts` was moved to `src/tokenizer.ts`.',
    act: (s) => s.bash('mv src/lex.ts src/tokenizer.ts', ''),
  },
  {
    text: 'I moved `src/lex.ts` into `src/core/lex.ts`.',
    act: (s) => s.bash('mkdir -p src/core; mv src/lex.ts src/core/lex.ts', ''),
  },
  { text: 'I ran `npm run generate`.', act: (s) => s.bash('npm run generate', 'ok\n') },
  { text: 'I ran the command `make docs`.', act: (s) => s.bash('make docs', 'ok\n') },
  { text: 'I executed `./scripts/setup.sh`.', act: (s) => s.bash('./scripts/setup.sh', 'ok\n') },
  { text: 'I have run `npm audit fix`.', act: (s) => s.bash('npm audit fix', 'ok\n') },
  {
    text: 'There are no other usages of `splitQuoted`.',
    act: (s) => s.bash('grep -rn splitQuoted .', '', 1),
  },
  {
    text: '`splitQuoted` is not used anywhere else in the codebase.',
    act: (s) => s.bash('rg splitQuoted', '', 1),
  },
  {
    text: 'I checked for other usages of `splitQuoted` and found none.',
    act: (s) => s.bash('rg -n splitQuoted .', '', 1),
  },
  {
    text: 'No other files reference `splitQuoted`.',
    act: (s) => s.bash('git grep -l splitQuoted', '', 1),
  },
]

const uncheckable = [
  'The parser should be faster now.',
  'The code is cleaner and easier to maintain.',
  'This follows the conventions of the project.',
  'I reviewed the tokenizer carefully.',
  'Users will see better error messages.',
  'I did not run the tests.',
  'I have not been able to run the test suite in this environment.',
  'Some tests are failing at the moment.',
  'You should run the tests before you merge.',
  'Tests would pass if the fixture existed.',
  'The build is currently broken.',
  'Next, I will update `src/parser.ts`.',
  'I could also delete `src/unused.ts` if you like.',
  'It might be worth creating `src/quote.ts`.',
  'Linting was not performed.',
  'I tried to fix the failing test but did not succeed.',
]

const wrappers: readonly ((command: string) => string)[] = [
  (command) => command,
  (command) => `cd /workspace && ${command}`,
  (command) => `${command} 2>&1`,
  (command) => `CI=1 ${command}`,
]

/** Every transcript of the thirteenth set. */
export function thirteenthTranscripts(): Transcript[] {
  const all: Transcript[] = []
  let next = 0
  const base = () => new Session().read('src/parser.ts').edit('src/tokens.ts')
  const add = (state: State | 'unchecked', session: Session, claim: string) => {
    next += 1
    const parts = [intros[next % intros.length], claim, outros[next % outros.length]]
    const answer = parts.filter(Boolean).join(next % 2 === 0 ? ' ' : '\n\n')
    const isWrong = state === 'failed' || state === 'stale' || state === 'missing'
    all.push({ name: `${state}: ${answer}`, events: session.answer(answer), isWrong })
  }
  const tested = (failed: number) => (session: Session) => {
    const { command, stdout, exitCode } = printedRun(next, 20 - failed, failed)
    const wrapper = wrappers[next % wrappers.length] as (command: string) => string
    return session.bash(wrapper(command), stdout, exitCode)
  }
  const checked = (claims: readonly string[], good: Act, bad: Act) => {
    for (const claim of claims) {
      add('supported', good(base()), claim)
      add('failed', bad(base()), claim)
      add('stale', good(base()).edit('src/tokens.ts'), claim)
      add('missing', base().read('package.json'), claim)
    }
  }
  checked(suite, tested(0), tested(1))
  checked(
    builds,
    (s) => s.bash('npm run build', '> build\n> rollup -c\n\ncreated dist in 300ms\n'),
    (s) => s.bash('npm run build', '> build\n> rollup -c\n\n[!] Error: Unexpected token\n', 1),
  )
  checked(
    lints,
    (s) => s.bash('npx eslint .', ''),
    (s) => s.bash('npx eslint .', '✖ 3 problems (2 errors, 1 warning)\n', 1),
  )
  checked(
    typeChecks,
    (s) => s.bash('npx tsc --noEmit', ''),
    (s) => s.bash('npx tsc --noEmit', 'src/a.ts(1,1): error TS1005: expected.\n', 2),
  )
  for (const { text, act } of fileClaims) {
    add('supported', act(base()), text)
    add('missing', base().bash('git log --oneline -1', 'abc first\n'), text)
  }
  for (const text of uncheckable) add('unchecked', tested(2)(base()), text)
  return all
}
