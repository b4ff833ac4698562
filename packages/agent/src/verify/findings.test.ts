import { describe, expect, it } from 'vitest'
import { checkClaim } from './checks.ts'
import type { Claim } from './claims.ts'
import { readTimeline } from './timeline.ts'
import { Session } from './transcripts/session.fixtures.ts'

type Act = (session: Session) => Session

const bash =
  (command: string, stdout = '', exitCode = 0): Act =>
  (session) =>
    session.bash(command, stdout, exitCode)
const edit =
  (path: string, isOk = true): Act =>
  (session) =>
    session.edit(path, isOk)
const write =
  (path: string, created = true): Act =>
  (session) =>
    session.write(path, created)

/** The first act is event 3, the second event 5, and so on. */
const check = (claim: Claim, acts: readonly Act[]) => {
  const session = acts.reduce((before, act) => act(before), new Session())
  const { verdict, event, reason } = checkClaim(claim, readTimeline(session.answer('')))
  return `${verdict} ${event}: ${reason}`
}

const none = 'contradicted null: no receipt'
const ok = (event: number) => `ok ${event}: event ${event}`
const no = (event: number, what: string) => `contradicted ${event}: event ${event}: ${what}`
const stale = (event: number, path: string) =>
  `stale ${event}: stale: ${path} changed after event ${event}`
const unknown = (event: number | null) => `unchecked ${event}: not checkable`

const jest = (passed: number, failed = 0) =>
  `Tests: ${failed > 0 ? `${failed} failed, ` : ''}${passed} passed, ${passed + failed} total\n`
const test = (passed: number, failed = 0) =>
  bash('npm test', jest(passed, failed), failed > 0 ? 1 : 0)
const part = (passed: number, failed = 0, file = 'a') =>
  bash(`npx jest ${file}.test.ts`, jest(passed, failed), failed > 0 ? 1 : 0)

type Pass = Extract<Claim, { kind: 'passes' }>
const passes = (what: Pass['what'], rest: Partial<Pass> = {}): Pass => ({
  kind: 'passes',
  what,
  isPartial: false,
  isWhole: false,
  isWarningFree: false,
  named: [],
  ...rest,
})
const count = (passed: number, total?: number) =>
  passes('test', { count: { passed, ...(total !== undefined && { total }) } })
const whole = passes('test', { isWhole: true })
const namedA = passes('test', { named: ['src/a.test.ts'] })

