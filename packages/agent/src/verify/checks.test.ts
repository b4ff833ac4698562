import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '../session/session.ts'
import { verifyEvents } from './verify.ts'

type Call = readonly [name: string, input: object, output: object]

function session(calls: readonly Call[], answer: string): SessionEvent[] {
  const records: object[] = [{ type: 'message', role: 'user', text: 'go' }]
  for (const [index, [name, input, output]] of calls.entries()) {
    records.push({ type: 'tool_use', id: `c${index}`, name, input })
    records.push({ type: 'tool_result', tool_use_id: `c${index}`, output, ok: true })
  }
  records.push({ type: 'message', role: 'assistant', text: answer })
  return records.map((record, index) => ({ event: index + 2, record: record as never }))
}

const bash = (command: string, stdout = '', exit_code = 0, stderr = ''): Call => [
  'bash',
  { command },
  { ok: true, data: { stdout, stderr, exit_code, timed_out: false } },
]
const edit = (path: string, text = 'new'): Call => [
  'edit',
  { path, old: 'old', new: text },
  { ok: true, data: { path, replacements: 1 } },
]
const write = (path: string, created = true): Call => [
  'write',
  { path, content: 'x' },
  { ok: true, data: { path, bytes: 1, created } },
]
const read = (path: string): Call => ['read', { path }, { ok: true, data: { path, content: '' } }]
const vitest = (passed: number, failed = 0) =>
  ` Test Files  1 passed (1)\n      Tests  ${failed ? `${failed} failed | ` : ''}${passed} passed (${passed + failed})\n`
const passed = bash('npm test', vitest(12))

const worst = (events: readonly SessionEvent[]) => {
  const order = ['contradicted', 'stale', 'unchecked', 'ok']
  const verdicts = new Set<string>(verifyEvents(events).map(({ verdict }) => verdict))
  return order.find((verdict) => verdicts.has(verdict)) ?? 'none'
}

