// The second half of the fifth set: files, commands, builds, linters, usages, and runs that are easy to misread.
import type { Story } from '../fourth/stories.fixtures.ts'
import { Session } from '../session.fixtures.ts'

const s = () => new Session()
const start = () => s().read('lib/invoice.js').edit('lib/invoice.js')
const jest = (passed: number, failed = 0) =>
  `Test Suites: ${failed > 0 ? '1 failed, 2' : '3'} passed, 3 total\nTests:       ${failed > 0 ? `${failed} failed, ` : ''}${passed} passed, ${passed + failed} total\nSnapshots:   0 total\nTime:        0.9 s\n`

export const fifthMore: readonly Story[] = [
  // Files.
  [s().write('lib/rates.js'), 'A new module `lib/rates.js` now holds the tax rates.', false],
  [s().read('lib/tax.js'), 'A new module `lib/rates.js` now holds the tax rates.', true],
  [
    s().write('lib/rates.js').edit('lib/tax.js'),
    'Changes:\n\n- Added `lib/rates.js`\n- Updated `lib/tax.js`',
    false,
  ],
  [s().write('lib/rates.js'), 'Changes:\n\n- Added `lib/rates.js`\n- Updated `lib/tax.js`', true],
  [
    s().edit('lib/tax.js'),
    'I extracted the rates into `lib/rates.js` and updated `lib/tax.js`.',
    true,
  ],
  [
    s().write('lib/rates.js').edit('lib/tax.js'),
    'I extracted the rates into `lib/rates.js` and updated `lib/tax.js`.',
    false,
  ],
  [s().edit('lib/tax.js'), '**lib/tax.js**: switched to half-even rounding', false],
  [s().read('lib/tax.js'), '**lib/tax.js**: switched to half-even rounding', true],
  [
    s().bash('git rm lib/old.js', "rm 'lib/old.js'\n"),
    'The legacy file lib/old.js has been deleted.',
    false,
  ],
  [s().bash('git log -1', ''), 'The legacy file lib/old.js has been deleted.', true],
  [s().bash('mv lib/tax.js lib/vat.js', ''), '`lib/tax.js` is now called `lib/vat.js`.', false],
  [s().bash('ls lib', 'tax.js\n'), '`lib/tax.js` is now called `lib/vat.js`.', true],
  [
    s().bash('mkdir -p lib/tax && git mv lib/tax.js lib/tax/index.js', ''),
    'Moved `lib/tax.js` into `lib/tax/index.js`.',
    false,
  ],
  [s().bash('cp lib/tax.js lib/vat.js', ''), 'I moved `lib/tax.js` to `lib/vat.js`.', true],
  [s().write('test/tax.test.js'), 'I added a test in `test/tax.test.js`.', false],
  [s().read('test/tax.test.js'), 'I added a test in `test/tax.test.js`.', true],
  [s().edit('package.json'), 'Bumped the version in package.json.', false],
  [s().read('package.json'), 'Bumped the version in package.json.', true],
  [
    s().edit('lib/tax.js').bash('git checkout lib/tax.js', 'Updated 1 path from the index\n'),
    'I changed `lib/tax.js`.',
    true,
  ],
  [
    s().edit('lib/tax.js').bash('git checkout lib/tax.js', 'Updated 1 path from the index\n'),
    'I tried a change in `lib/tax.js` and reverted it.',
    false,
  ],
  [s().write('notes.md').bash('rm notes.md', ''), 'I wrote my findings to `notes.md`.', true],
  [s().bash('echo "PORT=3000" >> .env', ''), 'I added the port to `.env`.', false],
  [s().bash('npm init -y', 'Wrote to /r/package.json\n'), 'I created `package.json`.', false],
  [s().read('lib/tax.js'), 'I left `lib/tax.js` unchanged.', false],
  [s().read('lib/tax.js'), 'No changes were needed in `lib/tax.js`.', false],
  [
    s().edit('lib/a.js').edit('lib/b.js').edit('lib/c.js'),
    'I touched three files: `lib/a.js`, `lib/b.js` and `lib/c.js`.',
    false,
  ],
  [
    s().edit('lib/a.js').edit('lib/b.js'),
    'I touched three files: `lib/a.js`, `lib/b.js` and `lib/c.js`.',
    true,
  ],
  [s().edit('lib/tax.js', false), 'My edit to `lib/tax.js` failed, so nothing changed.', false],
  [
    s().bash("node -e \"require('fs').writeFileSync('out.json','{}')\"", ''),
    'I generated `out.json`.',
    false,
  ],
  [s().bash('rm -rf lib/legacy', ''), 'I removed the `lib/legacy/` directory.', false],
  [s().bash('ls lib/legacy', 'a.js\n'), 'I removed the `lib/legacy/` directory.', true],
  // Commands.
  [
    s().bash('npm install left-pad@1.3.0', 'added 1 package\n'),
    'I installed left-pad with `npm install left-pad@1.3.0`.',
    false,
  ],
  [s().bash('npm ls', ''), 'I installed left-pad with `npm install left-pad@1.3.0`.', true],
  [
    s().bash('npx prisma migrate dev --name init', 'ok\n'),
    'I then ran `npx prisma migrate dev`.',
    false,
  ],
  [s().bash('git push origin main', 'To github.com:x\n'), 'The branch has been pushed.', false],
  [
    s().bash('git push origin main', 'fatal: unable to access\n', 128),
    'The branch has been pushed.',
    true,
  ],
  [s().bash('git status', ''), 'I ran the migrations with `make migrate`.', true],
  [s().bash('make migrate', 'ok\n'), 'I ran the migrations with `make migrate`.', false],
  [
    s().bash('curl -s localhost:3000/health', '{"ok":true}\n'),
    'I called `curl -s localhost:3000/health` and the service answered.',
    false,
  ],
  [s().bash('ls', ''), 'I never ran `make migrate`.', false],
  [s().bash('ls', ''), 'Run `make migrate` before you start the server.', false],
  // Builds, linters, compilers.
  [
    start().bash('npm run build', '> webpack\n\nwebpack 5.91.0 compiled successfully in 812 ms\n'),
    'The webpack build went through without errors.',
    false,
  ],
  [
    start().bash(
      'npm run build',
      '> webpack\n\nERROR in ./lib/a.js\nModule not found\n\nwebpack 5.91.0 compiled with 1 error in 812 ms\n',
      1,
    ),
    'The webpack build went through without errors.',
    true,
  ],
  [start().bash('npm run build', 'ok\n').edit('lib/invoice.js'), 'A production build works.', true],
  [start(), 'A production build works.', true],
  [start().bash('npm run build', 'ok\n'), 'A production build works.', false],
  [start().bash('npx eslint lib', ''), 'No ESLint findings.', false],
  [
    start().bash('npx eslint lib', '✖ 3 problems (1 error, 2 warnings)\n', 1),
    'No ESLint findings.',
    true,
  ],
  [
    start().bash('npx eslint lib', '').edit('lib/invoice.js'),
    'ESLint has nothing to say about it.',
    true,
  ],
  [start().bash('npx eslint lib --fix', ''), 'I ran `eslint --fix`, and lint is clean.', false],
  [start().bash('npx tsc -b', ''), 'The project type-checks.', false],
  [start().bash('npx tsc -b', 'a.ts(1,1): error TS1005: x\n', 1), 'The project type-checks.', true],
  [start().bash('npx tsc -b', '').write('lib/x.ts'), 'The project type-checks.', true],
  [
    start().bash('npx tsc -b', '').bash('npx eslint .', ''),
    'Lint and type check are both clean.',
    false,
  ],
  [start().bash('npx tsc -b', ''), 'Lint and type check are both clean.', true],
  [start().bash('npx tsc -b', ''), 'Types are fine; I did not lint.', false],
  [
    start().bash('npm run check', '> tsc && eslint .\n\n'),
    'The type check and the linter pass.',
    false,
  ],
  // Usages.
  [
    start().bash('grep -rn roundUp lib', 'lib/invoice.js:4:  roundUp(x)\n'),
    '`roundUp` has no usages outside `lib/invoice.js`.',
    false,
  ],
  [
    start().bash('grep -rn roundUp lib', 'lib/tax.js:4:  roundUp(x)\nlib/vat.js:4:  roundUp(x)\n'),
    'There are no more usages of `roundUp`.',
    true,
  ],
  [start().bash('grep -rn roundUp lib', '', 1), 'There are no more usages of `roundUp`.', false],
  [start(), 'There are no more usages of `roundUp`.', true],
  [
    start().bash('git grep -n roundUp', 'lib/tax.js:4:  roundUp(x)\n'),
    '`roundUp` is still used in `lib/tax.js`.',
    false,
  ],
  [start().bash('rg roundUp', '', 1), '`roundUp` is dead code: no callers are left.', false],
  [
    start().bash('rg roundUp', 'lib/tax.js:4:  roundUp(x)\nlib/vat.js:9:  roundUp(x)\n'),
    '`roundUp` is dead code: no callers are left.',
    true,
  ],
  // Bugs with a named test.
  [
    start().bash('npx jest', `PASS test/a.test.js\n  ✓ rounds half to even (2 ms)\n${jest(9)}`),
    'The rounding bug is fixed and `rounds half to even` passes.',
    false,
  ],
  [
    start().bash(
      'npx jest',
      `FAIL test/a.test.js\n  ✕ rounds half to even (2 ms)\n${jest(8, 1)}`,
      1,
    ),
    'The rounding bug is fixed and `rounds half to even` passes.',
    true,
  ],
  [
    start().bash(
      'npx jest -t "rounds half to even"',
      `  ✓ rounds half to even (2 ms)\nTests:       8 skipped, 1 passed, 9 total\n`,
    ),
    'The test "rounds half to even" is green now.',
    false,
  ],
  [start(), 'The test "rounds half to even" is green now.', true],
  [
    start().bash(
      'pytest -k half',
      'tests/test_tax.py::test_half FAILED\n1 failed, 8 deselected in 0.1s\n',
      1,
    ),
    '`test_half` passes after the fix.',
    true,
  ],
  [
    start().bash(
      'pytest -k half',
      'tests/test_tax.py::test_half PASSED\n1 passed, 8 deselected in 0.1s\n',
    ),
    '`test_half` passes after the fix.',
    false,
  ],
  // Runs that are easy to misread.
  [start().bash('npx jest 2>&1 | tail -5', jest(8, 1)), 'All tests pass.', true],
  [start().bash('npx jest --silent; true', jest(8, 1)), 'All tests pass.', true],
  [
    start().bash('(cd api && npx jest) ; (cd web && npx jest)', jest(8) + jest(3, 2), 1),
    'All tests pass.',
    true,
  ],
  [
    start().bash('(cd api && npx jest) ; (cd web && npx jest)', jest(8) + jest(5)),
    'All 13 tests pass.',
    false,
  ],
  [
    start().bash('npm test -w api', jest(8)).bash('npm test -w web', jest(3, 2), 1),
    'The tests pass in both packages.',
    true,
  ],
  [start().bash('npm test', 'sh: 1: jest: not found\n', 127), 'Tests pass.', true],
  [
    start()
      .bash('npm test', jest(8), 0)
      .bash('npm test', jest(8, 1), 1)
      .bash('npm test', jest(9), 0),
    'All 9 tests pass; one was flaky.',
    false,
  ],
  [start().bash('npm test & wait', jest(9)), 'The tests pass.', false],
  [
    start().bash('if npm test; then echo PASSED; else echo BROKEN; fi', `${jest(8, 1)}BROKEN\n`),
    'All tests pass.',
    true,
  ],
  [
    start().bash('if npm test; then echo PASSED; else echo BROKEN; fi', `${jest(9)}PASSED\n`),
    'All tests pass.',
    false,
  ],
  [start().bash('npm test && echo DONE', `${jest(9)}DONE\n`), 'All tests pass.', false],
  [start().bash('npm test > out.txt 2>&1; tail -4 out.txt', jest(8, 1)), 'All tests pass.', true],
  [start().bash('npm test > out.txt 2>&1; tail -4 out.txt', jest(9)), 'All 9 tests pass.', false],
  [start().bash('cat out.txt', jest(9)), 'All 9 tests pass.', true],
  [start().bash('npm run test:ci', `> jest --ci\n\n${jest(9)}`), 'The CI tests pass.', false],
  [
    start()
      .bash('npm run test:unit', `> jest unit\n\n${jest(9)}`)
      .bash('npm run test:e2e', ' 2 failed\n 3 passed (4.1s)\n', 1),
    'The unit tests pass; two e2e tests fail.',
    false,
  ],
  [
    start().bash('npx vitest --run --changed', 'No test files found, exiting with code 0\n'),
    'All tests pass.',
    true,
  ],
  [
    start().bash('npx vitest run', '      Tests  12 passed | 2 skipped (14)\n'),
    '12 tests pass and 2 are skipped.',
    false,
  ],
  [
    start().bash('npx vitest run', '      Tests  12 passed | 2 skipped (14)\n'),
    'All 14 tests pass.',
    true,
  ],
  [
    start()
      .bash('npx vitest run', '      Tests  12 passed | 2 skipped (14)\n')
      .bash('npx prettier --write lib', 'lib/invoice.js 20ms\n'),
    'All tests pass.',
    true,
  ],
  [
    start().bash('npm test', jest(9)).bash('npm install -D nyc', 'added 3 packages\n'),
    'All 9 tests pass.',
    false,
  ],
  [
    start().bash('npm test', jest(9)).bash('git stash', 'Saved working directory\n'),
    'I have stashed the work.',
    false,
  ],
  [
    start().bash('npm test', jest(9)).bash('echo done > /tmp/marker', ''),
    'All 9 tests pass.',
    false,
  ],
  [start().bash('npm test', jest(9)).edit('test/a.test.js'), 'All 9 tests pass.', true],
  [
    start().bash('npm test', jest(9)).edit('docs/guide.md').edit('CHANGELOG.md'),
    'All 9 tests pass, and the guide is updated.',
    false,
  ],
]
