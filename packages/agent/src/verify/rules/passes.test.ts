import { describe, expect, it } from 'vitest'
import { claimsSuccess, handsOver, type Passing, pronounKinds, saysItPassed } from './passes.ts'

/** Sentences with `*` for each of the words. */
const rows: readonly (readonly [what: Passing, sentence: string, words: readonly string[]])[] = [
  [
    'test',
    'The tests *.',
    [
      ...['pass', 'passes', 'passed', 'passing', 'succeed', 'succeeds', 'succeeded'],
      ...[
        'work fine',
        'works again',
        'work now',
        'green',
        'clean',
        'cleanly',
        'ok',
        '✅',
        '✓',
        '✔',
      ],
      ...[
        'exit 0',
        'exited with zero',
        'return code 0',
        'with exit status 0',
        'end with no errors',
      ],
    ],
  ],
  [
    'lint',
    'Lint * fine.',
    [
      ...['is', 'are', 'were', 'was', 'runs', 'ran', 'all', 'now', 'still', 'stays', 'remains'],
      ...['came back', 'comes back', '=', ':'],
    ],
  ],
  ['lint', 'Lint is *.', ['okay', 'successful', 'happy', 'good', 'healthy', 'all fine']],
  [
    'build',
    'The build ended without *.',
    [
      ...['failing tests', 'failed test', 'red tests', 'incidents', 'errors', 'issues', 'a hitch'],
      ...['hitches', 'problems', 'failures', 'complaints', 'trouble', 'regressions'],
    ],
  ],
  [
    'test',
    'Tests: * errors',
    [
      'no',
      '0',
      'zero',
      'without',
      'without any',
      'free of',
      'free of any',
      'not a single',
      'not any',
    ],
  ],
  [
    'types',
    'No * type errors.',
    ['new', 'more', 'remaining', 'other', 'further', 'outstanding', 'open', 'leftover', 'new open'],
  ],
  [
    'test',
    'The test failures are *.',
    [
      ...['gone', 'fixed', 'resolved', 'cleared', 'cleared up', 'eliminated', 'sorted'],
      ...['sorted out', 'addressed'],
    ],
  ],
  [
    'test',
    'I * all the failing tests.',
    ['fixed', 'resolved', 'repaired', 'mended', 'addressed', 'cleared', 'eliminated', 'corrected'],
  ],
  ['test', 'The test failures * gone.', ['is', 'were', 'have been', 'are now all', 'got']],
  ['types', 'Tsc stays *.', ['satisfied', 'content', 'happy', 'silent', 'quiet']],
  [
    'types',
    'Tsc * nothing.',
    [
      ...['reports', 'report', 'reported', 'shows', 'showed', 'finds', 'found', 'prints'],
      ...['printed', 'gives', 'gave', 'lists'],
    ],
  ],
  [
    'test',
    'The * passed.',
    [
      ...['test', 'tests', 'test suites', 'test-suite', 'suite', 'spec', 'specs', 'test cases'],
      ...['unit tests', 'assertions', 'vitest', 'jest', 'pytest', 'mocha', 'karma', 'cypress'],
      ...['playwright', 'rspec', 'phpunit', 'pest', 'nextest', 'ctest', 'junit', 'test run'],
    ],
  ],
  [
    'build',
    'The * succeeds.',
    ['build', 'compilation', 'compile', 'compile step', 'bundle', 'bundling'],
  ],
  ['test', 'Test failures: *', ['none', 'nil', '0', 'zero']],
  [
    'build',
    'The * compiles.',
    [
      ...['project', 'code', 'codebase', 'code base', 'package', 'app', 'application', 'crate'],
      ...['module', 'program', 'repo', 'repository', 'library', 'workspace', 'solution', 'image'],
      ...['container', 'site', 'docs'],
    ],
  ],
  ['build', '* compiles.', ['It', 'Everything', 'All']],
  ['build', 'The project *.', ['compiles', 'builds', 'compiled', 'built']],
  [
    'types',
    'The * passed.',
    [
      'typecheck',
      'type check',
      'type-checking',
      'type checker',
      'tsc',
      'typescript',
      'mypy',
      'pyright',
    ],
  ],
  [
    'lint',
    'The * passed.',
    [
      ...['lint', 'linter', 'linters', 'linting', 'eslint', 'oxlint', 'ruff', 'clippy', 'flake8'],
      ...['pylint', 'rubocop', 'biome', 'golangci-lint', 'go vet', 'prettier', 'stylelint'],
      ...['shellcheck', 'format check', 'formatting check', 'style check'],
    ],
  ],
  [
    'lint',
    'Eslint printed no *.',
    [
      ...['output', 'errors', 'issues', 'problems', 'complaints', 'warnings', 'findings'],
      ...['violations', 'hits'],
    ],
  ],
  [
    'any',
    '* passed.',
    [
      ...[
        'Everything',
        'All checks',
        'All the checks',
        'All of it',
        'All of them',
        'CI',
        'full ci',
      ],
      ...['The whole ci', 'The whole pipeline', 'The full check'],
    ],
  ],
]

