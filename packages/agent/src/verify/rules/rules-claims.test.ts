import { expect, it } from 'vitest'
import type { Claim } from '../claims.ts'
import { splitClauses } from '../clauses.ts'
import { rules } from './rules.ts'

function claimsOf(name: string, answer: string): Claim[] {
  const rule = rules.find((each) => each.name === name)
  return splitClauses(answer)
    .filter(({ isNegated }) => !isNegated || rule?.allowsNegation === true)
    .flatMap((clause) => rule?.find(clause.text, clause) ?? [])
}

type Pass = Extract<Claim, { kind: 'passes' }>
const passes = (what: Pass['what'], rest: Partial<Pass> = {}): Pass => ({
  kind: 'passes',
  what,
  isPartial: false,
  isWhole: false,
  named: [],
  isWarningFree: false,
  ...rest,
})
const test = passes('test')
const whole = passes('test', { isWhole: true })
const ran = (command: string, hasSucceeded = false): Claim => ({
  kind: 'ran',
  what: undefined,
  command,
  hasSucceeded,
})
const ranKind = (what: Pass['what']) => ({
  kind: 'ran',
  what,
  command: undefined,
  hasSucceeded: false,
})

it.each<[answer: string, claims: Claim[]]>([
  ['The tests pass.', [test]],
  ['The tests pass without warnings.', [{ ...test, isWarningFree: true }]],
  ['The tests pass with no errors or warnings.', [{ ...test, isWarningFree: true }]],
  ['The tests pass with zero new warnings.', [{ ...test, isWarningFree: true }]],
  ...['All', 'Every', 'Full', 'Whole', 'Entire', 'Complete'].map((word): [string, Claim[]] => [
    `${word} tests pass.`,
    [whole],
  ]),
  ['12 tests pass.', [{ ...test, count: { passed: 12 } }]],
  ['12/14 tests pass.', [{ ...test, count: { passed: 12, total: 14 } }]],
  ['12/12, suite is done', [{ ...test, count: { passed: 12, total: 12 } }]],
  ['It is done, 12/12', []],
  ['12/14, suite is done', []],
  ['`adds tax` passes now.', [{ ...test, named: ['adds tax'] }]],
  ['`adds tax` is green.', [{ ...test, named: ['adds tax'] }]],
  ['The `adds tax` test is fixed.', [{ ...test, named: ['adds tax'] }]],
  ['The `adds tax` test succeeds.', [{ ...test, named: ['adds tax'] }]],
  ['The parser passes.', []],
  ['The tests with `a` pass.', [test]],
  ['The loader passes options to the tests.', []],
  // A pronoun.
  ['I ran the suite. It passed.', [test]],
  ['I ran the suite and it passed.', [test]],
  ['I ran all 24 tests and they passed.', [{ ...test, count: { passed: 24 } }]],
  ['I wrote all 24 tests and the suite passes.', [test]],
  ['I ran 24 tests and all 12 tests passed.', [{ ...whole, count: { passed: 12 } }]],
  ['I ran the suite. The loader is old. It passed.', []],
  // Another clause admits a failure.
  ['The tests pass, but one fails.', []],
  ['All tests pass, but the build fails.', [whole]],
  ['11 tests pass, but one fails.', [{ ...test, count: { passed: 11 }, isPartial: true }]],
  ['The tests pass. The build fails.', [test]],
  ['11 tests pass. One fails.', [{ ...test, count: { passed: 11 }, isPartial: true }]],
])('the tests pass: %s', (answer, claims) => {
  expect(claimsOf('tests pass', answer)).toEqual(claims)
})

it.each([
  ...['fixed', 'fixes', 'resolved', 'resolves', 'repaired', 'solved'].map(
    (verb) => `This ${verb} it, as the test \`adds tax\` shows`,
  ),
  ...['bug', 'issue', 'problem', 'crash', 'regression'].map(
    (word) => `The ${word} is gone, as the test \`adds tax\` shows`,
  ),
  ...['has been solved', 'was resolved'].map(
    (word) => `The bug ${word}, as the test \`adds tax\` shows`,
  ),
])('a fix with its test: %s', (text) => {
  const sentence = text.replace('shows', 'has shown')
  expect(claimsOf('a fix with its test', sentence)).toEqual([{ ...test, named: ['adds tax'] }])
  expect(claimsOf('a fix with its test', sentence.replace('has shown', 'has'))).toEqual([])
  expect(claimsOf('a fix with its test', sentence.replace('`adds tax`', 'of it'))).toEqual([])
})

