// Evidence of the fourth set: what nine runners and tools print, and how agents start them. Written from the
// printed forms of the tools, before the rules were read again.
import type { Run } from '../foreign/runners.fixtures.ts'

type Runner = (passed: number, failed: number) => Run

const lines = (...parts: (string | false)[]) => parts.filter((part) => part !== false).join('\n')
const red = (text: string) => `\u{1b}[31m${text}\u{1b}[39m`
const green = (text: string) => `\u{1b}[32m${text}\u{1b}[39m`

/** Runners in forms that agents see: colours, dots, quiet modes, several packages. */
export const printed: readonly Runner[] = [
  (passed, failed) => ({
    command: 'npx vitest run --reporter=dot',
    stdout: lines(
      ' RUN  v4.0.6 /repo',
      '',
      `${'·'.repeat(passed)}${'x'.repeat(failed)}`,
      '',
      failed > 0 && ' FAIL  src/retry.test.ts > retry > backs off twice',
      failed > 0 && 'AssertionError: expected 200 to be 400 // Object.is equality',
      '',
      ` Test Files  ${failed > 0 ? `${red('1 failed')} | ` : ''}${green('3 passed')} (${failed > 0 ? 4 : 3})`,
      `      Tests  ${failed > 0 ? `${red(`${failed} failed`)} | ` : ''}${green(`${passed} passed`)} (${passed + failed})`,
      '   Duration  1.02s',
      '',
    ),
    exitCode: failed > 0 ? 1 : 0,
  }),
  (passed, failed) => ({
    command: 'yarn test',
    stdout: lines(
      'yarn run v1.22.22',
      '$ jest --coverage=false',
      failed > 0 && 'FAIL src/retry.test.js (5.2 s)',
      failed > 0 && '  ● retry › backs off twice',
      'PASS src/queue.test.js',
      '',
      `Tests:       ${failed > 0 ? `${failed} failed, ` : ''}${passed} passed, ${passed + failed} total`,
      'Snapshots:   0 total',
      failed > 0 && 'error Command failed with exit code 1.',
      failed === 0 && 'Done in 2.13s.',
      '',
    ),
    exitCode: failed > 0 ? 1 : 0,
  }),
  (passed, failed) => ({
    command: 'pytest tests/ -v',
    stdout: lines(
      '============================= test session starts ==============================',
      'platform linux -- Python 3.12.3, pytest-8.3.3, pluggy-1.5.0',
      `collected ${passed + failed} items`,
      '',
      ...Array.from({ length: passed }, (_, n) => `tests/test_queue.py::test_${n} PASSED`),
      ...Array.from(
        { length: failed },
        (_, n) => `tests/test_retry.py::test_backs_off_${n} FAILED`,
      ),
      failed > 0 &&
        '=========================== short test summary info ============================',
      failed > 0 && 'FAILED tests/test_retry.py::test_backs_off_0 - assert 200 == 400',
      `========================= ${failed > 0 ? `${failed} failed, ` : ''}${passed} passed in 0.84s =========================`,
      '',
    ),
    exitCode: failed > 0 ? 1 : 0,
  }),
  (passed, failed) => ({
    command: 'go test ./... -v -count=1',
    stdout: lines(
      ...Array.from(
        { length: passed },
        (_, n) => `=== RUN   TestQueue${n}\n--- PASS: TestQueue${n} (0.00s)`,
      ),
      'PASS',
      'ok  \tgithub.com/acme/jobs/queue\t0.012s',
      ...Array.from(
        { length: failed },
        (_, n) =>
          `=== RUN   TestRetry${n}\n    retry_test.go:41: delay = 200, want 400\n--- FAIL: TestRetry${n} (0.00s)`,
      ),
      failed > 0 && 'FAIL\nFAIL\tgithub.com/acme/jobs/retry\t0.020s\nFAIL',
      failed === 0 && '?   \tgithub.com/acme/jobs/cmd\t[no test files]',
      '',
    ),
    exitCode: failed > 0 ? 1 : 0,
  }),
  (passed, failed) => ({
    command: 'cargo test --workspace --quiet',
    stdout: lines(
      '',
      `running ${passed - 2 + failed} tests`,
      `${'.'.repeat(passed - 2)}${'F'.repeat(failed)}`,
      failed > 0 && '\nfailures:\n    retry::tests::backs_off_twice\n',
      `test result: ${failed > 0 ? 'FAILED' : 'ok'}. ${passed - 2} passed; ${failed} failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.02s`,
      '',
      'running 2 tests',
      '..',
      'test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.30s',
      '',
    ),
    exitCode: failed > 0 ? 101 : 0,
  }),
  (passed, failed) => ({
    command: 'node --test test/*.test.mjs',
    stdout: lines(
      '▶ retry',
      ...Array.from({ length: passed }, (_, n) => `  ✔ case ${n} (0.21ms)`),
      ...Array.from({ length: failed }, () => '  ✖ backs off twice (1.9ms)'),
      failed > 0 ? '✖ retry (4.1ms)' : '✔ retry (3.1ms)',
      `ℹ tests ${passed + failed}`,
      'ℹ suites 1',
      `ℹ pass ${passed}`,
      `ℹ fail ${failed}`,
      'ℹ cancelled 0',
      'ℹ skipped 0',
      'ℹ todo 0',
      'ℹ duration_ms 88.12',
      '',
    ),
    exitCode: failed > 0 ? 1 : 0,
  }),
  (passed, failed) => ({
    command: 'npx mocha --reporter dot',
    stdout: lines(
      '',
      `  ${'․'.repeat(passed)}${'!'.repeat(failed)}`,
      '',
      `  ${passed} passing (41ms)`,
      failed > 0 && `  ${failed} failing`,
      failed > 0 && '\n  1) retry\n       backs off twice:\n     Error: expected 400',
      '',
    ),
    exitCode: failed,
  }),
]

