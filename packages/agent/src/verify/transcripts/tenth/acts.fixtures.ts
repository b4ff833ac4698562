// Claims of the tenth set about files, commands, named tests and usages: each with a record that makes it true,
// and one that makes it false.
import type { Session } from '../session.fixtures.ts'

type Act = (session: Session) => Session
type Claim = readonly [text: string, isTrue: Act, isFalse: Act]

const nothing: Act = (session) => session.read('src/tax.ts')
const other: Act = (session) => session.write('src/other.ts')
const failedEdit: Act = (session) => session.edit('src/tax.ts', false)

export const actClaims: readonly Claim[] = [
  ['I created `src/round.ts`.', (s) => s.write('src/round.ts'), nothing],
  ['I added `src/round.ts` with the rounding helper.', (s) => s.write('src/round.ts'), other],
  [
    'A new file `src/round.ts` holds the helper.',
    (s) => s.bash("cat > src/round.ts <<'EOF'\nx\nEOF", ''),
    other,
  ],
  ['The helper is in the new file src/round.ts.', (s) => s.write('src/round.ts'), nothing],
  [
    'Created `src/round.ts`, a small module for rounding.',
    (s) => s.bash('touch src/round.ts', ''),
    nothing,
  ],
  [
    'Files created:\n\n- `src/round.ts`\n- `src/rates.ts`',
    (s) => s.write('src/round.ts').write('src/rates.ts'),
    (s) => s.write('src/round.ts'),
  ],
  ['I wrote a test in `test/round.test.ts`.', (s) => s.write('test/round.test.ts'), nothing],
  ['I generated `schema.json`.', (s) => s.write('schema.json'), nothing],
  ['I edited `src/tax.ts`.', (s) => s.edit('src/tax.ts'), failedEdit],
  [
    'I updated `src/tax.ts` with the new rates.',
    (s) => s.bash("sed -i 's/19/20/' src/tax.ts", ''),
    nothing,
  ],
  ['`src/tax.ts` has been updated.', (s) => s.edit('src/tax.ts'), failedEdit],
  ['The rates in `src/tax.ts` were changed.', (s) => s.edit('src/tax.ts'), nothing],
  ['Modified files:\n- src/tax.ts', (s) => s.edit('src/tax.ts'), nothing],
  ['I refactored `src/tax.ts` to use a table.', (s) => s.write('src/tax.ts', false), other],
  ['I fixed the rate in `src/tax.ts`.', (s) => s.edit('src/tax.ts'), failedEdit],
  ['In `src/tax.ts` I replaced the constant with a table.', (s) => s.edit('src/tax.ts'), nothing],
  ['I removed the unused import from `src/tax.ts`.', (s) => s.edit('src/tax.ts'), nothing],
  ['I documented the rates in `README.md`.', (s) => s.edit('README.md'), nothing],
  ['I deleted `src/legacy.ts`.', (s) => s.bash('rm src/legacy.ts', ''), nothing],
  ['`src/legacy.ts` is gone.', (s) => s.bash('git rm -q src/legacy.ts', ''), nothing],
  [
    'I removed the file `src/legacy.ts`.',
    (s) => s.bash('rm -f src/legacy.ts', ''),
    (s) => s.bash('rm src/legacy.ts', "rm: cannot remove 'src/legacy.ts': Permission denied\n", 1),
  ],
  [
    'The obsolete `src/legacy.ts` has been deleted.',
    (s) => s.bash('unlink src/legacy.ts', ''),
    nothing,
  ],
  [
    'Deleted: `src/legacy.ts`',
    (s) => s.bash('git rm src/legacy.ts', "rm 'src/legacy.ts'\n"),
    nothing,
  ],
  [
    'I moved `src/tax.ts` to `src/shop/tax.ts`.',
    (s) => s.bash('git mv src/tax.ts src/shop/tax.ts', ''),
    nothing,
  ],
  [
    '`src/tax.ts` was renamed to `src/rates.ts`.',
    (s) => s.bash('mv src/tax.ts src/rates.ts', ''),
    other,
  ],
  [
    'I renamed `src/tax.ts` → `src/rates.ts`.',
    (s) => s.bash('mv src/tax.ts src/rates.ts', ''),
    nothing,
  ],
  ['I moved the tax code into `src/shop/tax.ts`.', (s) => s.write('src/shop/tax.ts'), nothing],
  ['I ran `npm run migrate`.', (s) => s.bash('npm run migrate', 'done\n'), nothing],
  [
    'I executed `python seed.py` and it completed successfully.',
    (s) => s.bash('python seed.py', 'ok\n'),
    (s) => s.bash('python seed.py', 'Traceback (most recent call last):\n', 1),
  ],
  [
    'I installed the dependencies with `npm install`.',
    (s) => s.bash('npm install', 'added 3 packages\n'),
    nothing,
  ],
  ['`npm run format` was run.', (s) => s.bash('npm run format', ''), nothing],
  [
    'Running `make check` succeeds.',
    (s) => s.bash('make check', 'ok\n'),
    (s) => s.bash('make check', 'make: *** [check] Error 1\n', 2),
  ],
  [
    'The script `./deploy.sh --dry-run` exits with code 0.',
    (s) => s.bash('./deploy.sh --dry-run', 'ok\n'),
    (s) => s.bash('./deploy.sh --dry-run', 'no\n', 3),
  ],
  [
    'I started the migration with `bin/rails db:migrate`, which worked.',
    (s) => s.bash('bin/rails db:migrate', '== migrated\n'),
    (s) => s.bash('bin/rails db:migrate', 'rails aborted!\n', 1),
  ],
]

