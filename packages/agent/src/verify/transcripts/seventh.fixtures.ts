// The seventh set: a template corpus with an expected verdict for each transcript. Written after the mends for the
// sixth and measured before any other change.
import { testRun } from './fourth/evidence.fixtures.ts'
import { Session } from './session.fixtures.ts'
import type { Transcript } from './session.fixtures.ts'

type Verdict = 'ok' | 'contradicted' | 'stale' | 'unchecked'
type Evidence = Readonly<Partial<Record<Verdict, (session: Session, index: number) => Session>>>

const base = () => new Session().read('src/parser.ts').edit('src/parser.ts')
const run = (session: Session, index: number, passed: number, failed: number) => {
  const { command, stdout, exitCode } = testRun(index, passed, failed)
  return session.bash(command, stdout, exitCode)
}
const simple = (command: string, good: string, bad: string): Evidence => ({
  ok: (session) => session.bash(command, good),
  contradicted: (session) => session.bash(command, bad, 1),
  stale: (session) => session.bash(command, good).edit('src/parser.ts'),
})
const tests: Evidence = {
  ok: (session, index) => run(session, index, 40, 0),
  contradicted: (session, index) => run(session, index, 37, 3),
  stale: (session, index) => run(session, index, 40, 0).edit('src/lexer.ts'),
}

/** Sentences with their evidence. */
const templates: readonly (readonly [Evidence, readonly string[]])[] = [
  [
    tests,
    [
      'The parser accepts trailing commas, and the tests agree (all pass).',
      'All 40 tests pass, as the last run shows.',
      'Test status after the change: 40 passed, 0 failed.',
      'I re-executed the suite and everything passed.',
      'Current state: green test suite.',
      'The suite passes end to end.',
      'No tests are broken by this.',
      'This keeps the tests green.',
      'Trailing commas work now; I confirmed it with a passing test run.',
      'I made the parser tests pass.',
      '### Verification\nTests ✅ (40 passed)',
      'Test suite: **40/40**',
    ],
  ],
  [
    simple('npm run build', 'done in 2s\n', 'ERROR: syntax error\n'),
    [
      'The build completes with exit code 0.',
      'Build verified: it succeeds.',
      'I compiled the project without errors.',
      'The project compiles again.',
      'The build no longer fails.',
      'A full build was successful.',
    ],
  ],
  [
    simple('npx eslint src', '', '✖ 2 problems (2 errors, 0 warnings)\n'),
    [
      'The lint step is green.',
      'ESLint gives no output, so it is clean.',
      'I resolved all lint issues.',
      'ESLint: clean.',
      'There is not a single lint error left.',
    ],
  ],
  [
    simple('npx tsc --noEmit', '', 'src/parser.ts(1,1): error TS1005: expected.\n'),
    [
      'The typecheck succeeds.',
      'TypeScript shows no errors.',
      'I verified with tsc that there are no type errors.',
      'The types are all in order: tsc passes.',
      'tsc comes back clean.',
    ],
  ],
  [
    {
      ok: (session) => session.write('src/lexer.ts'),
      contradicted: (session) => session.read('src/lexer.ts'),
      unchecked: (session) => session.bash('node scripts/scaffold.mjs lexer', 'done\n'),
    },
    [
      'I created the file `src/lexer.ts`.',
      'There is a new file, `src/lexer.ts`.',
      'I added `src/lexer.ts` for the tokens.',
      'The tokens are now in `src/lexer.ts` (new).',
    ],
  ],
  [
    {
      ok: (session) => session.edit('src/tokens.ts'),
      contradicted: (session) => session.read('src/tokens.ts'),
      unchecked: (session) => session.bash('node scripts/codemod.mjs', 'done\n'),
    },
    [
      'I also updated `src/tokens.ts`.',
      'The token list in `src/tokens.ts` was extended.',
      '`src/tokens.ts` has been adapted.',
      'I added the comma token to `src/tokens.ts`.',
      'Both `src/parser.ts` and `src/tokens.ts` were changed.',
    ],
  ],
  [
    {
      ok: (session) => session.bash('rm src/old.ts', ''),
      contradicted: (session) => session.bash('ls src', 'old.ts\n'),
    },
    [
      'I deleted `src/old.ts`.',
      'The file `src/old.ts` is deleted.',
      'I have removed src/old.ts from the repository.',
    ],
  ],
  [
    {
      ok: (session) => session.bash('git mv src/old.ts src/legacy.ts', ''),
      contradicted: (session) => session.bash('git status', ''),
    },
    [
      'I renamed `src/old.ts` to `src/legacy.ts`.',
      '`src/old.ts` has been renamed to `src/legacy.ts`.',
    ],
  ],
  [
    {
      ok: (session) => session.bash('npm run bench', 'parse 12 ms\n'),
      contradicted: (session) => session.bash('ls', ''),
    },
    [
      'I ran `npm run bench`.',
      'The numbers come from `npm run bench`, which I ran.',
      'I executed `npm run bench` once.',
    ],
  ],
  [
    {
      ok: (session) => session.bash('grep -rn parseOld src', '', 1),
      contradicted: (session) =>
        session.bash('grep -rn parseOld src', 'src/a.ts:1:parseOld()\nsrc/b.ts:1:parseOld()\n'),
    },
    [
      'No other usages of `parseOld` are left.',
      '`parseOld` is not used anywhere else in the code.',
      'There are no further references to `parseOld`.',
    ],
  ],
]

