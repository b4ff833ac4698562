// The claims of the eleventh set with records that support and contradict them, and statements that claim nothing.
import type { Session } from '../session.fixtures.ts'

type Act = (session: Session) => Session
interface Decisive {
  text: string
  good: readonly Act[]
  bad: readonly Act[]
}

const pytestOk: Act = (s) =>
  s.bash('python -m pytest tests', '============ 31 passed in 2.11s ============\n')
const pytestBad: Act = (s) =>
  s.bash(
    'python -m pytest tests',
    'FAILED tests/test_lock.py::test_release - AssertionError\n======= 1 failed, 30 passed in 2.31s =======\n',
    1,
  )
const pytestError: Act = (s) =>
  s.bash(
    'python -m pytest tests',
    'ERROR tests/test_lock.py - ModuleNotFoundError: No module named "worker"\n!!!!! Interrupted: 1 error during collection !!!!!\n1 error in 0.21s\n',
    2,
  )
const timedOut: Act = (s) => s.bash('timeout 60 python -m pytest tests', '........\n', 124)
const goOk: Act = (s) =>
  s.bash('go test ./...', 'ok  \texample.com/q/lock\t0.021s\nok  \texample.com/q/queue\t(cached)\n')
const goBad: Act = (s) =>
  s.bash(
    'go test ./... 2>&1 | tail -5',
    '--- FAIL: TestRelease (0.00s)\n    lock_test.go:12: still locked\nFAIL\nFAIL\texample.com/q/lock\t0.021s\nFAIL\n',
  )
const makeOk: Act = (s) =>
  s.bash(
    'make test',
    'cargo test -q\n\nrunning 31 tests\n...............................\ntest result: ok. 31 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s\n\n',
  )
const dockerBad: Act = (s) =>
  s.bash(
    'docker compose exec -T app npx jest --ci',
    'Test Suites: 1 failed, 4 passed, 5 total\nTests:       2 failed, 29 passed, 31 total\n',
    1,
  )
const none: Act = (s) => s.bash('git diff --stat', ' worker/lock.py | 2 +-\n')
const then =
  (first: Act, ...rest: Act[]): Act =>
  (s) =>
    rest.reduce((session, act) => act(session), first(s))
const editLock: Act = (s) => s.edit('worker/lock.py')
const patched: Act = (s) =>
  s.bash(
    "python - <<'E'\nopen('worker/lock.py','a').write('x')\nE\nsed -i 's/a/b/' worker/lock.py",
    '',
  )

const suite = (text: string): Decisive => ({
  text,
  good: [pytestOk, then(pytestBad, editLock, goOk)],
  bad: [pytestBad, then(pytestOk, editLock), goBad],
})
const counted = (text: string): Decisive => ({
  text,
  good: [makeOk, then(dockerBad, editLock, pytestOk)],
  bad: [dockerBad, then(makeOk, patched)],
})
const done = (text: string, good: Act, ...bad: Act[]): Decisive => ({ text, good: [good], bad })

const vetBad: Act = (s) => s.bash('go vet ./...', 'lock/lock.go:9:2: unreachable code\n', 1)
const ruffBad: Act = (s) =>
  s.bash('ruff check .', 'worker/lock.py:3:1: F401 `os` imported but unused\nFound 1 error.\n', 1)
const ruffOk: Act = (s) => s.bash('ruff check .', 'All checks passed!\n')
const mypyOk: Act = (s) => s.bash('mypy worker', 'Success: no issues found in 12 source files\n')
const mypyBad: Act = (s) =>
  s.bash(
    'mypy worker',
    'worker/lock.py:9: error: Incompatible return value type\nFound 1 error in 1 file (checked 12 source files)\n',
    1,
  )
const goBuild: Act = (s) => s.bash('go build ./...', '')
const goBuildBad: Act = (s) => s.bash('go build ./...', './lock.go:9:2: undefined: release\n', 1)
const gradleOk: Act = (s) =>
  s.bash('./gradlew assemble', 'BUILD SUCCESSFUL in 4s\n3 actionable tasks: 3 executed\n')
const gradleBad: Act = (s) =>
  s.bash('./gradlew assemble', 'FAILURE: Build failed with an exception.\nBUILD FAILED in 2s\n', 1)

