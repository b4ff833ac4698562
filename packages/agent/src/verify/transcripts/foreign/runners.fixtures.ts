// What eight test runners, a compiler and a linter print, and the ways in which agents start them. Written from
// their real output, without regard to the rules.

export interface Run {
  command: string
  stdout: string
  exitCode: number
}

/** A run with the given numbers of passed and failed tests. */
export type Runner = (passed: number, failed: number) => Run

const npmHead = (script: string) => `\n> shop@2.4.1 test\n> ${script}\n\n`

export const runners: Readonly<Record<string, Runner>> = {
  vitest: (passed, failed) => ({
    command: 'npx vitest run',
    stdout: [
      '\n RUN  v3.2.4 /srv/shop\n',
      ' ✓ test/price.test.ts (6 tests) 14ms',
      failed > 0
        ? ' ❯ test/cart.test.ts (4 tests | 1 failed) 21ms\n   × cart > adds tax 7ms\n     → expected 119 to be 120 // Object.is equality'
        : ' ✓ test/cart.test.ts (4 tests) 18ms',
      failed > 0
        ? '\n⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯\n\n FAIL  test/cart.test.ts > cart > adds tax\nAssertionError: expected 119 to be 120\n ❯ test/cart.test.ts:14:25'
        : '',
      `\n Test Files  ${failed > 0 ? '1 failed | 1 passed' : '2 passed'} (2)`,
      `      Tests  ${failed > 0 ? `${failed} failed | ` : ''}${passed} passed (${passed + failed})`,
      '   Start at  10:21:33\n   Duration  412ms (transform 60ms, setup 0ms)\n',
    ].join('\n'),
    exitCode: failed > 0 ? 1 : 0,
  }),
  jest: (passed, failed) => ({
    command: 'npx jest --ci',
    stdout: [
      failed > 0
        ? 'FAIL test/cart.test.js\n  ● cart › adds tax\n\n    expect(received).toBe(expected)\n\n    Expected: 120\n    Received: 119\n'
        : 'PASS test/cart.test.js',
      'PASS test/price.test.js\n',
      `Test Suites: ${failed > 0 ? '1 failed, 1 passed' : '2 passed'}, 2 total`,
      `Tests:       ${failed > 0 ? `${failed} failed, ` : ''}${passed} passed, ${passed + failed} total`,
      'Snapshots:   0 total\nTime:        1.812 s\nRan all test suites.\n',
    ].join('\n'),
    exitCode: failed > 0 ? 1 : 0,
  }),
  pytest: (passed, failed) => ({
    command: 'python -m pytest -q',
    stdout: [
      failed > 0
        ? `${'.'.repeat(passed)}${'F'.repeat(failed)}  [100%]`
        : `${'.'.repeat(passed)}  [100%]`,
      failed > 0
        ? '=================================== FAILURES ===================================\n___________________________________ test_tax ___________________________________\n\n>       assert total(100) == 120\nE       assert 119 == 120\n\ntests/test_cart.py:9: AssertionError\n=========================== short test summary info ============================\nFAILED tests/test_cart.py::test_tax - assert 119 == 120'
        : '',
      `${failed > 0 ? `${failed} failed, ` : ''}${passed} passed in 0.31s\n`,
    ].join('\n'),
    exitCode: failed > 0 ? 1 : 0,
  }),
  go: (passed, failed) => ({
    command: 'go test -v ./...',
    stdout: [
      ...Array.from(
        { length: passed },
        (_, n) => `=== RUN   TestPrice${n}\n--- PASS: TestPrice${n} (0.00s)`,
      ),
      ...Array.from(
        { length: failed },
        (_, n) =>
          `=== RUN   TestTax${n}\n    cart_test.go:12: got 119, want 120\n--- FAIL: TestTax${n} (0.00s)`,
      ),
      failed > 0
        ? 'FAIL\nFAIL\texample.com/shop/cart\t0.004s\nFAIL'
        : 'PASS\nok  \texample.com/shop/cart\t0.004s',
      '',
    ].join('\n'),
    exitCode: failed > 0 ? 1 : 0,
  }),
  cargo: (passed, failed) => ({
    command: 'cargo test',
    stdout: [
      '   Compiling shop v0.3.0 (/srv/shop)\n    Finished `test` profile [unoptimized + debuginfo] target(s) in 2.11s\n     Running unittests src/lib.rs (target/debug/deps/shop-1f)\n',
      `running ${passed + failed} tests`,
      ...Array.from({ length: passed }, (_, n) => `test price::case_${n} ... ok`),
      ...Array.from({ length: failed }, () => 'test cart::adds_tax ... FAILED'),
      failed > 0
        ? "\nfailures:\n\n---- cart::adds_tax stdout ----\nthread 'cart::adds_tax' panicked at src/cart.rs:31:9:\nassertion `left == right` failed\n  left: 119\n right: 120\n\nfailures:\n    cart::adds_tax\n"
        : '',
      `test result: ${failed > 0 ? 'FAILED' : 'ok'}. ${passed} passed; ${failed} failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n`,
      failed > 0 ? 'error: test failed, to rerun pass `--lib`' : '',
    ].join('\n'),
    exitCode: failed > 0 ? 101 : 0,
  }),
  node: (passed, failed) => ({
    command: 'node --test',
    stdout: [
      ...Array.from({ length: passed }, (_, n) => `✔ price ${n} (0.6ms)`),
      ...Array.from({ length: failed }, () => '✖ adds tax (1.1ms)'),
      `ℹ tests ${passed + failed}\nℹ suites 0\nℹ pass ${passed}\nℹ fail ${failed}\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 61.4`,
      failed > 0
        ? '\n✖ failing tests:\n\ntest at test/cart.test.mjs:5:1\n✖ adds tax (1.1ms)\n  AssertionError [ERR_ASSERTION]: 119 == 120\n'
        : '',
    ].join('\n'),
    exitCode: failed > 0 ? 1 : 0,
  }),
  tap: (passed, failed) => ({
    command: 'node --test --test-reporter=tap test/',
    stdout: [
      'TAP version 13',
      ...Array.from(
        { length: passed },
        (_, n) =>
          `# Subtest: price ${n}\nok ${n + 1} - price ${n}\n  ---\n  duration_ms: 0.5\n  ...`,
      ),
      ...Array.from(
        { length: failed },
        (_, n) =>
          `# Subtest: adds tax\nnot ok ${passed + n + 1} - adds tax\n  ---\n  failureType: 'testCodeFailure'\n  ...`,
      ),
      `1..${passed + failed}\n# tests ${passed + failed}\n# suites 0\n# pass ${passed}\n# fail ${failed}\n# cancelled 0\n# skipped 0\n# todo 0\n# duration_ms 70.2\n`,
    ].join('\n'),
    exitCode: failed > 0 ? 1 : 0,
  }),
  mocha: (passed, failed) => ({
    command: 'npx mocha --recursive',
    stdout: [
      '\n\n  cart',
      ...Array.from({ length: passed }, (_, n) => `    ✔ price ${n}`),
      ...Array.from({ length: failed }, (_, n) => `    ${n + 1}) adds tax`),
      `\n\n  ${passed} passing (12ms)`,
      failed > 0
        ? `  ${failed} failing\n\n  1) cart\n       adds tax:\n\n      AssertionError: expected 119 to equal 120\n      + expected - actual\n`
        : '',
    ].join('\n'),
    exitCode: failed > 0 ? failed : 0,
  }),
}

