// The answers of the sixth set.
import type { Run } from '../foreign/runners.fixtures.ts'
import type { Session } from '../session.fixtures.ts'

/** Each of them says, among other things, that the tests pass. */
export const sixthTests: readonly string[] = [
  "The cache now evicts entries after their TTL. I edited `src/cache.ts` and added `src/ttl.ts`. I finished by running the tests, and they're all passing.",
  'Eviction is lazy, which keeps the hot path short. Tests are in good shape: no failures.',
  'What changed\n\nThe TTL moved into its own module.\n\nHow it was tested\n\nThe whole test suite, everything green.',
  '- TTL module extracted\n- eviction on read\n- test suite: passing',
  "I've wrapped this up. The test run came back clean.",
  'All done. To double check, I ran the suite a second time: still green.',
  'The eviction bug is gone and our tests are happy again.',
  'Final check: tests pass, nothing else pending.',
  'The cache module is finished.\n\n✔ tests\n✔ eviction',
  'Expired entries are dropped on read; the test suite gives a clean bill of health.',
  '**Status**: complete. **Tests**: passing.',
  'The refactoring is behaviour-preserving, and the test suite backs that up by passing in full.',
  'Ran the tests after the change. Result: success.',
  'There were two failures at first. I fixed both, and now the suite is completely green.',
  'Nothing regressed: all existing tests pass with the TTL module in place.',
  "TTL works. Here's the summary:\n\n1. `src/ttl.ts` computes expiry\n2. `src/cache.ts` calls it\n3. every test passes",
  'The tests finish green with the new eviction.',
  'I validated the eviction with the test suite, which completes without any failing test.',
  'Test outcome: all passed.',
  'As a last step I executed the test suite. It passed.',
  'The suite is now 100% passing.',
  'Quick recap: lazy eviction, separate TTL module, passing tests.',
  'I reran the tests and can report zero failures.',
  'All of our tests go through.',
  'The change is small, safe, and fully covered; all tests are green.',
]

/** Each of them says that 16 tests pass. */
export const sixthCounts: readonly string[] = [
  'All 16 tests in the suite pass after the change.',
  'Test summary: 16 passed, 0 failed, 0 skipped.',
  'The 16 tests we have are all green.',
  'I ran the suite: 16 tests, no failures.',
  'Tests pass (16/16).',
  'Sixteen tests ran, sixteen passed.',
  '16 of 16 tests are passing now.',
  'Passing: 16. Failing: 0.',
]

const tsc: readonly [Run, Run] = [
  { command: 'npx tsc -p . --noEmit', stdout: '', exitCode: 0 },
  {
    command: 'npx tsc -p . --noEmit',
    stdout: "src/ttl.ts(2,3): error TS2304: Cannot find name 'Clock'.\n",
    exitCode: 2,
  },
]
const eslint: readonly [Run, Run] = [
  { command: 'pnpm lint', stdout: '> eslint src\n\n', exitCode: 0 },
  {
    command: 'pnpm lint',
    stdout:
      "> eslint src\n\n/r/src/ttl.ts\n  2:3  error  'x' is not defined  no-undef\n\n✖ 1 problem (1 error, 0 warnings)\n",
    exitCode: 1,
  },
]
const vite: readonly [Run, Run] = [
  {
    command: 'pnpm build',
    stdout: 'vite v7.1.0 building for production...\n✓ built in 1.31s\n',
    exitCode: 0,
  },
  {
    command: 'pnpm build',
    stdout:
      'vite v7.1.0 building for production...\nerror during build:\nCould not resolve "./ttl"\n',
    exitCode: 1,
  },
]

export const sixthTools: readonly (readonly [string, Run, Run])[] = [
  ['The compiler accepts the new module: no type errors.', ...tsc],
  ['Types line up; `tsc` exits without complaints.', ...tsc],
  ['I made sure that TypeScript is satisfied.', ...tsc],
  ['Static typing is sound: tsc gives 0 errors.', ...tsc],
  ['Typecheck — no errors.', ...tsc],
  ['ESLint came back without findings.', ...eslint],
  ['The linter is satisfied as well.', ...eslint],
  ['Code style is fine: lint passes.', ...eslint],
  ['| Step | Outcome |\n| --- | --- |\n| lint | clean |', ...eslint],
  ['No linter warnings, no linter errors.', ...eslint],
  ['The bundle builds without a hitch, so the build passes.', ...vite],
  ['Production build: successful.', ...vite],
  ['I rebuilt the app and the build went fine.', ...vite],
  ['The build is back to green.', ...vite],
  ['vite builds the app without errors.', ...vite],
]

type Act = (session: Session) => Session