describe('a claim that something passes', () => {
  it.each<[claim: Pass, acts: Act[], finding: string]>([
    [passes('test'), [], none],
    [passes('test'), [bash('npx eslint .')], none],
    [passes('test'), [test(2)], ok(3)],
    [passes('test'), [test(2), test(2)], ok(5)],
    [passes('test'), [test(2), test(1, 1)], no(5, '1 failed')],
    // The reason of a failure.
    [passes('test'), [test(1, 2)], no(3, '2 failed')],
    [passes('test'), [bash('npm test', `${jest(1, 2)}${jest(1, 3)}`, 1)], no(3, '5 failed')],
    [passes('test'), [bash('npm test', 'x', 2)], no(3, 'exit 2')],
    [passes('test'), [bash('npm test', 'Tests: 0 total', 1)], no(3, 'it ran no tests')],
    [passes('test'), [bash('npm test', 'Tests: 0 total')], no(3, 'it ran no tests')],
    [passes('test'), [bash('npm test', 'No tests found')], no(3, 'it ran no tests')],
    [passes('test'), [bash('npm test', 'No tests found', 1)], no(3, 'exit 1')],
    [passes('test'), [bash('npm test', jest(3), 1)], no(3, 'exit 1')],
    [passes('lint'), [bash('npx eslint . | tail', '1 error')], no(3, 'it failed')],
    [passes('lint'), [bash('npx eslint .; npm test', `${jest(1, 1)}1 error`)], no(3, 'it failed')],
    [passes('lint'), [bash('npx eslint .', '1 error', 1)], no(3, 'exit 1')],
    [passes('test'), [bash('gradle test | tail', 'x')], unknown(3)],
    // Stale.
    [passes('test'), [test(2), edit('a.ts')], stale(3, 'a.ts')],
    [passes('test'), [edit('a.ts'), test(2)], ok(5)],
    [passes('test'), [test(2), edit('README.md')], ok(3)],
    [passes('test'), [test(2), edit('a.ts', false)], ok(3)],
    [passes('test'), [test(2), edit('package.json')], stale(3, 'package.json')],
    [passes('test'), [test(2), bash('npm install x')], ok(3)],
    [passes('test'), [test(2), edit('b.ts'), edit('c.ts')], stale(3, 'b.ts')],
    // Which run proves what.
    [passes('build'), [bash('npx tsc')], ok(3)],
    [passes('types'), [bash('npm run build')], ok(3)],
    [passes('build'), [bash('npm run build'), bash('npx tsc', 'x', 1)], ok(3)],
    [passes('types'), [bash('npx tsc'), bash('npm run build', 'x', 1)], ok(3)],
    [
      passes('build'),
      [bash('npm run build'), edit('a.ts'), bash('npx tsc', 'x', 1)],
      no(7, 'exit 1'),
    ],
    [
      passes('build'),
      [bash('npm run build'), bash('npx tsc', 'x', 1), edit('a.ts')],
      stale(3, 'a.ts'),
    ],
    [passes('build'), [edit('a.ts'), bash('npm run build'), bash('npx tsc', 'x', 1)], ok(5)],
    [passes('lint'), [bash('npx tsc')], none],
    [
      passes('build'),
      [bash('cargo test', 'test result: ok. 7 passed; 0 failed; 0 ignored')],
      ok(3),
    ],
    [
      passes('types'),
      [bash('cargo test', 'test result: ok. 7 passed; 0 failed; 0 ignored')],
      ok(3),
    ],
    [passes('lint'), [bash('cargo test', 'test result: ok. 7 passed; 0 failed; 0 ignored')], none],
    [passes('build'), [bash('npm test', jest(2))], none],
    // Parts and the complete suite.
    [whole, [test(2), part(1)], ok(3)],
    [whole, [part(1)], ok(3)],
    [whole, [test(1, 1), part(1)], no(3, '1 failed')],
    [whole, [test(2), part(0, 1)], no(5, '1 failed')],
    [passes('test'), [test(2), part(0, 1)], no(5, '1 failed')],
    [passes('test'), [test(1, 1), part(1)], ok(5)],
    // Named tests.
    [namedA, [part(1, 0, 'src/a'), part(0, 1, 'b')], ok(3)],
    [namedA, [part(0, 1, 'src/a'), part(1, 0, 'b')], no(3, '1 failed')],
    [namedA, [part(1, 0, 'a'), part(0, 1, 'b')], ok(3)],
    [namedA, [part(1, 0, 'src/a'), test(1, 1)], no(5, '1 failed')],
    [namedA, [part(0, 1, 'b')], no(3, '1 failed')],
    [namedA, [test(1)], ok(3)],
    [namedA, [], none],
    [{ ...namedA, isWhole: true }, [part(0, 1, 'src/a'), test(1)], ok(5)],
    [
      passes('test', { named: ['adds tax'] }),
      [bash('npx jest a.test.ts', `adds tax\n${jest(1)}`), part(0, 1, 'b')],
      ok(3),
    ],
    // Warnings.
    [
      passes('lint', { isWarningFree: true }),
      [bash('npx eslint .', 'found 1 warning')],
      no(3, '1 warning'),
    ],
    [
      passes('lint', { isWarningFree: true }),
      [bash('npx eslint .', 'found 2 warnings')],
      no(3, '2 warnings'),
    ],
    [passes('lint', { isWarningFree: true }), [bash('npx eslint .', 'found 0 warnings')], ok(3)],
    [passes('lint'), [bash('npx eslint .', 'found 2 warnings')], ok(3)],
    // Counts.
    [count(3), [test(3)], ok(3)],
    [count(4), [test(3)], no(3, '3 of 3 tests passed')],
    [count(3), [bash('npm test', 'x')], unknown(3)],
    [count(3, 3), [test(3)], ok(3)],
    [count(4, 4), [test(3)], no(3, '3 of 3 tests passed')],
    [count(3, 4), [test(3, 1)], ok(3)],
    [count(3, 4), [test(3)], no(3, '3 of 3 tests passed')],
    [count(3, 5), [test(3, 1)], no(3, '3 of 4 tests passed')],
    [count(2, 4), [test(3, 1)], no(3, '3 of 4 tests passed')],
    [count(3, 4), [test(3, 1), edit('a.ts')], stale(3, 'a.ts')],
    [count(3, 4), [bash('npm test', 'x', 1)], unknown(3)],
    [count(4, 4), [test(3, 1)], no(3, '1 failed')],
    [{ ...count(3), isPartial: true }, [test(3, 1)], ok(3)],
    [{ ...count(2), isPartial: true }, [test(3, 1)], no(3, '3 of 4 tests passed')],
    [{ ...passes('test'), isPartial: true }, [test(3, 1)], ok(3)],
    [count(3, 3), [bash('npm test', 'Tests: 2 skipped, 3 passed, 5 total')], ok(3)],
    // Several reports: the sum, or one of them.
    [count(5, 5), [bash('npm test', '2 passed in 1.20s\nTests: 3 passed, 3 total')], ok(3)],
    [count(3, 3), [bash('npm test', '2 passed in 1.20s\nTests: 3 passed, 3 total')], ok(3)],
    [
      count(5, 6),
      [bash('npm test', '2 passed, 1 skipped in 1.20s\nTests: 3 passed, 3 total')],
      ok(3),
    ],
    [count(5, 3), [bash('npm test', '2 passed in 1.20s\nTests: 3 passed, 3 total')], ok(3)],
    [
      count(4, 5),
      [bash('npm test', '2 passed in 1.20s\nTests: 3 passed, 3 total')],
      no(3, '5 of 5 tests passed'),
    ],
    [
      count(5, 4),
      [bash('npm test', '2 passed in 1.20s\nTests: 3 passed, 3 total')],
      no(3, '5 of 5 tests passed'),
    ],
    // Counts belong to tests.
    [{ ...passes('lint'), count: { passed: 9 } }, [bash('npx eslint .')], ok(3)],
    // Everything.
    [passes('any'), [], none],
    [passes('any'), [test(2), bash('npx eslint .')], ok(3)],
    [passes('any'), [bash('npx tsc'), bash('npm run build')], ok(3)],
    [passes('any'), [test(1, 1), bash('npx eslint .')], no(3, '1 failed')],
    [passes('any'), [test(1, 1), test(2), bash('npx eslint .')], ok(5)],
    [passes('any'), [test(2), bash('npx eslint .', 'x', 1)], no(5, 'exit 1')],
    [passes('any'), [test(2), edit('a.ts'), bash('npx eslint .')], stale(3, 'a.ts')],
    [passes('any'), [bash('gradle test | tail', 'x'), bash('npx eslint .')], ok(5)],
    [passes('any'), [bash('gradle test | tail', 'x')], unknown(null)],
    [passes('any', { count: { passed: 9 } }), [test(2)], no(3, '2 of 2 tests passed')],
    [passes('any', { count: { passed: 2 } }), [bash('npx eslint .'), test(2)], ok(3)],
  ])('%j is judged', (claim, acts, finding) => {
    expect(check(claim, acts)).toBe(finding)
  })

  it('that timed out or did not finish is contradicted', () => {
    const output = (data: object) => [
      { event: 1, record: { type: 'tool_use', id: 'a', name: 'bash', input: { command: 'jest' } } },
      { event: 2, record: { type: 'tool_result', tool_use_id: 'a', output: data } },
    ]
    const reasonOf = (data: object) =>
      checkClaim(passes('test'), readTimeline(output(data) as never)).reason
    expect(reasonOf({ ok: true, data: { timed_out: true } })).toBe('event 1: it timed out')
    expect(reasonOf({ ok: false, error: { code: 'x', message: 'killed' } })).toBe(
      'event 1: it did not finish',
    )
  })
})