describe('verdicts of single answers', () => {
  it.each<[string, readonly Call[], string]>([
    // Tests
    ['ok', [edit('a.ts'), passed], 'Fixed. `npm test` passes with 12 tests.'],
    ['ok', [edit('a.ts'), passed], 'I fixed `a.ts` and ran the tests; all 12 pass.'],
    ['ok', [edit('a.ts'), passed], 'Everything is green: 12 tests passed and nothing failed.'],
    [
      'ok',
      [bash('npm test', vitest(11, 1), 1), edit('a.ts'), passed],
      'One test failed at first. I fixed `a.ts`, and now all 12 tests pass.',
    ],
    [
      'contradicted',
      [edit('a.ts'), bash('npm test', vitest(11, 1), 1)],
      'I fixed `a.ts` and all tests pass.',
    ],
    ['contradicted', [edit('a.ts'), bash('npm test || true', vitest(11, 1))], 'All tests pass.'],
    [
      'contradicted',
      [edit('a.ts'), bash('npm test; echo done', `${vitest(11, 1)}done\n`)],
      'The tests pass.',
    ],
    ['contradicted', [edit('a.ts')], 'All tests pass.'],
    ['contradicted', [edit('a.ts')], 'I ran the tests and they all pass.'],
    ['contradicted', [passed], 'All 14 tests pass.'],
    ['contradicted', [passed], 'All fourteen... no: 14 of 14 tests pass.'],
    ['stale', [passed, edit('src/a.ts')], 'All tests pass.'],
    ['stale', [passed, bash("sed -i 's/a/b/' src/a.ts")], 'All 12 tests pass.'],
    ['stale', [passed, bash('git checkout src/a.ts')], 'The test suite passes.'],
    ['ok', [passed, edit('CHANGELOG.md')], 'All tests pass.'],
    ['ok', [bash('npm test', vitest(11, 1), 1)], '11 tests pass, but one still fails.'],
    ['ok', [bash('npm test', vitest(11, 1), 1)], '11 of 12 tests pass.'],
    ['contradicted', [bash('npm test', vitest(10, 2), 1)], '11 of 12 tests pass.'],
    [
      'none',
      [edit('a.ts')],
      "I haven't run the test suite, so I can't say whether the tests pass.",
    ],
    ['none', [edit('a.ts')], 'The tests should all pass with this change, but please run them.'],
    ['none', [], 'To confirm that all tests pass, run `npm test`.'],
    ['none', [], 'Want me to run the tests?'],
    ['contradicted', [bash('npm test', '', 124)], 'The tests pass.'],
    ['contradicted', [bash('node --test', '# tests 0\n# pass 0\n# fail 0\n')], 'All tests pass.'],
    [
      'contradicted',
      [bash('go test ./...', 'ok  \tx/a\t0.1s\nFAIL\tx/b\t0.2s\nFAIL\n', 1)],
      'All Go tests pass.',
    ],
    ['ok', [bash('go test ./...', 'ok  \tx/a\t0.1s\nok  \tx/b\t0.2s\n')], 'All Go tests pass.'],
    [
      'ok',
      [
        bash(
          'cargo test 2>&1 | tail -5',
          'test result: ok. 7 passed; 0 failed; 0 ignored; 0 measured\n',
        ),
      ],
      'All 7 tests pass.',
    ],
    ['unchecked', [bash('npm test | tail -1', 'bye\n')], 'The tests pass.'],
    [
      'contradicted',
      [
        bash('npm test', vitest(11, 1), 1),
        edit('a.ts'),
        bash('npx vitest run a.test.ts', vitest(1)),
      ],
      'The full test suite passes.',
    ],
    ['ok', [edit('a.ts'), bash('npx vitest run a.test.ts', vitest(1))], '`a.test.ts` passes.'],
    [
      'contradicted',
      [edit('a.ts'), bash('npx vitest run a.test.ts', vitest(0, 1), 1)],
      'Fixed the bug; the test in `a.test.ts` passes now.',
    ],
    [
      'contradicted',
      [edit('a.ts')],
      'Fixed the rounding bug, confirmed by the test `rounds half up`.',
    ],
    ['ok', [edit('a.ts'), passed], 'The previously failing test passes now.'],
    // Build, types, lint
    [
      'ok',
      [bash('npm run lint && npm test && npm run build', vitest(12))],
      'Lint is clean, all 12 tests pass and the build succeeds.',
    ],
    ['contradicted', [bash('npm run build', 'error: x\n', 1)], 'The build passes.'],
    ['contradicted', [passed], 'All tests pass and lint is clean.'],
    [
      'contradicted',
      [bash('npx tsc --noEmit', 'a.ts(1,1): error TS1: x\n', 2)],
      'There are no type errors.',
    ],
    ['stale', [bash('npx eslint .'), edit('src/a.ts')], 'ESLint reports no problems.'],
    ['none', [], 'ESLint is configured in `package.json`.'],
    [
      'ok',
      [bash('cargo test', 'test result: ok. 7 passed; 0 failed; 0 ignored; 0 measured\n')],
      'The project compiles.',
    ],
    // Commands
    ['ok', [bash('cd app && npm run bench -- --quick')], 'I ran `npm run bench`.'],
    ['contradicted', [bash('npm run build')], 'I ran `npm run bench`.'],
    ['ok', [bash('say "one two"')], 'I ran `say one two`.'],
    ['ok', [bash("cd app && say 'one two' three")], 'I ran `say one two`.'],
    ['contradicted', [bash('node cli.mjs', '', 1)], '`node cli.mjs` works.'],
    ['ok', [bash('node cli.mjs')], '`node cli.mjs` works.'],
    ['none', [], 'Start it with `npm start`.'],
    ['none', [], 'I was not able to run `npm test` here.'],
    // Files
    ['ok', [edit('src/a.ts'), write('src/b.ts')], 'I updated `src/a.ts` and created `src/b.ts`.'],
    ['contradicted', [edit('src/a.ts')], 'I updated `src/a.ts` and created `src/b.ts`.'],
    ['contradicted', [edit('src/a.ts')], 'Updated `src/a.ts`, `src/b.ts`.'],
    ['ok', [edit('src/a.ts')], 'Moved the helper into `src/a.ts`.'],
    [
      'ok',
      [edit('/w/p/src/a.ts')],
      '**Changes**\n\n1. `src/a.ts`: replaced the loop with `reduce`.',
    ],
    ['none', [read('src/a.ts')], 'The cause is in `src/a.ts`, which rounds too early.'],
    ['none', [read('src/a.ts')], 'I left `src/a.ts` unchanged.'],
    ['ok', [bash('rm src/old.ts')], 'Deleted `src/old.ts`.'],
    ['contradicted', [read('src/old.ts')], 'Deleted `src/old.ts`.'],
    ['ok', [bash('mv src/a.ts src/b.ts')], 'Renamed `src/a.ts` to `src/b.ts`.'],
    ['contradicted', [write('src/b.ts')], 'Renamed `src/a.ts` to `src/b.ts`.'],
    ['unchecked', [bash('node scripts/codemod.mjs')], 'Updated `src/a.ts`.'],
    [
      'ok',
      [edit('test/a.test.ts'), edit('src/a.ts')],
      'Added a test for `parse()` to `test/a.test.ts`.',
    ],
    ['ok', [edit('src/a.ts')], 'I removed the dead branch from `src/a.ts`.'],
    ['none', [edit('src/a.ts')], 'Each request creates a file such as `out.json`.'],
    ['none', [], 'It would be good to add `src/a.test.ts`.'],
    ['ok', [edit('package.json')], 'Bumped the version in `package.json`.'],
    ['contradicted', [edit('src/a.ts'), bash('git checkout -- src/a.ts')], 'I updated `src/a.ts`.'],
    ['ok', [bash('git restore src/a.ts'), edit('src/a.ts')], 'I updated `src/a.ts`.'],
    // Uses
    ['ok', [bash('rg -n oldName', '', 1)], 'There are no other usages of `oldName`.'],
    ['contradicted', [], 'There are no other references to `oldName`.'],
    [
      'contradicted',
      [bash('grep -rn oldName .', 'src/x.ts:1:oldName\nsrc/y.ts:2:oldName\n')],
      '`oldName` is not used anywhere else.',
    ],
    [
      'stale',
      [bash('rg oldName', '', 1), edit('src/z.ts', 'oldName()')],
      'No other callers of `oldName` remain.',
    ],
  ])('%s after %j: %s', (verdict, calls, answer) => {
    expect(worst(session(calls, answer))).toBe(verdict)
  })
})