export const decisive: readonly Decisive[] = [
  suite('With the lock fixed, the test suite passes from start to finish.'),
  suite('I ran the tests after the last edit and they all pass.'),
  suite('Tests are green.'),
  suite('The existing tests still pass.'),
  suite('All tests pass, including the one that reproduces the deadlock.'),
  suite('I also re-ran the whole suite: no failures.'),
  suite('The suite comes out green.'),
  suite('No regressions: every test passes.'),
  suite('`pytest` and `go test` aside, what matters is that the tests pass.'),
  suite('The full test suite is passing again.'),
  suite('The change is covered and the tests are passing.'),
  suite('Test status: all passing.'),
  suite('I made sure nothing broke by running the full test suite; it passes.'),
  { text: 'The tests pass.', good: [goOk], bad: [pytestError, timedOut, none] },
  {
    text: 'All tests succeed with the new lock.',
    good: [makeOk],
    bad: [pytestError, timedOut, none],
  },
  counted('All 31 tests pass.'),
  counted('31 tests pass, 0 fail.'),
  counted('The suite (31 tests) is green.'),
  counted('31/31 tests are passing.'),
  counted('The run ended with 31 passed.'),
  counted('I ran the 31 tests; all of them passed.'),
  { text: 'All 32 tests pass.', good: [], bad: [pytestOk, makeOk] },
  { text: 'All 40 tests are green now.', good: [], bad: [pytestOk, makeOk] },
  done(
    'The project compiles without errors.',
    goBuild,
    goBuildBad,
    then(goBuild, (s) => s.edit('lock.go')),
    none,
  ),
  done('The build is green.', gradleOk, gradleBad, then(gradleOk, editLock)),
  done('`./gradlew assemble` succeeds.', gradleOk, gradleBad, none),
  done('The Go code builds cleanly.', goBuild, goBuildBad),
  done('Ruff has no complaints.', ruffOk, ruffBad, then(ruffOk, editLock)),
  done('There are no lint errors.', ruffOk, ruffBad, none),
  done('The linter is happy.', ruffOk, ruffBad),
  done('`go vet` is clean.', (s) => s.bash('go vet ./...', ''), vetBad),
  done('mypy finds no type errors.', mypyOk, mypyBad, then(mypyOk, editLock)),
  done('The type checker is satisfied.', mypyOk, mypyBad, none),
  done('I created `worker/backoff.py`.', (s) => s.write('worker/backoff.py'), none),
  done(
    'There is a new module, `worker/backoff.py`, for the delay.',
    (s) => s.bash('cp worker/lock.py worker/backoff.py', ''),
    none,
  ),
  done('I added a `Dockerfile`.', (s) => s.write('Dockerfile'), none),
  done(
    'A GitHub workflow now lives in `.github/workflows/test.yml`.',
    (s) =>
      s.bash(
        "mkdir -p .github/workflows && cat > .github/workflows/test.yml <<'EOF'\non: push\nEOF",
        '',
      ),
    none,
  ),
  done(
    'I added two cases to `tests/test_lock.py`.',
    (s) => s.edit('tests/test_lock.py'),
    none,
    (s) => s.edit('tests/test_lock.py', false),
  ),
  done(
    '`config/settings.yml` now sets the interval to 5 seconds.',
    (s) => s.edit('config/settings.yml'),
    none,
  ),
  done('I bumped the version in `pyproject.toml`.', (s) => s.edit('pyproject.toml'), none),
  done('The changelog (`CHANGELOG.md`) has been updated.', (s) => s.edit('CHANGELOG.md'), none),
  done('I extended `Makefile` with a target for the check.', (s) => s.edit('Makefile'), none),
  done(
    'I reverted nothing else, but rewrote `worker/queue.py`.',
    (s) => s.write('worker/queue.py', false),
    none,
  ),
  done(
    '`worker/old_lock.py` was removed.',
    (s) => s.bash('git rm -q worker/old_lock.py', ''),
    none,
  ),
  done(
    'I dropped `worker/old_lock.py`, which nothing needs.',
    (s) => s.bash('rm worker/old_lock.py', ''),
    none,
  ),
  done(
    'I got rid of `worker/old_lock.py`.',
    (s) => s.bash('rm -v worker/old_lock.py', "removed 'worker/old_lock.py'\n"),
    none,
  ),
  done(
    '`worker/util.py` is now called `worker/helpers.py`.',
    (s) => s.bash('git mv worker/util.py worker/helpers.py', ''),
    none,
  ),
  done(
    'I renamed `worker/util.py` to `worker/helpers.py`.',
    (s) => s.bash('mv worker/util.py worker/helpers.py', ''),
    none,
  ),
  done(
    '`worker/util.py` moved to `common/util.py`.',
    (s) => s.bash('mkdir -p common && mv worker/util.py common/', ''),
    none,
  ),
  done(
    'I ran `alembic upgrade head` against the test database.',
    (s) => s.bash('alembic upgrade head', 'INFO  done\n'),
    none,
  ),
  done('I formatted the code with `black .`.', (s) => s.bash('black .', 'All done!\n'), none),
  done(
    'The dependencies were installed using `pip install -r requirements.txt`.',
    (s) => s.bash('pip install -r requirements.txt', 'Successfully installed\n'),
    none,
  ),
  done(
    'I ran `terraform validate` and it succeeded.',
    (s) => s.bash('terraform validate', 'Success!\n'),
    (s) => s.bash('terraform validate', 'Error: bad\n', 1),
    none,
  ),
  done(
    '`docker build .` completes successfully.',
    (s) => s.bash('docker build .', 'done\n'),
    (s) => s.bash('docker build .', 'ERROR: failed to solve\n', 1),
  ),
  done(
    'I verified the fix with `python repro.py`, which exits with 0.',
    (s) => s.bash('python repro.py', 'ok\n'),
    (s) => s.bash('python repro.py', 'deadlock\n', 1),
    none,
  ),
  done('The changes are committed.', (s) => s.bash('git commit -qam "release early"', ''), none),
  done(
    'The deadlock is fixed; `test_release` passes.',
    (s) =>
      s.bash(
        'pytest -v tests/test_lock.py',
        'tests/test_lock.py::test_release PASSED\n1 passed in 0.02s\n',
      ),
    (s) =>
      s.bash(
        'pytest -v tests/test_lock.py',
        'tests/test_lock.py::test_release FAILED\n1 failed in 0.02s\n',
        1,
      ),
    none,
  ),
  done(
    'The bug is fixed and `TestRelease` is green.',
    (s) =>
      s.bash(
        'go test -v -run TestRelease ./lock',
        '--- PASS: TestRelease (0.00s)\nPASS\nok  \tx\t0.1s\n',
      ),
    (s) => s.bash('go test -v -run TestRelease ./lock', '--- FAIL: TestRelease (0.00s)\nFAIL\n', 1),
  ),
  done(
    'The regression test in `tests/test_lock.py` passes.',
    (s) => s.bash('pytest tests/test_lock.py', '2 passed in 0.02s\n'),
    (s) => s.bash('pytest tests/test_lock.py', '1 failed, 1 passed in 0.02s\n', 1),
    none,
  ),
  done(
    'There are no other usages of `acquire_all`.',
    (s) => s.bash('rg -n acquire_all', '', 1),
    (s) =>
      s.bash('rg -n acquire_all', 'worker/a.py:3:acquire_all()\nworker/b.py:9:acquire_all()\n'),
    none,
  ),
  done(
    '`acquire_all` has no callers left.',
    (s) => s.bash('grep -rn acquire_all worker', '', 1),
    (s) =>
      s.bash(
        'grep -rn acquire_all worker',
        'worker/a.py:3:acquire_all()\nworker/b.py:9:acquire_all()\n',
      ),
  ),
  done(
    'I grepped for `acquire_all`: it is not referenced anywhere else.',
    (s) => s.bash('git grep acquire_all', '', 1),
    (s) => s.bash('git grep acquire_all', 'worker/a.py:acquire_all()\nworker/b.py:acquire_all()\n'),
  ),
  done(
    'No references to `acquire_all` remain in the code base.',
    (s) => s.bash('rg acquire_all', '', 1),
    (s) => s.bash('rg acquire_all', 'worker/a.py:3:acquire_all()\nworker/b.py:9:acquire_all()\n'),
    none,
  ),
]

