import { describe, expect, it } from 'vitest'
import {
  bareCommand,
  commandAfterRan,
  findCommands,
  findName,
  findTestNames,
  isCommand,
  isOwnRun,
  namedRun,
} from './names.ts'

const programs = [
  ...['npm', 'npx', 'yarn', 'pnpm', 'bun', 'deno', 'node', 'tsc', 'tsx', 'ts-node', 'vite', 'next'],
  ...['webpack', 'turbo', 'nx', 'eslint', 'oxlint', 'biome', 'prettier', 'vitest', 'jest'],
  ...['mocha', 'playwright', 'cypress', 'python', 'python3', 'pip', 'uv', 'poetry', 'pytest'],
  ...['tox', 'ruff', 'mypy', 'flake8', 'black', 'go', 'cargo', 'zig', 'swift', 'java', 'mvn'],
  ...['gradle', 'dotnet', 'mix', 'ruby', 'bundle', 'rake', 'rails', 'rspec', 'php', 'composer'],
  ...['make', 'cmake', 'ctest', 'just', 'task', 'git', 'docker', 'kubectl', 'helm', 'terraform'],
  ...['psql', 'sqlite3', 'curl', 'grep', 'rg', 'sed', 'ls', 'cat', 'bash', 'sh', './run'],
  ...['bin/rails', 'vendor/.bin/x', 'seed.sh', 'scripts/seed.sh', 'zdx', 'zeno', 'zcl', 'zino'],
]

describe('isCommand', () => {
  it('knows the programs, alone and with words after them', () => {
    const lines = [...programs, 'scripts/seed x', 'tools/a b']
    expect(lines.filter((line) => !isCommand(line))).toEqual([])
    expect(lines.filter((line) => !isCommand(`$ ${line} x`))).toEqual([])
  })

  it.each(['', 'parse()', 'npmx', 'value', 'nodes', 'scripts/seed', 'x npm', '# npm'])(
    'is false for %j',
    (text) => {
      expect(isCommand(text)).toBe(false)
    },
  )
})

it.each<[text: string, commands: string[]]>([
  ['I ran `npm test` and `$ ls -l`.', ['npm test', 'ls -l']],
  ['I ran ` git log `.', ['git log']],
  ['I called `parse()`.', []],
  ['npm test', []],
])('findCommands of %j', (text, commands) => {
  expect(findCommands(text)).toEqual(commands)
})

it.each<[text: string, command: string | undefined]>([
  ['I ran `alembic upgrade head`.', 'alembic upgrade head'],
  ['I re-ran the command `alembic upgrade head`.', 'alembic upgrade head'],
  ['executed `a.b c`', 'a.b c'],
  ['invoked `a b`', 'a b'],
  ['I ran `test_ a`', undefined],
  ['I ran `alembic`', undefined],
  ['I ran `f(x) y`', undefined],
  ['I saw `alembic upgrade head`', undefined],
])('commandAfterRan of %j', (text, command) => {
  expect(commandAfterRan(text)).toBe(command)
})

it.each<[text: string, command: string | undefined]>([
  ['I ran npm install and it worked.', 'npm install'],
  ['I ran npm run bench.', 'npm run bench'],
  ['I ran npm run bench:', 'npm run bench'],
  ['I re-ran ESLint', 'eslint'],
  ['executed git push origin main', 'git push origin main'],
  ['executed git push origin main x', 'git push origin main'],
  ['invoked NPM Run', 'npm Run'],
  ['I ran go test ./...', 'go test ./'],
  ['I ran go home', undefined],
  ['I ran make some more tests', undefined],
  ['I ran make all', 'make all'],
  ['I ran next week', undefined],
  ['I ran just this', undefined],
  ['I ran the tests', undefined],
  ['npm install', undefined],
  ...[
    ...['to', 'with', 'on', 'in', 'for', 'which', 'but', 'so', 'again', 'once', 'twice', 'first'],
    ...['then', 'after', 'before', 'against', 'over', 'from', 'as', 'at', 'successfully'],
    ...['without', 'here', 'now', 'locally', 'too', 'also'],
  ].map((word): [string, string] => [`I ran npm ci ${word} me`, 'npm ci']),
])('bareCommand of %j is %j', (text, command) => {
  expect(bareCommand(text)).toBe(command)
})