it.each([
  ...['cover', 'covers', 'covered', 'confirms', 'verifies', 'verified', 'proves', 'proven'],
  ...['checks', 'demonstrates', 'shown', 'show', 'tested', 'validated'],
])('a fix with its test, as the word %s says', (verb) => {
  expect(claimsOf('a fix with its test', `Fixed it, ${verb} by the test \`adds tax\``)).toEqual([
    { ...test, named: ['adds tax'] },
  ])
})

it.each<[name: string, answer: string, claims: Claim[]]>([
  ['the build passes', 'The build passes.', [passes('build')]],
  ['the build passes', 'All 12 builds pass; the build is green.', [passes('build')]],
  ['types check', 'All the types check.', [passes('types', { isWhole: true })]],
  ['lint passes', 'Lint passes, all 12 tests too.', [passes('lint', { isWhole: true })]],
  ['lint passes', 'The linter passes the list to a rule.', []],
  ['everything passes', 'Everything passes.', [passes('any', { isWhole: true })]],
  [
    'everything passes',
    'All green: 12 tests.',
    [passes('any', { isWhole: true, count: { passed: 12 } })],
  ],
  ['everything passes', 'Green.', [passes('any')]],
  ['everything passes', 'Final result: passing.', [passes('any')]],
  ['everything passes', "We're green.", [passes('any')]],
  ['everything passes', 'Green lights.', []],
  // Commands.
  ['a command succeeded', '`npm test` passes.', [ran('npm test', true)]],
  ...[
    ...['passed', 'succeeds', 'succeeded', 'works', 'worked', 'exits with 0', 'returned code 0'],
    ...['exited with status zero', 'completed', 'was successful', 'is green', 'came back clean'],
    ...['runs fine', 'ran without errors', 'reports no errors', 'shows 0 problems'],
    ...['completes without any issue', 'terminates cleanly', 'finished with no trouble'],
    ...['now also works', 'run passes', 'command still works', 'again passes', 'are ok'],
  ].map((words): [string, string, Claim[]] => [
    'a command succeeded',
    `\`npm test\` ${words}.`,
    [ran('npm test', true)],
  ]),
  ['a command succeeded', '`parse()` works.', []],
  ['a command succeeded', '`scripts/seed.sh` works.', []],
  ['a command succeeded', '`scripts/seed.sh x` works.', [ran('scripts/seed.sh x', true)]],
  ['a command succeeded', '`npm test` is slow.', []],
  // It.
  ['it passed', 'I ran the linter and it passed.', [passes('lint')]],
  ['it passed', 'I ran the tests and they passed.', []],
  ['it passed', 'I ran the build. It passed.', [passes('build')]],
  ['it passed', 'I ran `npm ci` and `npm run x`; it worked.', [ran('npm run x', true)]],
  [
    'it passed',
    'I ran `npm ci` and `npm run x`; both passed.',
    [ran('npm ci', true), ran('npm run x', true)],
  ],
  [
    'it passed',
    'I ran `npm ci`, `npm run y`, `npm run x`; both passed.',
    [ran('npm run y', true), ran('npm run x', true)],
  ],
  ['it passed', 'I ran `npm ci`. It worked.', [ran('npm ci', true)]],
  ['it passed', 'I ran `npm ci`. The loader works.', []],
  // Git.
  ...[
    ...['I pushed it', 'We have pushed the branch', 'The branch was pushed', 'I pushed this'],
    ...['I pushed changes', 'I pushed all', 'I pushed everything', 'I pushed to main'],
    ...[
      'I then pushed them',
      'Everything has been pushed',
      'It is pushed',
      'I pushed to the remote',
    ],
    ...['I pushed all of it', 'pushed the fix', 'My work was pushed'],
  ].map((text): [string, string, Claim[]] => [
    'the work was committed or pushed',
    `${text}.`,
    [ran('git push', true)],
  ]),
  ...[
    'I committed it',
    'The changes are committed',
    'I created a commit',
    "I've added one small commit",
  ].map((text): [string, string, Claim[]] => [
    'the work was committed or pushed',
    `${text}.`,
    [ran('git commit', true)],
  ]),
  ['the work was committed or pushed', 'I pushed it by `git push x`.', []],
  ['the work was committed or pushed', 'I pushed 2 buttons.', []],
])('%s: %s', (name, answer, claims) => {
  expect(claimsOf(name, answer)).toEqual(claims)
})