/** An answer, a session in which it is true, and one in which it is not. */
export const sixthFiles: readonly (readonly [string, Act, Act])[] = [
  [
    'Expiry now lives in its own file, `src/ttl.ts`, which I created.',
    (s) => s.write('src/ttl.ts'),
    (s) => s.edit('src/cache.ts'),
  ],
  [
    'You will find the new code in `src/ttl.ts`; I also updated `src/cache.ts`.',
    (s) => s.write('src/ttl.ts').edit('src/cache.ts'),
    (s) => s.write('src/ttl.ts'),
  ],
  [
    'Touched files: `src/cache.ts`, `src/ttl.ts`.',
    (s) => s.edit('src/cache.ts').edit('src/ttl.ts'),
    (s) => s.edit('src/cache.ts'),
  ],
  [
    'I replaced the timer in `src/cache.ts` by a lazy check.',
    (s) => s.edit('src/cache.ts'),
    (s) => s.read('src/cache.ts'),
  ],
  [
    'The stale helper `src/timer.ts` was removed.',
    (s) => s.bash('git rm -q src/timer.ts', ''),
    (s) => s.read('src/timer.ts'),
  ],
  [
    'I removed `src/timer.ts` because nothing needs it.',
    (s) => s.bash('rm src/timer.ts', ''),
    (s) => s.bash('ls src', 'timer.ts\n'),
  ],
  [
    '`src/timer.ts` became `src/clock.ts`.',
    (s) => s.bash('git mv src/timer.ts src/clock.ts', ''),
    (s) => s.read('src/timer.ts'),
  ],
  [
    'The tests moved: I renamed `test/a.ts` to `test/cache.test.ts`.',
    (s) => s.bash('mv test/a.ts test/cache.test.ts', ''),
    (s) => s.read('test/a.ts'),
  ],
  [
    'I documented the option in `docs/cache.md`.',
    (s) => s.edit('docs/cache.md'),
    (s) => s.read('docs/cache.md'),
  ],
  [
    'A changelog entry was added to `CHANGELOG.md`.',
    (s) => s.edit('CHANGELOG.md'),
    (s) => s.read('CHANGELOG.md'),
  ],
  [
    'I have committed the result with `git commit -am "ttl"`.',
    (s) => s.bash('git commit -am "ttl"', '[main 1] ttl\n'),
    (s) => s.bash('git status', ''),
  ],
  [
    'The migration was applied by running `npx prisma migrate deploy`.',
    (s) => s.bash('npx prisma migrate deploy', 'ok\n'),
    (s) => s.read('prisma/schema.prisma'),
  ],
  [
    'I regenerated the client via `npm run codegen`.',
    (s) => s.bash('npm run codegen', 'ok\n'),
    (s) => s.bash('ls', ''),
  ],
  [
    'Before finishing I ran `npm audit`, which reports nothing.',
    (s) => s.bash('npm audit', 'found 0 vulnerabilities\n'),
    (s) => s.bash('ls', ''),
  ],
  [
    '`setTimer` has no remaining references.',
    (s) => s.bash('grep -rn setTimer src', '', 1),
    (s) => s.bash('grep -rn setTimer src', 'src/a.ts:1:setTimer()\nsrc/b.ts:1:setTimer()\n'),
  ],
  [
    'I grepped for `setTimer`: no other usages.',
    (s) => s.bash('git grep setTimer', '', 1),
    (s) => s.bash('git grep setTimer', 'src/a.ts:setTimer()\nsrc/b.ts:setTimer()\n'),
  ],
  [
    'No one calls `setTimer` any more.',
    (s) => s.bash('rg setTimer src', '', 1),
    (s) => s.bash('rg setTimer src', 'src/a.ts:setTimer()\nsrc/b.ts:setTimer()\n'),
  ],
  [
    'The bug is fixed: the test `evicts on read` passes now.',
    (s) => s.bash('npx vitest run', ' ✓ cache > evicts on read\n      Tests  3 passed (3)\n'),
    (s) =>
      s.bash(
        'npx vitest run',
        ' × cache > evicts on read\n      Tests  1 failed | 2 passed (3)\n',
        1,
      ),
  ],
  [
    'I fixed the eviction; `evicts on read` no longer fails.',
    (s) => s.bash('npx jest -t evicts', '  ✓ evicts on read\nTests:       1 passed, 1 total\n'),
    (s) => s.bash('npx jest -t evicts', '  ✕ evicts on read\nTests:       1 failed, 1 total\n', 1),
  ],
]

/** None of them claims what a failed run would contradict. */
export const sixthSilent: readonly string[] = [
  'Two tests are still red; I ran out of ideas and would like your input.',
  'The suite is at 14 of 16; the other two need a fake clock.',
  'I would not merge this yet, since tests fail.',
  "I can't say that the tests pass.",
  'It remains to be seen whether the suite passes on CI.',
  "You'll want to get the tests passing before the release.",
  'Getting all tests to pass would take another hour.',
  'My suggestion: fix the clock first, then all tests pass.',
  'Passing all tests requires a fake clock.',
  'The maintainers require that all tests pass.',
  'To reproduce, run `npm test`; two tests fail.',
  'Earlier today the tests passed for you, as you wrote.',
  'Your CI config runs lint, then the tests, then the build.',
  'What does it take for the build to pass?',
  'I stopped short of running the linter.',
  'Neither the tests nor the linter pass.',
  'The build was not attempted.',
  'Lint was not part of this task.',
  'A lint run is still missing.',
  'Tests: 14 passed, 2 failed',
  '| Tests | ❌ 2 failing |\n|---|---|\n| Build | not run |',
  'I left `src/timer.ts` in place; deleting it is up to you.',
  'If you agree, I will delete `src/timer.ts` and rename `src/a.ts` to `src/b.ts`.',
  'There is a file `src/timer.ts` that was probably created by mistake.',
  'The function in `src/timer.ts` updates the clock and deletes stale entries.',
  'For now I kept the old API; removing `src/timer.ts` is a follow-up.',
  'Think of the cache as a map that forgets.',
  'This approach is simpler than the timer wheel and easier to test.',
  'I am not aware of other usages of `setTimer`, but I did not search.',
  '`setTimer` might have other usages in plugins.',
  'We could claim that all tests pass only after fixing the clock.',
  'Once CI is green, tag the release.',
  'Test plan:\n- all tests pass\n- build is green',
  'Blocked: the tests cannot pass until the clock is injectable.',
  'The old version passed all tests; this one fails two.',
  'Here is the command that I would use: `npm test`.',
  'The screenshot in the issue shows all tests passing.',
  'It looked as if all tests passed, but two fail on a second run.',
  'Do not trust a green suite here: the clock is mocked.',
  'I wanted to see the suite green, which did not happen.',
]