describe('a claim that something fails', () => {
  type Fails = Extract<Claim, { kind: 'fails' }>
  const fails = (what: Fails['what'], number: number, isExact = true): Fails => ({
    kind: 'fails',
    what,
    count: number,
    isExact,
  })

  it.each<[claim: Fails, acts: Act[], finding: string]>([
    [fails('test', 2), [], unknown(null)],
    [fails('test', 2), [test(3, 2)], ok(3)],
    [fails('test', 2), [test(3, 2), test(4, 1)], ok(3)],
    [fails('test', 2), [test(3, 1)], no(3, '1 failed')],
    [fails('test', 2), [test(3, 1), test(4)], no(5, '0 failed')],
    [fails('test', 2, false), [test(3, 1)], unknown(3)],
    [fails('test', 2), [bash('npm test', 'x', 1)], unknown(3)],
    [
      fails('test', 5),
      [bash('npm test', `${jest(1, 2)}2 failed, 1 passed in 1s\n3 failed in 1s`, 1)],
      no(3, '7 failed'),
    ],
    [fails('test', 2), [bash('npx eslint .', '2 errors', 1)], unknown(null)],
    [fails('lint', 2), [bash('npx eslint .', '2 errors', 1)], ok(3)],
    [fails('lint', 2), [bash('npx eslint .', '3 errors', 1)], no(3, '3 errors')],
    [fails('types', 2), [bash('npx tsc', 'Found 3 errors', 1)], no(3, '3 errors')],
    [fails('types', 3), [bash('npx tsc', 'Found 3 errors', 1)], ok(3)],
  ])('%j is judged', (claim, acts, finding) => {
    expect(check(claim, acts)).toBe(finding)
  })
})