/** The ways in which an agent starts a runner. A pipe hides the exit code. */
export const ways: readonly ((run: Run) => Run)[] = [
  (run) => run,
  (run) => ({ ...run, command: 'npm test', stdout: npmHead(run.command) + run.stdout }),
  (run) => ({ ...run, command: `cd services/shop && ${run.command}` }),
  (run) => ({
    ...run,
    command: `${run.command} 2>&1 | tail -n 25`,
    stdout: run.stdout.split('\n').slice(-25).join('\n'),
    exitCode: 0,
  }),
  (run) => ({
    ...run,
    command: 'make test',
    stdout: `${run.command}\n${run.stdout}${run.exitCode > 0 ? 'make: *** [Makefile:8: test] Error 1\n' : ''}`,
    exitCode: run.exitCode > 0 ? 2 : 0,
  }),
  (run) => ({ ...run, command: `CI=1 ${run.command} 2>&1 | tee /tmp/out.txt`, exitCode: 0 }),
  (run) => ({
    ...run,
    command: `${run.command}; echo "exit: $?"`,
    stdout: `${run.stdout}\nexit: ${run.exitCode}\n`,
    exitCode: 0,
  }),
]

export const build = {
  good: {
    command: 'npm run build',
    stdout:
      '\n> shop@2.4.1 build\n> vite build\n\nvite v6.0.3 building for production...\n✓ 48 modules transformed.\ndist/assets/index-C1.js  42.10 kB │ gzip: 14.2 kB\n✓ built in 812ms\n',
    exitCode: 0,
  },
  bad: {
    command: 'npm run build',
    stdout:
      '\n> shop@2.4.1 build\n> vite build\n\nvite v6.0.3 building for production...\n✗ Build failed in 210ms\nerror during build:\n[vite]: Rollup failed to resolve import "./tax" from "src/cart.ts".\n',
    exitCode: 1,
  },
} satisfies Record<string, Run>

export const cargoBuild = {
  good: {
    command: 'cargo build --release',
    stdout:
      '   Compiling shop v0.3.0 (/srv/shop)\n    Finished `release` profile [optimized] target(s) in 8.02s\n',
    exitCode: 0,
  },
  bad: {
    command: 'cargo build --release',
    stdout:
      '   Compiling shop v0.3.0 (/srv/shop)\nerror[E0425]: cannot find value `tax` in this scope\n  --> src/cart.rs:12:9\n\nerror: could not compile `shop` (lib) due to 1 previous error\n',
    exitCode: 101,
  },
} satisfies Record<string, Run>

export const lint = {
  good: { command: 'npx eslint .', stdout: '', exitCode: 0 },
  bad: {
    command: 'npx eslint .',
    stdout:
      "\n/srv/shop/src/cart.ts\n  12:7  error  'tax' is assigned a value but never used  no-unused-vars\n  30:1  error  Unexpected console statement  no-console\n\n✖ 2 problems (2 errors, 0 warnings)\n",
    exitCode: 1,
  },
} satisfies Record<string, Run>

export const types = {
  good: { command: 'npx tsc --noEmit', stdout: '', exitCode: 0 },
  bad: {
    command: 'npx tsc --noEmit',
    stdout:
      "src/cart.ts(12,7): error TS2322: Type 'string' is not assignable to type 'number'.\nsrc/main.ts(4,1): error TS2554: Expected 1 arguments, but got 0.\n",
    exitCode: 2,
  },
} satisfies Record<string, Run>