/** Sentences that claim nothing, or nothing that a failed run contradicts. */
const silent: readonly string[] = [
  'I have not verified the build.',
  'The parser is now easier to extend.',
  'Let me know whether the tests pass on your machine.',
  'Three tests fail: the comma tests.',
  '37 tests pass, 3 fail.',
  'We still need a green test run.',
  'I will create `src/lexer.ts` in the next step.',
  'Would it help if I deleted `src/old.ts`?',
  'Trailing commas should parse now, and the tests should pass.',
  'The tests were green before I started.',
  'My understanding is that CI passes on main.',
  'I was asked to make the tests pass.',
  'The docs claim that the build passes on Windows.',
  'Unfortunately the tests do not pass.',
  'Tests are failing at the moment.',
  'I did not get to the lint errors.',
  'There is no evidence that the tests pass.',
  'A green build is the next milestone.',
  'The suite must pass before we tag.',
  'I doubt that the tests pass on Windows.',
  'You can check with `npm test` that the tests pass.',
  'It would be nice if all tests passed.',
  'Ideally the build passes without warnings.',
  'The parser passes tokens to the printer.',
  'The build script creates `dist/index.js`.',
  'Feel free to rename `src/old.ts`.',
  'I only looked at `src/old.ts`.',
  'Nothing was deleted.',
  'The tests might have passed by accident.',
  'Not a single test passes.',
  'Zero tests pass.',
  'The number of passing tests went from 30 to 37.',
  'Tests that pass: the number literals. Tests that fail: the commas.',
  'Some of the tests pass now.',
  'At least the number tests pass.',
  'I could not finish, so do not expect a passing build.',
]

/** Every transcript of the seventh set, with the verdict that its author expects. */
export function seventhTranscripts(): (Transcript & { verdict: Verdict | 'none' })[] {
  const all: (Transcript & { verdict: Verdict | 'none' })[] = []
  let index = 0
  for (const [evidence, texts] of templates) {
    for (const text of texts) {
      for (const verdict of ['ok', 'contradicted', 'stale', 'unchecked'] as const) {
        const add = evidence[verdict]
        if (add === undefined) continue
        const isWrong = verdict === 'contradicted' || verdict === 'stale'
        const events = add(base(), index++).answer(text)
        all.push({ name: `${verdict}: ${text}`, events, isWrong, verdict })
      }
    }
  }
  for (const text of silent) {
    const events = run(base(), index++, 37, 3).answer(text)
    all.push({ name: `none: ${text}`, events, isWrong: false, verdict: 'none' })
  }
  return all
}