describe('a claim that a command was run', () => {
  const ran = (
    command: string | undefined,
    hasSucceeded = false,
    what?: 'test' | 'lint',
  ): Claim => ({
    kind: 'ran',
    what,
    command,
    hasSucceeded,
  })

  it.each<[claim: Claim, acts: Act[], finding: string]>([
    [ran(undefined), [test(2)], none],
    [ran(undefined, false, 'test'), [test(2), test(1, 1)], ok(5)],
    [ran(undefined, false, 'lint'), [test(2)], none],
    [ran('npm test'), [bash('npm test', 'x', 1)], ok(3)],
    [ran('npm test'), [bash('ls')], none],
    [ran('npm test'), [bash('npm test'), bash('npm test')], ok(5)],
    // Success.
    [ran('npm test', true), [bash('npm test', jest(1, 1), 1)], no(3, '1 failed')],
    [ran('npm test', true), [test(2)], ok(3)],
    [ran('npm test', true), [test(2), edit('a.ts')], stale(3, 'a.ts')],
    [ran('./deploy', true), [bash('./deploy', '', 3)], no(3, 'exit 3')],
    [ran('./deploy', true), [bash('./deploy')], ok(3)],
    [
      ran('npx eslint', true),
      [bash('npx tsc && npx eslint .', '✖ 1 problem (1 error)', 1)],
      no(3, 'exit 1'),
    ],
    [ran('npx tsc', true), [bash('npx tsc && npx eslint .', '✖ 1 problem (1 error)', 1)], ok(3)],
    [ran('gradle test', true), [bash('gradle test | tail', 'x')], unknown(3)],
    // Spellings of one command.
    [ran("node  'a.js'"), [bash('node "a.js"  x')], ok(3)],
    [ran('de a'), [bash('node a')], none],
    [ran('npm t'), [bash('npm run test')], ok(3)],
    [ran('npm run test'), [bash('npm test')], ok(3)],
    [ran('npm run test'), [bash('npm t')], ok(3)],
    [ran('npm run-script bench'), [bash('npm run bench')], ok(3)],
    [ran('npx jest a'), [bash('jest a')], ok(3)],
    [ran('jest a'), [bash('pnpm exec jest a')], ok(3)],
    [ran('yarn jest a'), [bash('bunx jest a')], ok(3)],
    [ran('eslint --fix'), [bash('npx eslint lib --fix')], ok(3)],
    [ran('eslint --fix lib'), [bash('npx eslint lib --fix')], none],
    [ran('eslint --fix'), [bash('npx eslint lib')], none],
    [ran('eslint --fix'), [bash('ls && eslint lib --fix')], ok(3)],
    [ran('jest --fix'), [bash('eslint lib --fix')], none],
    [ran('node a.js ...'), [bash('node a.js -x')], ok(3)],
    [ran('node a.js …'), [bash('node a.js -x')], ok(3)],
    [ran('node a.js <file>'), [bash('cd x; node a.js -x')], ok(3)],
    [ran('node a.js [options]'), [bash('node a.js -x')], ok(3)],
    [ran('abc [x]'), [bash('time abcd')], none],
    [ran('abcd ...'), [bash('time abcde')], ok(3)],
    [ran('node b.js'), [bash('node b.jsx')], none],
    // The line of a script.
    [ran('tsc --noEmit'), [bash('npm run typecheck', '> tsc --noEmit\n')], ok(3)],
    [ran('tsc --noEmit'), [bash('npm run typecheck', '$ tsc --noEmit\n')], ok(3)],
    [ran('tsc --noEmit'), [bash('npm run typecheck', 'a\n> tsc --noEmit\nb')], ok(3)],
    [ran('tsc --noEmit'), [bash('npm run typecheck', 'x tsc --noEmit')], none],
    [ran('tsc --noEmit'), [bash('npm run typecheck', '> node build')], none],
    [ran('node build'), [bash('npm run all', '> node build')], none],
    [ran('> tsc'), [bash('npm run typecheck', '> tsc')], none],
    [
      ran('tsc --noEmit'),
      [bash('npm run typecheck', `${'\n'.repeat(4096 - 14)}> tsc --noEmit`)],
      ok(3),
    ],
    [
      ran('tsc --noEmit'),
      [bash('npm run typecheck', `${'\n'.repeat(4096 - 13)}> tsc --noEmit`)],
      none,
    ],
  ])('%j is judged', (claim, acts, finding) => {
    expect(check(claim, acts)).toBe(finding)
  })
})