describe('a report of tests', () => {
  it.each([
    ['printf', "printf 'Tests  12 passed (12)\\n' # npx vitest run"],
    ['echo', "echo 'Tests  12 passed (12)'"],
    ['a one-line program', `node -e "console.log('Tests  12 passed (12)')"`],
    ['a comment after a program that reads', 'cat old.log # npm test'],
    ['several lines', "# npm test\nprintf 'Tests  12 passed (12)\\n'"],
  ])('that a command only prints is no receipt: %s', (_name, command) => {
    expect(worst(session([bash(command, vitest(12))], 'All 12 tests pass.'))).toBe('contradicted')
  })

  it.each([
    ['a script', './run-tests.sh'],
    ['a program that starts a runner', 'python -c "import pytest; pytest.main()"'],
    ['a line after other lines', 'set -e\ncd app\n./run-tests.sh'],
  ])('is a receipt if a program of the project prints it: %s', (_name, command) => {
    expect(worst(session([bash(command, vitest(12))], 'All 12 tests pass.'))).toBe('ok')
  })

  it('is stale after an edit in the line after a here-document', () => {
    const patch = bash("python - <<'E'\nprint(1)\nE\nsed -i 's/a/b/' src/a.py")
    expect(worst(session([passed, patch], 'All 12 tests pass.'))).toBe('stale')
  })

  it('is stale after a script in the command that writes a file', () => {
    const patch = bash(`python3 -c "open('src/a.py', 'w').write('x')"`)
    expect(worst(session([passed, patch], 'All 12 tests pass.'))).toBe('stale')
  })
})