it.each<[answer: string, claims: object[]]>([
  ['I ran `npm ci` and `npm test`.', [ran('npm ci'), ran('npm test')]],
  ['I ran `alembic upgrade head`.', [ran('alembic upgrade head')]],
  ['I ran npm install.', [ran('npm install')]],
  ['I ran the tests.', [ranKind('test')]],
  ['I ran the linter.', [ranKind('lint')]],
  ['I linted the code.', [ranKind('lint')]],
  ['I ran quickly.', []],
  ['The figures come from `npm run bench`, which I ran.', [ran('npm run bench')]],
  ['`npm ci`, `npm run bench`, which I also ran.', [ran('npm run bench')]],
  ['The figures come from `npm ci`, which I ran as `npm run x`.', [ran('npm run x')]],
  ['The figures come from the loader, which I ran.', []],
  ...[
    ...['re-ran', 'executed', 'invoked', 'called', 'used', 'launched', 'kicked off', 'ran'],
    ...['started with', 'started by', 'have run', "I've also re-run", 'verified with'],
    ...['checked it by running', 'tested this by', 'confirmed everything using'],
    ...['validated that the loader via', 'measured through', 'benchmarked by', 'formatted using'],
    ...['installed with', 'deployed it via', 'seeded the database by running', 'set up using'],
    ...['built the image with', 'Commands run:', 'was fixed by running'],
  ].map((words): [string, object[]] => [`We ${words} \`npm ci\``, [ran('npm ci')]]),
  ...['was run', 'were also executed', 'has been invoked', 'got launched', 'was just run'].map(
    (words): [string, object[]] => [`\`npm ci\` ${words}.`, [ran('npm ci')]],
  ),
  ...[
    'shows',
    'printed',
    'gives',
    'returned',
    'reports',
    'confirms',
    'produced',
    'passed',
    'works',
  ].map((word): [string, object[]] => [`Running \`npm ci\` ${word} it.`, [ran('npm ci')]]),
  ['After running `npm ci` it is there.', [ran('npm ci')]],
  ['We installed the dependencies (`npm ci`).', [ran('npm ci')]],
  ['Running `npm ci` is slow.', []],
  ['The list is verified with `npm ci`.', []],
  ['See `npm ci`.', []],
  ['We verified `npm ci`.', []],
  ['We verified the `npm ci` step.', []],
])('a command was run: %s', (answer, claims) => {
  expect(claimsOf('a command was run', answer)).toEqual(claims)
})

const uses = (allows: string, name: string | undefined = 'old') => [
  { kind: 'no_other_uses', name, allows },
]

it.each<[answer: string, claims: object[]]>([
  ...[
    ...['usages', 'usage', 'uses', 'references', 'callers', 'occurrences', 'call sites'],
    ...['call-sites', 'mentions', 'imports', 'instances'],
  ].map((word): [string, object[]] => [
    `There are no other ${word} of \`old\`.`,
    uses('a definition'),
  ]),
  ['There are no remaining uses of `old`.', uses('nothing')],
  ['The name is `old`; there are no remaining uses.', uses('nothing')],
  ['There are no remaining uses.', [{ kind: 'no_other_uses', name: undefined, allows: 'nothing' }]],
  ['`old` is unused.', uses('nothing')],
  ['`old` is not used elsewhere.', uses('a definition')],
  ['Nothing else uses `old`.', uses('a definition')],
  ['`old` is only used in the loader.', uses('a use')],
  ['The sole caller of `old` was the loader.', uses('a use')],
  ['`old` is solely used in the loader.', uses('a use')],
  ['The last use of `old` is deleted.', uses('a use')],
  ['The final remaining use of `old` is deleted.', uses('a use')],
  ['`old` has no other callers.', uses('a definition')],
  ['I use `old`.', []],
])('no other uses: %s', (answer, claims) => {
  expect(claimsOf('no other uses', answer)).toEqual(claims)
})