const runWords = [
  ...['test', 'tests', 'test suite', 'suite', 'specs'].map((word) => ['test', word]),
  ...['linter', 'lint', 'linting', 'eslint'].map((word) => ['lint', word]),
  ...['type check', 'type-checker'].map((word) => ['types', word]),
  ...['build', 'compiler'].map((word) => ['build', word]),
]

describe('namedRun', () => {
  it.each(runWords)('knows %s by the word %s', (kind, word) => {
    expect(namedRun(`I ran the ${word}.`)).toBe(kind)
    expect(isOwnRun(`I ran the ${word}.`)).toBe(false)
  })

  it.each([
    ...['ran', 're-ran', 'reran', 'executed', 'running', 'have run', 'has just re-run'],
    ...["I've also run", 'have now run'],
  ])('knows the verb %s', (verb) => {
    expect(namedRun(`${verb} tests`)).toBe('test')
  })

  it.each([
    ...['all', 'the', 'full', 'whole', 'entire', 'complete', 'existing', 'unit', 'integration'],
    ...["project's", "repo's", 'both', 'its', 'every'],
  ])('knows the adjective %s', (adjective) => {
    expect(namedRun(`ran ${adjective} the ${adjective} tests`)).toBe('test')
  })

  it.each([
    ['lint', 'The code has been linted.'],
    ['lint', 'The files have been linted.'],
    ['lint', "I've also linted it."],
    ['types', 'The code has been type-checked.'],
    ['types', 'We then typechecked it.'],
    ['build', 'I built the whole project.'],
    ['build', 'We have rebuilt the image.'],
    ['build', 'I then compiled the crate.'],
  ])('knows that a verb names the run: %s: %s', (kind, text) => {
    expect([namedRun(text), isOwnRun(text)]).toEqual([kind, true])
  })

  it.each([
    ...['I ran quickly.', 'I saw the tests.', 'I ran slow tests.', 'I built the list.'],
    ...['The code was linted.', 'ran into tests'],
  ])('is undefined for %j', (text) => {
    expect([namedRun(text), isOwnRun(text)]).toEqual([undefined, false])
  })
})

it.each<[text: string, name: string | undefined]>([
  ['no uses of `oldName`', 'oldName'],
  ['no uses of "old name"', 'old name'],
  ["no uses of 'old'", 'old'],
  ['no uses of `parse(text)`', 'parse'],
  ['in `a.ts` no uses of `old`', 'old'],
  ['in `a.ts`', undefined],
  ['no uses of `a`', undefined],
  ['no uses of old', undefined],
])('findName of %j is %j', (text, name) => {
  expect(findName(text)).toBe(name)
})

it.each<[text: string, names: string[]]>([
  ['`src/a.test.ts` and `b_test.py` pass', ['src/a.test.ts', 'b_test.py']],
  ['`src/a.ts` and tests/b.ts', ['tests/b.ts']],
  ['the `adds tax` test', ['adds tax']],
  ['the "adds tax" unit test', ['adds tax']],
  ['the `adds tax` regression spec', ['adds tax']],
  ['the `adds tax` integration case', ['adds tax']],
  ['the test `adds tax`', ['adds tax']],
  ["the spec named 'adds tax'", ['adds tax']],
  ['tests called `adds tax`', ['adds tax']],
  ['`test_a` and `TestB`', ['test_a', 'TestB']],
  ['`adds tax` passes', ['adds tax']],
  ['`adds tax` now passes', ['adds tax']],
  ['`adds tax` also pass now', ['adds tax']],
  ['`adds tax` passed', ['adds tax']],
  ['`adds tax` succeeds', ['adds tax']],
  ['`adds tax` no longer fails', ['adds tax']],
  ['`adds tax` is now green', ['adds tax']],
  ['`adds tax` is passing', ['adds tax']],
  ['`adds tax` passes the value', []],
  ['`adds tax` is here', []],
  // Names of tools and files are no tests.
  ['the `npm run x` test', []],
  ['the `a.ts` test', []],
  ['the test `npm run x`', []],
  ['`npm run x` passes', []],
  ['`a.ts` passes', []],
  ...[
    ...['lint', 'build', 'test', 'tests', 'check', 'typecheck', 'type-check', 'format', 'main'],
    ...['master', 'LINT'],
  ].map((name): [string, string[]] => [`\`${name}\` passes`, []]),
  ['the test `test_a` and `test_a` passes', ['test_a']],
  ['', []],
])('findTestNames of %j', (text, names) => {
  expect(findTestNames(text)).toEqual(names)
})