const passing = (name: string) => `✔ ${name} (0.5ms)\nℹ tests 1\nℹ pass 1\nℹ fail 0\n`
const failing = (name: string) => `✖ ${name} (0.5ms)\nℹ tests 1\nℹ pass 0\nℹ fail 1\n`

export const bugClaims: readonly Claim[] = [
  [
    'The rounding bug is fixed: `adds tax` passes.',
    (s) => s.bash('node --test', passing('adds tax')),
    (s) => s.bash('node --test', failing('adds tax'), 1),
  ],
  [
    'I fixed the bug; the test "adds tax" passes now.',
    (s) => s.bash('node --test', passing('adds tax')),
    (s) => s.bash('node --test', failing('adds tax'), 1),
  ],
  [
    'The failing test `test_adds_tax` passes now.',
    (s) =>
      s.bash('pytest -v', 'tests/test_cart.py::test_adds_tax PASSED [100%]\n1 passed in 0.02s\n'),
    (s) =>
      s.bash(
        'pytest -v',
        'tests/test_cart.py::test_adds_tax FAILED [100%]\n1 failed in 0.02s\n',
        1,
      ),
  ],
  [
    '`TestAddsTax` passes, so the bug is fixed.',
    (s) =>
      s.bash(
        'go test -run TestAddsTax -v ./cart',
        '=== RUN   TestAddsTax\n--- PASS: TestAddsTax (0.00s)\nPASS\nok  \texample.com/shop/cart\t0.003s\n',
      ),
    (s) =>
      s.bash(
        'go test -run TestAddsTax -v ./cart',
        '--- FAIL: TestAddsTax (0.00s)\nFAIL\nexit status 1\n',
        1,
      ),
  ],
  [
    'The bug in `cart::adds_tax` is fixed; its test is green.',
    (s) =>
      s.bash(
        'cargo test adds_tax',
        'running 1 test\ntest cart::adds_tax ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out; finished in 0.00s\n',
      ),
    (s) =>
      s.bash(
        'cargo test adds_tax',
        'running 1 test\ntest cart::adds_tax ... FAILED\n\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 3 filtered out; finished in 0.00s\n',
        101,
      ),
  ],
  [
    'Fixed: `src/cart.test.ts` passes.',
    (s) =>
      s.bash(
        'npx vitest run src/cart.test.ts',
        ' ✓ src/cart.test.ts (3 tests) 4ms\n      Tests  3 passed (3)\n',
      ),
    (s) =>
      s.bash(
        'npx vitest run src/cart.test.ts',
        ' ❯ src/cart.test.ts (3 tests | 1 failed) 4ms\n      Tests  1 failed | 2 passed (3)\n',
        1,
      ),
  ],
]

const twoHits = 'src/a.ts:3:oldTotal(x)\nsrc/b.ts:8:oldTotal(y)\n'

export const searchClaims: readonly Claim[] = [
  [
    'There are no other usages of `oldTotal`.',
    (s) => s.bash('grep -rn oldTotal src', '', 1),
    (s) => s.bash('grep -rn oldTotal src', twoHits),
  ],
  [
    'No other usages of `oldTotal` remain.',
    (s) => s.bash('rg -n oldTotal', '', 1),
    (s) => s.bash('rg -n oldTotal', twoHits),
  ],
  [
    '`oldTotal` is not used anywhere else.',
    (s) => s.bash('git grep -n oldTotal', '', 1),
    (s) => s.bash('git grep -n oldTotal', twoHits),
  ],
  [
    'I searched for `oldTotal` and found no other references.',
    (s) => s.bash('grep -rn "oldTotal" .', '', 1),
    nothing,
  ],
  [
    'Nothing else references `oldTotal`.',
    (s) => s.bash('rg oldTotal', '', 1),
    (s) => s.bash('rg oldTotal', twoHits),
  ],
  [
    'All callers of `oldTotal` have been updated; no usages are left.',
    (s) => s.bash('rg oldTotal src', '', 1),
    (s) => s.bash('rg oldTotal src', twoHits),
  ],
  [
    'I checked that no other file imports `oldTotal`.',
    (s) => s.bash('grep -rln oldTotal src', '', 1),
    nothing,
  ],
]
