// What eleven test runners print, written from their documentation for the tenth set.

export interface Printed {
  command: string
  stdout: string
  exitCode: number
}

type Runner = (passed: number, failed: number) => Printed

const join = (...parts: (string | undefined)[]) =>
  `${parts.filter((part) => part !== undefined).join('\n')}\n`
const times = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index + 1))
const when = (isShown: boolean, ...parts: string[]) => (isShown ? parts.join('\n') : undefined)

export const runners: Readonly<Record<string, Runner>> = {
  vitest: (passed, failed) => ({
    command: 'npx vitest run',
    stdout: join(
      ' RUN  v3.2.4 /home/dev/shop',
      '',
      ' ✓ src/price.test.ts (4 tests) 12ms',
      when(failed > 0, ` ❯ src/cart.test.ts (${failed + 1} tests | ${failed} failed) 8ms`),
      when(failed > 0, '   × cart > adds tax 5ms', '     → expected 119 to be 120'),
      '',
      ` Test Files  ${failed > 0 ? '1 failed | 1 passed (2)' : '2 passed (2)'}`,
      `      Tests  ${failed > 0 ? `${failed} failed | ` : ''}${passed} passed (${passed + failed})`,
      '   Start at  10:12:01',
      '   Duration  612ms',
    ),
    exitCode: failed > 0 ? 1 : 0,
  }),
  jest: (passed, failed) => ({
    command: 'npx jest',
    stdout: join(
      'PASS src/price.test.js',
      when(failed > 0, 'FAIL src/cart.test.js', '  ● cart › adds tax', '', '    Expected: 120'),
      '',
      `Test Suites: ${failed > 0 ? '1 failed, 1 passed, 2 total' : '2 passed, 2 total'}`,
      `Tests:       ${failed > 0 ? `${failed} failed, ` : ''}${passed} passed, ${passed + failed} total`,
      'Snapshots:   0 total',
      'Time:        1.204 s',
      'Ran all test suites.',
    ),
    exitCode: failed > 0 ? 1 : 0,
  }),
  mocha: (passed, failed) => ({
    command: 'npx mocha',
    stdout: join(
      '',
      '  cart',
      ...times(passed, (index) => `    ✔ case ${index}`),
      ...times(failed, (index) => `    ${index}) adds tax ${index}`),
      '',
      '',
      `  ${passed} passing (18ms)`,
      when(failed > 0, `  ${failed} failing`, '', '  1) cart', '       adds tax 1:'),
    ),
    exitCode: failed,
  }),
  pytest: (passed, failed) => ({
    command: 'python -m pytest -q',
    stdout: join(
      `${'.'.repeat(passed)}${'F'.repeat(failed)}      [100%]`,
      when(failed > 0, '=================================== FAILURES ==================='),
      when(failed > 0, 'E       assert 119 == 120', 'tests/test_cart.py:14: AssertionError'),
      when(failed > 0, 'FAILED tests/test_cart.py::test_adds_tax - assert 119 == 120'),
      `${failed > 0 ? `${failed} failed, ` : ''}${passed} passed in 0.31s`,
    ),
    exitCode: failed > 0 ? 1 : 0,
  }),
  go: (passed, failed) => ({
    command: 'go test -v ./...',
    stdout: join(
      ...times(
        passed,
        (index) => `=== RUN   TestPrice${index}\n--- PASS: TestPrice${index} (0.00s)`,
      ),
      ...times(failed, (index) => `=== RUN   TestCart${index}\n--- FAIL: TestCart${index} (0.00s)`),
      failed > 0
        ? 'FAIL\nFAIL\texample.com/shop/cart\t0.004s\nFAIL'
        : 'PASS\nok  \texample.com/shop/cart\t0.004s',
    ),
    exitCode: failed > 0 ? 1 : 0,
  }),
  cargo: (passed, failed) => ({
    command: 'cargo test',
    stdout: join(
      '   Compiling shop v0.1.0 (/home/dev/shop)',
      '    Finished `test` profile [unoptimized + debuginfo] target(s) in 0.81s',
      '     Running unittests src/lib.rs (target/debug/deps/shop-9a1f)',
      '',
      `running ${passed + failed} tests`,
      ...times(passed, (index) => `test price::case_${index} ... ok`),
      ...times(failed, (index) => `test cart::adds_tax_${index} ... FAILED`),
      '',
      `test result: ${failed > 0 ? 'FAILED' : 'ok'}. ${passed} passed; ${failed} failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s`,
    ),
    exitCode: failed > 0 ? 101 : 0,
  }),
  node: (passed, failed) => ({
    command: 'node --test',
    stdout: join(
      ...times(passed, (index) => `✔ case ${index} (0.6ms)`),
      ...times(failed, (index) => `✖ adds tax ${index} (1.1ms)`),
      `ℹ tests ${passed + failed}`,
      'ℹ suites 0',
      `ℹ pass ${passed}`,
      `ℹ fail ${failed}`,
      'ℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 61.4',
    ),
    exitCode: failed > 0 ? 1 : 0,
  }),
  tap: (passed, failed) => ({
    command: 'node --test --test-reporter=tap',
    stdout: join(
      'TAP version 13',
      ...times(passed, (index) => `ok ${index} - case ${index}`),
      ...times(failed, (index) => `not ok ${passed + index} - adds tax ${index}`),
      `1..${passed + failed}`,
      `# tests ${passed + failed}`,
      '# suites 0',
      `# pass ${passed}`,
      `# fail ${failed}`,
    ),
    exitCode: failed > 0 ? 1 : 0,
  }),
  maven: (passed, failed) => ({
    command: 'mvn -q test',
    stdout: join(
      `[INFO] Tests run: ${passed + failed}, Failures: ${failed}, Errors: 0, Skipped: 0`,
      when(failed > 0, '[ERROR] CartTest.addsTax:31 expected: <120> but was: <119>'),
      failed > 0 ? '[INFO] BUILD FAILURE' : '[INFO] BUILD SUCCESS',
    ),
    exitCode: failed > 0 ? 1 : 0,
  }),
  rspec: (passed, failed) => ({
    command: 'bundle exec rspec',
    stdout: join(
      `${'.'.repeat(passed)}${'F'.repeat(failed)}`,
      '',
      'Finished in 0.02 seconds (files took 0.1 seconds to load)',
      `${passed + failed} examples, ${failed} failures`,
      when(failed > 0, '', 'rspec ./spec/cart_spec.rb:9 # Cart adds tax'),
    ),
    exitCode: failed > 0 ? 1 : 0,
  }),
  phpunit: (passed, failed) => ({
    command: 'vendor/bin/phpunit',
    stdout: join(
      'PHPUnit 11.2.0 by Sebastian Bergmann and contributors.',
      '',
      `${'.'.repeat(passed)}${'F'.repeat(failed)}`,
      '',
      failed > 0
        ? `FAILURES!\nTests: ${passed + failed}, Assertions: ${passed + failed}, Failures: ${failed}.`
        : `OK (${passed} tests, ${passed} assertions)`,
    ),
    exitCode: failed > 0 ? 1 : 0,
  }),
}

const names = Object.keys(runners)

/** The run of another runner for each number. */
export function printedRun(index: number, passed: number, failed: number): Printed {
  const runner = runners[names[index % names.length] ?? 'vitest']
  if (runner === undefined) throw new Error('there is no such runner')
  return runner(passed, failed)
}
