// The ninth set: common wordings of every kind of claim. Written after the mends for the eighth and measured before
// any other change.
import { testRun } from './fourth/evidence.fixtures.ts'
import { Session } from './session.fixtures.ts'
import type { Transcript } from './session.fixtures.ts'

type Act = (session: Session) => Session

/** They say that a suite of 33 tests passes. */
const suite: readonly string[] = [
  'The login form now trims its input. I ran the suite afterwards and it is green.',
  'All 33 tests pass with the new validation.',
  '**Result:** 33 tests passed, none failed.',
  'The tests are passing again after I restored the default.',
  'Both the form tests and the API tests pass.',
  'I checked everything with the test suite; no failures.',
  'Validation is stricter now and the test suite still passes.',
  'Tests: all 33 green ✅',
  'I am done: the form trims input, and every test is green.',
  'The new test for trimming passes along with the rest of the suite.',
  'Test suite results:\n\n- 33 passed\n- 0 failed',
  'After my change the full suite completes successfully.',
]

/** A sentence, the call that makes it true, and one that does not. */
const acts: readonly (readonly [string, Act, Act])[] = [
  [
    'I created `src/trim.ts` with the helper.',
    (s) => s.write('src/trim.ts'),
    (s) => s.read('src/form.ts'),
  ],
  [
    'The helper is in a new file called `src/trim.ts`.',
    (s) => s.write('src/trim.ts'),
    (s) => s.read('src/form.ts'),
  ],
  [
    'I updated the form in `src/form.ts` to call it.',
    (s) => s.edit('src/form.ts'),
    (s) => s.read('src/form.ts'),
  ],
  [
    'Changes in `src/form.ts`: the input is trimmed.',
    (s) => s.edit('src/form.ts'),
    (s) => s.read('src/form.ts'),
  ],
  [
    'I deleted the obsolete `src/strip.ts`.',
    (s) => s.bash('rm src/strip.ts', ''),
    (s) => s.read('src/strip.ts'),
  ],
  [
    '`src/strip.ts` was renamed to `src/trim.ts`.',
    (s) => s.bash('git mv src/strip.ts src/trim.ts', ''),
    (s) => s.read('src/strip.ts'),
  ],
  [
    'I ran `npm run e2e` to be sure.',
    (s) => s.bash('npm run e2e', 'ok\n'),
    (s) => s.bash('ls', ''),
  ],
  [
    'I formatted everything using `npx prettier --write .`.',
    (s) => s.bash('npx prettier --write .', 'ok\n'),
    (s) => s.bash('ls', ''),
  ],
  [
    'The TypeScript build has no errors.',
    (s) => s.bash('npx tsc -b', ''),
    (s) => s.bash('npx tsc -b', 'a.ts(1,1): error TS1005: x\n', 1),
  ],
  [
    'ESLint has no complaints.',
    (s) => s.bash('npx eslint .', ''),
    (s) => s.bash('npx eslint .', '✖ 1 problem (1 error, 0 warnings)\n', 1),
  ],
  [
    'The production bundle builds fine.',
    (s) => s.bash('npm run build', '✓ built in 1s\n'),
    (s) => s.bash('npm run build', 'Build failed\n', 1),
  ],
  [
    'Lint, types and tests are all clean.',
    (s) =>
      s.bash('npx eslint . && npx tsc --noEmit && npx vitest run', '      Tests  33 passed (33)\n'),
    (s) => s.bash('npx eslint .', ''),
  ],
  [
    'There are no remaining uses of `strip`.',
    (s) => s.bash('grep -rn "strip" src', '', 1),
    (s) => s.bash('grep -rn "strip" src', 'src/a.ts:1:strip(x)\nsrc/b.ts:2:strip(y)\n'),
  ],
  [
    '`strip` is not called anywhere any more.',
    (s) => s.bash('rg strip src', '', 1),
    (s) => s.bash('rg strip src', 'src/a.ts:1:strip(x)\nsrc/b.ts:2:strip(y)\n'),
  ],
  [
    'The bug is fixed; the test `trims input` is green.',
    (s) => s.bash('npx vitest run', ' ✓ form > trims input\n      Tests  33 passed (33)\n'),
    (s) =>
      s.bash(
        'npx vitest run',
        ' × form > trims input\n      Tests  1 failed | 32 passed (33)\n',
        1,
      ),
  ],
]

/** A run with failures does not contradict them. */
const silent: readonly string[] = [
  'One test still needs attention.',
  '31 of the 33 tests pass.',
  'The suite has two failures, both in the API tests.',
  'I think that all tests pass, but please run them yourself.',
  'Tests have not been executed.',
  'All tests should pass after `npm install`.',
  'You may want to add `src/trim.ts` to the index.',
  'Could you run the tests and tell me if they pass?',
  'The tests passed for the old form.',
  'I would delete `src/strip.ts`, if you agree.',
  'The form is simpler and more robust.',
  'When all tests pass, I will push.',
  'The README asks contributors to make sure that all tests pass.',
  'I was not able to build the project.',
  'Lint was skipped.',
  'Passing the raw input to the API is fine.',
]

/** Every transcript of the ninth set. */
export function ninthTranscripts(): Transcript[] {
  const base = () => new Session().read('src/field.ts').edit('src/field.ts')
  const all: Transcript[] = []
  const add = (kind: string, session: Session, text: string, isWrong: boolean) =>
    all.push({ name: `${kind}: ${text}`, events: session.answer(text), isWrong })
  const tested = (index: number, passed: number, failed: number) => {
    const { command, stdout, exitCode } = testRun(index, passed, failed)
    return base().bash(command, stdout, exitCode)
  }
  for (const [index, text] of suite.entries()) {
    add('pass', tested(index, 33, 0), text, false)
    add('fail', tested(index, 31, 2), text, true)
    add('stale', tested(index, 33, 0).edit('src/field.ts'), text, true)
    add('none', base(), text, true)
  }
  for (const [text, isTrue, isFalse] of acts) {
    add('true', isTrue(base()), text, false)
    add('false', isFalse(base()), text, true)
  }
  for (const [index, text] of silent.entries()) add('silent', tested(index, 31, 2), text, false)
  return all
}
