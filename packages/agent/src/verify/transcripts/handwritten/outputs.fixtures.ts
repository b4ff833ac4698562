// What other test runners, linters and compilers print, for passed and failed tests or a number of errors.

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

export const outputs = {
  ava: (passed: number, failed: number) =>
    failed > 0
      ? `\n  ${plural(failed, 'test')} failed\n`
      : `\n  ${plural(passed, 'test')} passed\n`,
  jasmine: (passed: number, failed: number) =>
    `Started\n....F\n\n${plural(passed + failed, 'spec')}, ${plural(failed, 'failure')}\nFinished in 0.1 seconds\n`,
  karma: (passed: number, failed: number) =>
    `Chrome Headless 120.0: Executed ${passed + failed} of ${passed + failed} ${failed > 0 ? `(${failed} FAILED) ` : 'SUCCESS '}(0.1 secs / 0.02 secs)\n`,
  cypress: (passed: number, failed: number) =>
    `  │ Tests:        ${passed + failed}   │\n  │ Passing:      ${passed}   │\n  │ Failing:      ${failed}   │\n  │ Pending:      0   │\n`,
  gradle: (passed: number, failed: number) =>
    failed > 0
      ? `> Task :test FAILED\n\n${passed + failed} tests completed, ${failed} failed\n\nBUILD FAILED in 3s\n`
      : `> Task :test\n\nBUILD SUCCESSFUL in 3s\n${passed} actionable tasks: 1 executed\n`,
  sbt: (passed: number, failed: number) =>
    `[info] Tests: succeeded ${passed}, failed ${failed}, canceled 0, ignored 0, pending 0\n${failed > 0 ? '[error] Failed tests:' : '[info] All tests passed.'}\n`,
  exunit: (passed: number, failed: number) =>
    `Finished in 0.1 seconds\n${plural(passed + failed, 'test')}, ${plural(failed, 'failure')}\n`,
  swift: (passed: number, failed: number) =>
    `Test Suite 'All tests' ${failed > 0 ? 'failed' : 'passed'} at 10:00.\n\t Executed ${plural(passed + failed, 'test')}, with ${plural(failed, 'failure')} (0 unexpected) in 0.1 (0.1) seconds\n`,
  minitest: (passed: number, failed: number) =>
    `Finished in 0.1s, 100 runs/s.\n${passed + failed} runs, 30 assertions, ${failed} failures, 0 errors, 0 skips\n`,
  nextest: (passed: number, failed: number) =>
    `     Summary [   0.100s] ${passed + failed} tests run: ${passed} passed, ${failed > 0 ? `${failed} failed, ` : ''}0 skipped\n`,
  ctest: (passed: number, failed: number) =>
    `${Math.round((passed * 100) / (passed + failed))}% tests passed, ${failed} tests failed out of ${passed + failed}\n`,
  gtest: (passed: number, failed: number) =>
    `[==========] ${passed + failed} tests from 3 test suites ran. (2 ms total)\n[  PASSED  ] ${passed} tests.\n${failed > 0 ? `[  FAILED  ] ${failed} test, listed below:\n[  FAILED  ] Price.Rounds\n` : ''}`,
  catch2: (passed: number, failed: number) =>
    failed > 0
      ? `test cases: ${passed + failed} | ${passed} passed | ${failed} failed\nassertions: 48 | 47 passed | 1 failed\n`
      : `All tests passed (48 assertions in ${passed} test cases)\n`,
  bats: (passed: number, failed: number) =>
    ` ✓ rounds\n\n${plural(passed + failed, 'test')}, ${plural(failed, 'failure')}\n`,
  prove: (passed: number, failed: number) =>
    `Files=3, Tests=${passed + failed},  1 wallclock secs\nResult: ${failed > 0 ? 'FAIL' : 'PASS'}\n`,
  flutter: (passed: number, failed: number) =>
    `00:03 +${passed}${failed > 0 ? ` -${failed}: Some tests failed.` : ': All tests passed!'}\n`,
  gotestsum: (passed: number, failed: number) =>
    `DONE ${passed + failed} tests${failed > 0 ? `, ${plural(failed, 'failure')}` : ''} in 0.412s\n`,
  zig: (passed: number, failed: number) =>
    failed > 0
      ? `${passed} passed; 0 skipped; ${failed} failed.\nerror: the following test command failed\n`
      : `All ${passed} tests passed.\n`,
  bazel: (passed: number, failed: number) =>
    failed > 0
      ? `Executed ${passed + failed} out of ${passed + failed} tests: ${passed} tests pass and ${failed} fails locally.\n`
      : `Executed ${passed} out of ${passed} tests: ${passed} tests pass.\n`,
  robot: (passed: number, failed: number) =>
    `Tests | FAIL |\n${passed + failed} tests, ${passed} passed, ${failed} failed\n`,
  pest: (passed: number, failed: number) =>
    `  Tests:    ${failed > 0 ? `${failed} failed, ` : ''}${passed} passed (30 assertions)\n  Duration: 0.10s\n`,
  dotnetGerman: (passed: number, failed: number) =>
    `${failed > 0 ? 'Fehler!' : 'Bestanden!'} : Fehler: ${failed}, erfolgreich: ${passed}, übersprungen: 0, gesamt: ${passed + failed}, Dauer: 12 ms\n`,
  dotnetFrench: (passed: number, failed: number) =>
    `Échec ! - échec : ${failed}, réussite : ${passed}, ignorée(s) : 0, total : ${passed + failed}, durée : 12 ms\n`,
  maven: (passed: number, failed: number) =>
    `[ERROR] Tests run: ${passed + failed}, Failures: ${failed}, Errors: 0, Skipped: 0\n`,
  unittest: (passed: number, failed: number) =>
    `Ran ${passed + failed} tests in 0.031s\n\n${failed > 0 ? `FAILED (failures=${failed})` : 'OK'}\n`,
  playwright: (passed: number, failed: number) =>
    `  ${failed > 0 ? `${failed} failed\n    [chromium] › a.spec.ts:3:1\n  ` : ''}${passed} passed (4.1s)\n`,
  deno: (passed: number, failed: number) =>
    `${failed > 0 ? 'FAILED' : 'ok'} | ${passed} passed | ${failed} failed (12ms)\n`,
  bun: (passed: number, failed: number) =>
    ` ${passed} pass\n ${failed} fail\n Ran ${passed + failed} tests\n`,
  tape: (passed: number, failed: number) =>
    `1..${passed + failed}\n# tests ${passed + failed}\n# pass  ${passed}\n${failed > 0 ? `# fail  ${failed}\n` : '\n# ok\n'}`,
  vitest: (passed: number, failed: number) =>
    ` Test Files  1 failed (1)\n      Tests  ${failed} failed | ${passed} passed (${passed + failed})\n`,
  pytest: (passed: number, failed: number) =>
    `==== ${failed > 0 ? `${failed} failed, ` : ''}${passed} passed in 0.12s ====\n`,
  jest: (passed: number, failed: number) =>
    `Tests:       ${failed > 0 ? `${failed} failed, ` : ''}${passed} passed, ${passed + failed} total\n`,
  golangci: (count: number) =>
    `main.go:3:2: unused (deadcode)\n${count} issues:\n* unused: ${count}\n`,
  rubocop: (count: number) =>
    `Inspecting 12 files\n\n12 files inspected, ${count === 0 ? 'no' : count} offenses detected\n`,
  biome: (count: number) => `Checked 12 files in 20ms. No fixes applied.\nFound ${count} errors.\n`,
  mypy: (count: number) =>
    `src/a.py:3: error: Name "x" is not defined\nFound ${count} errors in 1 file\n`,
  pyright: (count: number) => `${count} errors, 0 warnings, 0 informations\n`,
  ruff: (count: number) => `src/a.py:3:1: F821 Undefined name\nFound ${count} errors.\n`,
  clippy: (count: number) =>
    `error: this comparison involves the minimum\nerror: could not compile \`x\` due to ${count} previous errors\n`,
  webpack: (count: number) =>
    `ERROR in ./src/a.js\nwebpack 5.90 compiled with ${count} errors in 812 ms\n`,
  dotnetBuild: (count: number) =>
    `${count > 0 ? 'Build FAILED.' : 'Build succeeded.'}\n    0 Warning(s)\n    ${count} Error(s)\n`,
}