describe('a claim about a file', () => {
  type Kind = 'created' | 'edited' | 'deleted' | 'written'
  const file = (kind: Kind, path = 'src/a.ts', rest: { mayBeGone?: true } = {}): Claim => ({
    kind,
    path,
    ...rest,
  })
  const moved = (from: string, to: string): Claim => ({ kind: 'moved', from, to })

  it.each<[claim: Claim, acts: Act[], finding: string]>([
    [file('edited'), [], none],
    [file('edited'), [edit('b.ts')], none],
    [file('edited'), [edit('/w/src/a.ts')], ok(3)],
    [file('edited'), [edit('src/a.ts'), edit('src/a.ts')], ok(5)],
    [file('edited'), [edit('src/a.ts', false)], no(3, 'the change failed')],
    [
      file('edited'),
      [edit('src/a.ts', false), edit('src/a.ts', false)],
      no(5, 'the change failed'),
    ],
    [file('edited'), [edit('src/a.ts'), edit('src/a.ts', false)], ok(3)],
    [
      file('edited'),
      [edit('src/a.ts'), bash('git checkout src/a.ts')],
      no(5, 'the change was undone'),
    ],
    [file('edited'), [edit('src/a.ts'), bash('rm src/a.ts')], no(5, 'it was deleted')],
    [file('edited', 'src/a.ts', { mayBeGone: true }), [bash('rm src/a.ts')], ok(3)],
    [file('written'), [edit('src/a.ts')], ok(3)],
    [file('created'), [write('src/a.ts')], ok(3)],
    [file('created'), [write('src/a.ts'), edit('src/a.ts')], ok(3)],
    [file('created'), [edit('src/a.ts')], no(3, 'the file existed before')],
    [file('created'), [write('src/a.ts', false)], no(3, 'the file existed before')],
    [file('created'), [bash('touch src/a.ts')], ok(3)],
    // A folder.
    [file('edited', 'src/'), [edit('src/a.ts')], ok(3)],
    [file('edited', 'src'), [edit('src/a.ts')], none],
    [file('edited', 'lib/'), [edit('src/a.ts')], none],
    // Deleted.
    [file('deleted'), [], none],
    [file('deleted'), [bash('rm src/a.ts')], ok(3)],
    [file('deleted'), [edit('src/a.ts'), bash('rm src/a.ts')], ok(5)],
    [file('deleted'), [bash('rm src/a.ts'), edit('src/a.ts')], no(5, 'it was written again')],
    [file('deleted'), [edit('src/a.ts')], none],
    [file('deleted'), [bash('./clean')], unknown(3)],
    [file('deleted'), [bash('./clean', '', 1)], none],
    // Unnamed changes by a program.
    [file('edited'), [bash('./codemod')], unknown(3)],
    [file('edited'), [bash('./codemod src/a.ts'), bash('./other')], ok(3)],
    [file('edited'), [bash('./codemod a.ts', '', 1)], none],
    [file('edited'), [bash('./codemod a.ts', '', 1), bash('./other')], unknown(5)],
    [file('edited'), [bash('cat src/a.ts')], none],
    [file('edited'), [edit('src/a.ts', false), bash('./codemod')], unknown(5)],
    // Moved.
    [moved('a.ts', 'b.ts'), [bash('mv a.ts b.ts')], ok(3)],
    [moved('a.ts', 'b.ts'), [bash('mv a.ts c.ts')], none],
    [moved('a.ts', 'lib/'), [bash('mv a.ts lib/')], ok(3)],
    [moved('a.ts', 'b.ts'), [bash('rm a.ts'), write('b.ts')], ok(3)],
    [moved('a.ts', 'lib'), [bash('rm a.ts'), write('lib/a.ts')], ok(3)],
    [moved('a.ts', 'b.ts'), [bash('mv a.ts c.ts'), write('b.ts')], none],
    [moved('a.ts', 'b.ts'), [edit('a.ts'), write('b.ts')], none],
    [moved('x.ts', 'b.ts'), [bash('mv a.ts b.ts')], none],
    [moved('a.ts', 'b.ts'), [bash('rm a.ts')], none],
    [moved('a.ts', 'b.ts'), [bash('mv a.ts b.ts'), bash('rm b.ts')], none],
    [moved('a.ts', 'b.ts'), [bash('./move')], unknown(3)],
  ])('%j is judged', (claim, acts, finding) => {
    expect(check(claim, acts)).toBe(finding)
  })
})
