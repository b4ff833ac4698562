// What eight runners, a compiler and a linter print, for the held-out transcripts.
// Each function takes the number of passed and failed tests.

const pad = (failed: number, text: string) => (failed > 0 ? text : '')

export const printed = {
  vitest: (passed: number, failed: number) =>
    [
      '\n RUN  v3.2.4 /home/dev/shop\n',
      ` ✓ test/cart.test.ts (${passed} tests) 12ms`,
      pad(
        failed,
        ` ❯ test/total.test.ts (${failed} tests | ${failed} failed) 9ms\n   × total > rounds half up 4ms`,
      ),
      '',
      ` Test Files  ${pad(failed, '1 failed | ')}1 passed (${failed > 0 ? 2 : 1})`,
      `      Tests  ${pad(failed, `${failed} failed | `)}${passed} passed (${passed + failed})`,
      '   Start at  10:11:12\n   Duration  412ms (transform 30ms)\n',
    ].join('\n'),
  jest: (passed: number, failed: number) =>
    [
      'PASS src/cart.test.js',
      pad(
        failed,
        'FAIL src/total.test.js\n  ● total › rounds half up\n\n    Expected: 4\n    Received: 3',
      ),
      '',
      `Test Suites: ${pad(failed, '1 failed, ')}1 passed, ${failed > 0 ? 2 : 1} total`,
      `Tests:       ${pad(failed, `${failed} failed, `)}${passed} passed, ${passed + failed} total`,
      'Snapshots:   0 total\nTime:        1.204 s\nRan all test suites.\n',
    ].join('\n'),
  pytest: (passed: number, failed: number) =>
    [
      '============================= test session starts ==============================',
      'platform linux -- Python 3.12.3, pytest-8.3.3, pluggy-1.5.0\nrootdir: /home/dev/shop',
      `collected ${passed + failed} items\n`,
      `tests/test_total.py ${'.'.repeat(passed)}${'F'.repeat(failed)}          [100%]\n`,
      pad(
        failed,
        '=========================== short test summary info ============================\nFAILED tests/test_total.py::test_rounds_half_up - assert 3 == 4',
      ),
      `========================= ${pad(failed, `${failed} failed, `)}${passed} passed in 0.12s =========================\n`,
    ].join('\n'),
  pytestQuiet: (passed: number, failed: number) =>
    `${'.'.repeat(passed)}${'F'.repeat(failed)}    [100%]\n${pad(failed, `${failed} failed, `)}${passed} passed in 0.31s\n`,
  go: (passed: number, failed: number) =>
    failed > 0
      ? '--- FAIL: TestTotal (0.00s)\n    total_test.go:12: got 3, want 4\nFAIL\nFAIL\texample.com/shop/total\t0.004s\nok  \texample.com/shop/cart\t0.003s\nFAIL\n'
      : Array.from(
          { length: passed },
          (_none, at) => `ok  \texample.com/shop/p${at}\t0.00${at % 9}s`,
        ).join('\n'),
  goVerbose: (passed: number, failed: number) =>
    [
      ...Array.from(
        { length: passed },
        (_none, at) => `=== RUN   TestCart${at}\n--- PASS: TestCart${at} (0.00s)`,
      ),
      ...Array.from(
        { length: failed },
        (_none, at) => `=== RUN   TestTotal${at}\n--- FAIL: TestTotal${at} (0.00s)`,
      ),
      failed > 0
        ? 'FAIL\nFAIL\texample.com/shop\t0.010s\nFAIL'
        : 'PASS\nok  \texample.com/shop\t0.010s',
      '',
    ].join('\n'),
  cargo: (passed: number, failed: number) =>
    [
      '   Compiling shop v0.1.0 (/home/dev/shop)\n    Finished `test` profile [unoptimized + debuginfo] target(s) in 0.61s',
      `     Running unittests src/lib.rs (target/debug/deps/shop-9f1)\n\nrunning ${passed + failed} tests`,
      ...Array.from({ length: passed }, (_none, at) => `test cart::case_${at} ... ok`),
      ...Array.from({ length: failed }, (_none, at) => `test total::case_${at} ... FAILED`),
      `\ntest result: ${failed > 0 ? 'FAILED' : 'ok'}. ${passed} passed; ${failed} failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n`,
      pad(failed, 'error: test failed, to rerun pass `--lib`\n'),
    ].join('\n'),
  node: (passed: number, failed: number) =>
    [
      ...Array.from({ length: passed }, (_none, at) => `✔ case ${at} (0.5ms)`),
      ...Array.from({ length: failed }, (_none, at) => `✖ broken case ${at} (0.7ms)`),
      `ℹ tests ${passed + failed}\nℹ suites 0\nℹ pass ${passed}\nℹ fail ${failed}\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 61.2\n`,
    ].join('\n'),
  tap: (passed: number, failed: number) =>
    [
      'TAP version 13',
      ...Array.from({ length: passed }, (_none, at) => `ok ${at + 1} - case ${at}`),
      ...Array.from({ length: failed }, (_none, at) => `not ok ${passed + at + 1} - broken ${at}`),
      `1..${passed + failed}\n# tests ${passed + failed}\n# suites 0\n# pass ${passed}\n# fail ${failed}\n# cancelled 0\n# skipped 0\n# todo 0\n`,
    ].join('\n'),
  mocha: (passed: number, failed: number) =>
    [
      '\n  cart\n    ✔ adds an item\n',
      `  ${passed} passing (14ms)`,
      pad(
        failed,
        `  ${failed} failing\n\n  1) total\n       rounds half up:\n     AssertionError: 3 == 4`,
      ),
      '',
    ].join('\n'),
  tsc: (errors: number) =>
    errors > 0
      ? `${Array.from({ length: errors }, (_none, at) => `src/total.ts(${at + 3},7): error TS2322: Type 'string' is not assignable to type 'number'.`).join('\n')}\n`
      : '',
  tscPretty: (errors: number) =>
    errors > 0
      ? `src/total.ts:3:7 - error TS2322: Type 'string' is not assignable to type 'number'.\n\n3 const sum: number = 'x'\n        ~~~\n\n\nFound ${errors} error${errors > 1 ? 's' : ''} in src/total.ts:3\n`
      : '',
  eslint: (errors: number, warnings = 0) =>
    errors + warnings > 0
      ? `\n/home/dev/shop/src/total.js\n  3:7  ${errors > 0 ? 'error' : 'warning'}  'sum' is assigned a value but never used  no-unused-vars\n\n✖ ${errors + warnings} problems (${errors} errors, ${warnings} warnings)\n\n`
      : '',
  viteBuild:
    'vite v6.0.3 building for production...\n✓ 34 modules transformed.\ndist/index.html  0.46 kB │ gzip: 0.30 kB\n✓ built in 612ms\n',
  npmError:
    'npm error Lifecycle script `build` failed with error:\nnpm error code 1\nnpm error path /home/dev/shop\n',
  commit: '[main 3f2c1aa] Round half up\n 1 file changed, 2 insertions(+), 1 deletion(-)\n',
}