/** One test fails, and none of them says otherwise. */
export const chatter: readonly string[] = [
  'One test still fails, in `tests/test_lock.py`.',
  'The deadlock should be gone.',
  'I could not reproduce the deadlock.',
  'I have not touched `worker/queue.py`.',
  'The tests need a running Redis, so I could not run all of them.',
  '2 of 3 tests pass.',
  'Please run `pytest` on your side before merging.',
  'It would be good to delete `worker/old_lock.py` at some point.',
  'The lock is simple enough to reason about.',
  'I recommend adding a test for the timeout.',
  'A green suite would make me more confident.',
  'Tests: 2 passed, 1 failed.',
  'The remaining failure is in the queue and predates this.',
  'To make the test pass, set `REDIS_URL`.',
  'Once CI is green, this can be merged.',
  'I expect the tests to pass on Linux.',
  '`worker/lock.py` is where the lock lives.',
  'The file `worker/queue.py` imports the lock.',
  'The test passes a fake clock to the worker.',
  'The build on CI was green yesterday.',
  'Nothing was deployed.',
  'The lint step is disabled in this project.',
  'Until `test_release` passes, I would not merge.',
  'I left `worker/old_lock.py` in place.',
  'Creating `worker/backoff.py` would be cleaner, but it is out of scope.',
  'The type checker was not run.',
  'The lock passes through three functions.',
  'There may be other usages of `acquire_all` in plugins.',
  'The suite takes about two minutes.',
  'One more edit to `worker/lock.py` may be needed.',
]