type Way = (run: Run) => Run

/** Wrappers that keep the exit code, hide it, or print it. */
const startedBy: readonly Way[] = [
  (run) => run,
  (run) => ({ ...run, command: `cd /repo && ${run.command}` }),
  (run) => ({ ...run, command: `${run.command} || true`, exitCode: 0 }),
  (run) => ({
    command: 'npm test',
    stdout: `\n> jobs@1.4.0 test\n> ${run.command}\n\n${run.stdout}${run.exitCode > 0 ? 'npm error Lifecycle script `test` failed with error:\nnpm error code 1\n' : ''}`,
    exitCode: run.exitCode > 0 ? 1 : 0,
  }),
  (run) => ({
    command: `${run.command} 2>&1 | tail -15`,
    stdout: run.stdout.split('\n').slice(-15).join('\n'),
    exitCode: 0,
  }),
  (run) => ({
    command: `npm run build --silent && ${run.command}`,
    stdout: `built dist/index.js\n${run.stdout}`,
    exitCode: run.exitCode,
  }),
  (run) => ({
    command: `pnpm -s test 2>&1 | tee test.log; echo "status=\${PIPESTATUS[0]}"`,
    stdout: `${run.stdout}status=${run.exitCode}\n`,
    exitCode: 0,
  }),
  (run) => ({ ...run, command: `timeout 300 ${run.command}` }),
  (run) => ({ ...run, command: `set -e\nexport CI=true\n${run.command}` }),
]

/** Another runner and another way for each number. */
export function testRun(index: number, passed: number, failed: number): Run {
  const runner = printed[index % printed.length]
  const way = startedBy[(index * 4 + Math.floor(index / printed.length)) % startedBy.length]
  if (runner === undefined || way === undefined) throw new Error('there is no such run')
  return way(runner(passed, failed))
}

export interface Outcome {
  good: Run
  bad: Run
}

export const builds: readonly Outcome[] = [
  {
    good: {
      command: 'npm run build',
      stdout: '\n> jobs@1.4.0 build\n> tsc -p tsconfig.build.json\n\n',
      exitCode: 0,
    },
    bad: {
      command: 'npm run build',
      stdout:
        "\n> jobs@1.4.0 build\n> tsc -p tsconfig.build.json\n\nsrc/retry.ts:14:5 - error TS2339: Property 'delay' does not exist on type 'Job'.\n\nFound 1 error in src/retry.ts:14\n",
      exitCode: 2,
    },
  },
  {
    good: { command: 'go build ./...', stdout: '', exitCode: 0 },
    bad: {
      command: 'go build ./...',
      stdout: '# github.com/acme/jobs/retry\nretry/retry.go:14:2: undefined: delay\n',
      exitCode: 1,
    },
  },
  {
    good: {
      command: 'make build 2>&1 | tail -3',
      stdout: 'cc -O2 -c retry.c -o retry.o\ncc -o jobs main.o retry.o\n',
      exitCode: 0,
    },
    bad: {
      command: 'make build 2>&1 | tail -3',
      stdout:
        "retry.c:14:3: error: 'delay' undeclared (first use in this function)\nmake: *** [Makefile:6: retry.o] Error 1\n",
      exitCode: 0,
    },
  },
]

export const lints: readonly Outcome[] = [
  {
    good: { command: 'npm run lint', stdout: '\n> jobs@1.4.0 lint\n> eslint src\n\n', exitCode: 0 },
    bad: {
      command: 'npm run lint',
      stdout:
        "\n> jobs@1.4.0 lint\n> eslint src\n\n\n/repo/src/retry.ts\n  3:10  error  'sleep' is defined but never used  @typescript-eslint/no-unused-vars\n\n✖ 1 problem (1 error, 0 warnings)\n\n",
      exitCode: 1,
    },
  },
  {
    good: {
      command: 'npx eslint src --max-warnings=0 && echo clean',
      stdout: 'clean\n',
      exitCode: 0,
    },
    bad: {
      command: 'npx eslint src --max-warnings=0 || true',
      stdout:
        '/repo/src/retry.ts\n  9:1  warning  Unexpected any  @typescript-eslint/no-explicit-any\n  12:3  error  Missing return  consistent-return\n\n✖ 2 problems (1 error, 1 warning)\n',
      exitCode: 0,
    },
  },
]

export const typings: readonly Outcome[] = [
  {
    good: { command: 'npx tsc --noEmit -p .', stdout: '', exitCode: 0 },
    bad: {
      command: 'npx tsc --noEmit -p .',
      stdout: "src/retry.ts(14,5): error TS2339: Property 'delay' does not exist on type 'Job'.\n",
      exitCode: 1,
    },
  },
  {
    good: {
      command: 'npm run typecheck; echo "rc=$?"',
      stdout: '\n> jobs@1.4.0 typecheck\n> tsc --noEmit\n\nrc=0\n',
      exitCode: 0,
    },
    bad: {
      command: 'npm run typecheck; echo "rc=$?"',
      stdout:
        "\n> jobs@1.4.0 typecheck\n> tsc --noEmit\n\nsrc/retry.ts:14:5 - error TS2339: Property 'delay' does not exist on type 'Job'.\n\n\nFound 1 error in src/retry.ts:14\n\nrc=2\n",
      exitCode: 0,
    },
  },
]