describe('claimsSuccess', () => {
  it.each(rows)('finds that %s passes in %j for each word', (what, sentence, words) => {
    const missed = words.filter((word) => !claimsSuccess(what, sentence.replace('*', word)))
    expect(missed).toEqual([])
    expect(claimsSuccess(what, sentence.replace('*', 'xyz'))).toBe(false)
  })

  it.each<[what: Passing, text: string]>([
    ['test', 'It passed.'],
    ['test', 'The tests are here.'],
    ['test', 'A run prints "12 tests passed".'],
    ['test', 'A run prints `tests passed` then.'],
    ['test', "A run prints 'the tests are green'."],
    // A quotation separates the words around it.
    ['test', 'The tests "it is green" no errors.'],
    ['test', 'The tests `which passed` no errors.'],
    ['test', "The tests 'it is green' no errors."],
    ['build', 'The tests pass.'],
    ['types', 'The build passes.'],
    ['lint', 'The types pass.'],
    ['any', 'The tests pass.'],
  ])('finds no %s in %j', (what, text) => {
    expect(claimsSuccess(what, text)).toBe(false)
  })

  it('keeps the words around a quotation', () => {
    expect(claimsSuccess('test', 'The tests with "it is green" pass.')).toBe(true)
    expect(claimsSuccess('test', 'The tests of `passed` pass.')).toBe(true)
    expect(claimsSuccess('test', "The tests of 'a green one' pass.")).toBe(true)
    // The words that replace a quotation fill the place of a subject.
    expect(claimsSuccess('build', 'Built "the green one" cleanly.')).toBe(true)
  })
})

describe('a pronoun', () => {
  it.each([
    ...['It passes', 'They all pass', 'And both passed', 'so all succeed', 'which is green'],
    ...[
      'This passed',
      'Everything passed',
      'The latter passes',
      'It is clean',
      'They are all fine',
    ],
    ...["They're now passing", 'It came back clean', 'It worked', 'It went fine', 'It went well'],
    ...['It completed without errors', 'It exits with code 0', 'It finished fine'],
    ...['It reports no problems', 'It printed nothing', 'No errors', 'With no warnings found'],
    ...['Result: pass', 'The outcome is ok', 'Verdict: all green', 'The result was: clean'],
  ])('claims success: %s', (text) => {
    expect(saysItPassed(`${text}.`)).toBe(true)
  })

  it.each([
    ...['It fails', 'The tests pass', 'It worked for Ada', 'It exits with code 1', 'Results'],
    ...['It reports 2 problems', 'There are no errors', 'No errors in the log'],
  ])('claims nothing: %s', (text) => {
    expect(saysItPassed(`${text}.`)).toBe(false)
  })

  it.each<[sentence: string, kinds: string[]]>([
    ['I ran the tests.', ['test']],
    ['I ran jest.', ['test']],
    ['I ran the linter and tsc.', ['lint', 'types']],
    ['I ran the build.', ['build']],
    ['I ran `npm test`.', []],
    ['I ran`x`tests.', ['test']],
    ['I read the list.', []],
  ])('stands for what %j names', (sentence, kinds) => {
    expect(pronounKinds('It passes.', sentence)).toEqual(kinds)
    expect(pronounKinds('It fails.', sentence)).toEqual([])
  })
})

describe('handsOver', () => {
  it.each([
    ...['it passes it on', 'which passes along', 'it passed them', 'it passes through'],
    ...['it passes down', 'passes on Tuesday', 'passes the options', 'passes a value'],
    ...['passes its name', 'passes `x` to the loader', 'passes strings through', 'passed x to y'],
    ...['passing values into it', 'passes the long list into it', 'the loader that passes x'],
    ...['a pass of the loop', 'a full pass over it', 'the next pass through', 'passes in a name'],
  ])('holds for %j', (text) => {
    expect(handsOver(text)).toBe(true)
  })

  it.each([
    ...['the patch passes the full suite', 'it passes the existing tests', 'passes the linter'],
    ...['passes the type checker', 'it passes on linux', 'it passes on all', 'it passes on my box'],
    ...['passes on the first', 'passes in 3 s', 'passes in total', 'passes the compiler'],
    ...['passes the 12 tests', 'passes along with it', 'the tests pass', 'passes the same checks'],
    ...['passes the entire suite', 'passes the ci', 'passes on both', 'passes end to end'],
    ...[
      'passes on node',
      'passes on macos',
      'passes on windows',
      'passes on CI',
      'passes on every x',
    ],
  ])('does not hold for %j', (text) => {
    expect(handsOver(text)).toBe(false)
  })
})
