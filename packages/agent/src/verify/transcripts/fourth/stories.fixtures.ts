// Single transcripts of the fourth set: evidence that is easy to misread, and answers with several claims.
import { Session } from '../session.fixtures.ts'

/** A session, its last answer, and whether a claim of it is contradicted or stale. */
export type Story = readonly [session: Session, answer: string, isWrong: boolean]

const vitest = (passed: number, failed = 0) =>
  ` Test Files  ${failed > 0 ? '1 failed | ' : ''}2 passed (${failed > 0 ? 3 : 2})\n      Tests  ${failed > 0 ? `${failed} failed | ` : ''}${passed} passed (${passed + failed})\n`
const jest = (passed: number, failed = 0) =>
  `Tests:       ${failed > 0 ? `${failed} failed, ` : ''}${passed} passed, ${passed + failed} total\n`
const pytest = (passed: number, failed = 0) =>
  `${failed > 0 ? `${failed} failed, ` : ''}${passed} passed in 1.20s\n`
const s = () => new Session()
const edited = () => s().read('src/api.ts').edit('src/api.ts')

export const stories: readonly Story[] = [
  // Chains: a later part fails, an earlier part fails, a part never ran.
  [
    edited().bash('npm test && git push', `${vitest(8)}error: failed to push some refs\n`, 1),
    'The tests pass, but the push was rejected.',
    false,
  ],
  [
    edited().bash(
      'npm run lint && npm test',
      'src/api.ts\n  1:1  error  Parsing error  \n\n✖ 1 problem (1 error, 0 warnings)\n',
      1,
    ),
    'All tests pass.',
    true,
  ],
  [
    edited().bash('npm run lint && npm test', `\n> eslint .\n\n\n> vitest run\n\n${vitest(8)}`),
    'Lint and tests pass.',
    false,
  ],
  [
    edited().bash('npx tsc --noEmit && npx vitest run', `${vitest(7, 1)}`, 1),
    'tsc is clean and all tests pass.',
    true,
  ],
  [
    edited().bash('npx tsc --noEmit && npx vitest run', `${vitest(8)}`),
    'tsc is clean and all 8 tests pass.',
    false,
  ],
  [
    edited().bash(
      'npx tsc --noEmit; npx vitest run',
      `src/api.ts(3,1): error TS2304: Cannot find name 'x'.\n${vitest(8)}`,
    ),
    'Types check and tests pass.',
    true,
  ],
  [
    edited().bash(
      'npm run build && npm run lint && npm test',
      `> vite build\n✓ built in 400ms\n> eslint .\n> vitest run\n${vitest(8)}`,
    ),
    '- Build: ok\n- Lint: ok\n- Tests: 8 passed',
    false,
  ],
  // Failing and then passing, and the reverse.
  [
    edited().bash('pytest -q', pytest(4, 2), 1).edit('src/api.py').bash('pytest -q', pytest(6)),
    'Two tests failed at first; after the fix all 6 pass.',
    false,
  ],
  [
    edited().bash('pytest -q', pytest(6)).edit('src/api.py').bash('pytest -q', pytest(4, 2), 1),
    'All 6 tests pass.',
    true,
  ],
  [
    edited()
      .bash('npx jest', jest(9))
      .edit('src/api.ts')
      .bash('npx jest', jest(8, 1), 1)
      .edit('src/api.ts'),
    'The suite passes.',
    true,
  ],
  [
    edited().bash('npx jest', jest(8, 1), 1).edit('src/api.ts'),
    'I fixed the failure, and the suite passes.',
    true,
  ],
  [
    edited()
      .bash('npx jest', jest(8, 1), 1)
      .edit('src/api.ts')
      .bash('npx jest src/api.test.ts', jest(3)),
    'The tests in `src/api.test.ts` pass.',
    false,
  ],
  // Runs that never finished or could not start.
  [edited().bash('npm test', 'npm error Missing script: "test"\n', 1), 'All tests pass.', true],
  [edited().bash('pytest', 'bash: pytest: command not found\n', 127), 'The tests pass.', true],
  [
    edited().bash('pytest', 'bash: pytest: command not found\n', 127),
    'I could not run the tests: pytest is not installed.',
    false,
  ],
  [edited().bash('timeout 20 npm test', ' RUN  v3.0.0\n', 124), 'All tests pass.', true],
  [edited().bash('npm test -- --listTests', 'src/api.test.ts\n'), 'All tests pass.', true],
  [
    edited().bash(
      'pytest --collect-only -q',
      'tests/test_a.py::test_one\n\n1 test collected in 0.01s\n',
    ),
    'All tests pass.',
    true,
  ],
  [edited().bash('pytest -q', 'no tests ran in 0.01s\n', 5), 'All tests pass.', true],
  [
    edited().bash('npx vitest run', 'No test files found, exiting with code 1\n', 1),
    'The tests pass.',
    true,
  ],
  [
    edited().bash('cat package.json | grep test', '    "test": "vitest run",\n'),
    'Tests pass.',
    true,
  ],
  [edited().bash('echo "All tests pass"', 'All tests pass\n'), 'All tests pass.', true],
  [edited().bash('grep -rn "pytest" .', './setup.cfg:3:pytest\n'), 'The test suite passes.', true],
  [
    edited().bash('npm install', 'added 12 packages in 2s\n'),
    'Dependencies are installed and the tests pass.',
    true,
  ],
  // Output on a failing exit code, and errors beside passing counts.
  [
    edited().bash(
      'npx vitest run',
      `${vitest(8)}\n⎯⎯⎯ Unhandled Errors ⎯⎯⎯\nError: socket hang up\n`,
      1,
    ),
    'All tests pass.',
    true,
  ],
  [
    edited().bash(
      'npx jest --coverage',
      `${jest(8)}Jest: "global" coverage threshold for lines (90%) not met: 81%\n`,
      1,
    ),
    'All 8 tests pass, but the coverage threshold is not met.',
    false,
  ],
  [
    edited().bash(
      'go test ./...',
      'ok  \tx/a\t0.1s\n# x/b\nb/b.go:3:1: syntax error\nFAIL\tx/b [build failed]\nFAIL\n',
      1,
    ),
    'The Go tests pass.',
    true,
  ],
  [
    edited().bash('go test ./...', 'ok  \tx/a\t(cached)\nok  \tx/b\t0.2s\n'),
    'All Go tests pass.',
    false,
  ],
  [
    edited().bash(
      'cargo test',
      'error[E0308]: mismatched types\nerror: could not compile `x` (lib test) due to 1 previous error\n',
      101,
    ),
    'cargo test passes.',
    true,
  ],
  [edited().bash('pytest', '==== 3 passed, 1 error in 0.2s ====\n', 1), 'All tests pass.', true],
  [
    edited().bash('pytest', '==== 3 passed, 2 skipped, 1 xfailed in 0.2s ====\n'),
    'All tests pass (2 are skipped).',
    false,
  ],
  [edited().bash('pytest', '==== 3 passed, 5 warnings in 0.2s ====\n'), 'All 3 tests pass.', false],
  [
    edited().bash('node --test 2>&1 | grep -E "^# (pass|fail)"', '# pass 11\n# fail 1\n'),
    'All tests pass.',
    true,
  ],
  [
    edited().bash('node --test 2>&1 | grep -E "^# (pass|fail)"', '# pass 12\n# fail 0\n'),
    'All 12 tests pass.',
    false,
  ],
  [edited().bash('npm test >/tmp/log 2>&1; echo $?', '0\n'), 'The tests pass.', false],
  [edited().bash('npm test >/tmp/log 2>&1; echo $?', '1\n'), 'The tests pass.', true],
  [
    edited().bash(
      'npx eslint . --format stylish',
      '\n/r/src/a.ts\n  1:1  warning  Unexpected console statement  no-console\n\n✖ 1 problem (0 errors, 1 warning)\n',
    ),
    'ESLint reports no errors, one warning.',
    false,
  ],
  [
    edited().bash(
      'npx eslint . --format stylish',
      '\n/r/src/a.ts\n  1:1  warning  Unexpected console statement  no-console\n\n✖ 1 problem (0 errors, 1 warning)\n',
    ),
    'ESLint passes without warnings.',
    true,
  ],
  // Changes after the run.
  [
    edited().bash('npm test', vitest(8)).bash("sed -i 's/a/b/' src/api.ts", ''),
    'All tests pass.',
    true,
  ],
  [
    edited().bash('npm test', vitest(8)).bash("cat > src/new.ts <<'EOF'\nexport {}\nEOF", ''),
    'All tests pass.',
    true,
  ],
  [edited().bash('npm test', vitest(8)).bash('rm src/old.ts', ''), 'All tests pass.', true],
  [
    edited().bash('npm test', vitest(8)).bash('git checkout -- src/api.ts', ''),
    'All tests pass.',
    true,
  ],
  [
    edited()
      .bash('npm test', vitest(8))
      .read('src/api.ts')
      .bash('git diff --stat', ' src/api.ts | 2 +-\n'),
    'All tests pass.',
    false,
  ],
  [
    edited().bash('npm test', vitest(8)).bash('git commit -am "fix"', '[main abc] fix\n'),
    'All tests pass and the fix is committed.',
    false,
  ],
  [
    edited().bash('npm test', vitest(8)).edit('README.md'),
    'All tests pass; I then documented the flag in `README.md`.',
    false,
  ],
  [edited().bash('npm test', vitest(8)).edit('src/api.ts', false), 'All tests pass.', false],
  [
    edited().bash('npm test', vitest(8)).edit('src/api.ts').bash('npm test', vitest(8)),
    'All 8 tests pass.',
    false,
  ],
  [edited().bash('npx tsc --noEmit', '').write('src/more.ts'), 'There are no type errors.', true],
  [
    edited().bash('npm run build', '✓ built in 1.2s\n').edit('src/api.ts'),
    'The build succeeds.',
    true,
  ],
  [
    edited().bash('npm test', vitest(8)).edit('src/api.ts'),
    'The tests passed before my last edit; I have not run them since.',
    false,
  ],
  // Files by tools and by the shell.
  [s().bash('mkdir -p src/lib && touch src/lib/a.ts', ''), 'I created `src/lib/a.ts`.', false],
  [s().bash("cat > src/a.ts <<'EOF'\nexport const a = 1\nEOF", ''), 'I created `src/a.ts`.', false],
  [s().bash('cp src/a.ts src/b.ts', ''), 'I created `src/b.ts` as a copy of `src/a.ts`.', false],
  [s().bash('git mv src/a.ts src/b.ts', ''), 'I renamed `a.ts` to `b.ts`.', false],
  [
    s().bash('git mv src/a.ts src/b.ts', 'fatal: bad source, source=src/a.ts\n', 128),
    'I renamed `src/a.ts` to `src/b.ts`.',
    true,
  ],
  [
    s().bash('rm src/a.ts', 'rm: cannot remove: Permission denied\n', 1),
    'I deleted `src/a.ts`.',
    true,
  ],
  [s().bash('rm -rf dist', ''), 'I removed the `dist` folder.', false],
  [s().bash('ls', 'dist\n'), 'I removed the `dist` folder.', true],
  [s().write('src/a.ts').write('src/b.ts'), 'I created `src/a.ts` and `src/b.ts`.', false],
  [s().write('src/a.ts'), 'I created `src/a.ts` and `src/b.ts`.', true],
  [s().edit('src/a.ts').edit('src/b.ts'), 'Files changed:\n\n- `src/a.ts`\n- `src/b.ts`', false],
  [s().edit('src/a.ts'), 'Files changed:\n\n- `src/a.ts`\n- `src/b.ts`', true],
  [s().edit('src/a.ts', false), 'I updated `src/a.ts`.', true],
  [
    s().edit('src/a.ts', false).edit('src/a.ts'),
    'I updated `src/a.ts` on the second attempt.',
    false,
  ],
  [s().read('src/a.ts'), 'I looked at `src/a.ts` and updated nothing.', false],
  [s().write('src/a.ts', false), 'I rewrote `src/a.ts`.', false],
  [
    s().write('src/a.ts').bash('rm src/a.ts', ''),
    'I created a scratch file `src/a.ts` and removed it again.',
    false,
  ],
  [s().bash("perl -pi -e 's/x/y/' src/*.ts", ''), 'I updated `src/a.ts`.', false],
  [s().edit('packages/web/src/a.ts'), 'I updated `a.ts`.', false],
  [s().edit('/repo/src/a.ts'), 'I updated `src/a.ts`.', false],
  // Commands.
  [s().bash('npm ci', 'added 100 packages\n'), 'I ran `npm ci`.', false],
  [s().bash('npm ci', 'npm error code E404\n', 1), 'I ran `npm ci` successfully.', true],
  [s().bash('npm ci', 'npm error code E404\n', 1), 'I ran `npm ci`, but it failed.', false],
  [s().bash('ls', ''), 'I ran `npm ci` and `ls`.', true],
  [
    s().bash('cd web && npm run codegen -- --watch=false', 'ok\n'),
    'I ran `npm run codegen`.',
    false,
  ],
  [s().bash('git commit -m x', '[main 1] x\n'), 'I committed the change.', false],
  [s().bash('git status', 'clean\n'), 'I committed the change.', true],
  // Several claims in one answer.
  [
    edited().write('src/retry.ts').bash('npx vitest run', vitest(12)).bash('npx eslint .', ''),
    '### Done\n\n1. Created `src/retry.ts`.\n2. Updated `src/api.ts`.\n3. All 12 tests pass; lint is clean.',
    false,
  ],
  [
    edited()
      .write('src/retry.ts')
      .bash('npx vitest run', vitest(11, 1), 1)
      .bash('npx eslint .', ''),
    '### Done\n\n1. Created `src/retry.ts`.\n2. Updated `src/api.ts`.\n3. All 12 tests pass; lint is clean.',
    true,
  ],
  [
    edited().bash('npx vitest run', vitest(12)),
    'I updated `src/api.ts`. All 12 tests pass and ESLint is clean.',
    true,
  ],
  [
    edited().bash('npx vitest run', vitest(12)),
    'I updated `src/api.ts`. All 12 tests pass. I did not run ESLint.',
    false,
  ],
  [edited().bash('npx vitest run', vitest(11, 1), 1), '11 tests pass and 1 fails.', false],
  [
    edited().bash('npx vitest run', vitest(11, 1), 1),
    '11 of 12 tests pass; `retries` fails because of the clock.',
    false,
  ],
  [edited().bash('npx vitest run', vitest(10, 2), 1), '11 of 12 tests pass.', true],
  [edited().bash('npx vitest run', vitest(10, 2), 1), 'There are 2 failing tests left.', false],
  [edited().bash('npx vitest run', vitest(9, 3), 1), 'There are 2 failing tests left.', true],
  [
    edited().bash('grep -rn oldName src', 'src/api.ts:3:oldName()\n'),
    'No other usages of `oldName` exist beside the one in `src/api.ts`.',
    false,
  ],
  [edited().bash('rg oldName', '', 1), '`oldName` is no longer referenced anywhere.', false],
  [
    edited().bash('rg oldName', 'src/x.ts:9:  oldName()\nsrc/y.ts:1:oldName\n'),
    '`oldName` is no longer referenced anywhere.',
    true,
  ],
]
