import { describe, expect, it } from 'vitest'
import { isPartialRun, mayChangeUnnamedFiles, onlyPrints } from './commands.ts'

const split = (line: string) => line.split(' ').filter((word) => word !== '')

const reading = [
  ...['ls', 'll', 'cat', 'bat', 'head', 'tail', 'less', 'more', 'find', 'fd', 'tree', 'stat'],
  ...['file', 'grep', 'egrep', 'fgrep', 'rg', 'ag', 'ack', 'diff', 'cmp', 'xxd', 'hexdump', 'od'],
  ...['du', 'df', 'wc', 'sort', 'uniq', 'cut', 'tr', 'awk', 'gawk', 'jq', 'yq', 'nl', 'column'],
  ...['comm', 'join', 'paste', 'expr', 'seq', 'basename', 'dirname', 'realpath', 'readlink'],
  ...['md5sum', 'sha1sum', 'sha224sum', 'sha256sum', 'sha384sum', 'sha512sum', 'pwd', 'which'],
  ...['type', 'whoami', 'id', 'date', 'printenv', 'uname', 'ps', 'top', 'uptime', 'ping', 'man'],
  ...['help', 'history', 'clear', 'tput', 'kill', 'sleep', 'cd', 'echo', 'printf', 'true'],
  ...['false', '[', 'exit', 'set', 'export', 'source', 'wait', 'trap', 'return', 'for', 'do'],
  ...['done', 'if', 'then', 'fi', 'else', 'while', 'until', 'case', 'esac', 'rm', 'mv', 'cp'],
  ...['touch', 'mkdir', 'rmdir', 'tee', 'ln', 'chmod', 'git', 'sed'],
]

describe('mayChangeUnnamedFiles', () => {
  it('knows the programs that change no file they do not name', () => {
    expect([...reading, 'curl', 'gh'].filter((name) => mayChangeUnnamedFiles([name]))).toEqual([])
  })

  it.each([
    ...['checkout', 'switch', 'reset', 'stash', 'pull', 'merge', 'rebase', 'cherry-pick'],
    ...['revert', 'apply', 'am', 'restore', 'clean'],
  ])('knows that git %s changes the working tree', (command) => {
    expect(mayChangeUnnamedFiles(['git', command])).toBe(true)
  })

  it.each([...['ls', 'list', 'outdated', 'view', 'audit', 'why', 'info', '--version', '-v']])(
    'knows that npm %s only reads',
    (command) => {
      const managers = ['npm', 'yarn', 'pnpm', 'bun']
      expect(managers.map((name) => mayChangeUnnamedFiles([name, command, 'x']))).toEqual([
        false,
        false,
        false,
        false,
      ])
    },
  )

  it.each([
    // Programs that are not known.
    ['./codemod', true],
    ['node scripts/migrate.mjs', true],
    ['other ls', true],
    ['git log', false],
    ['npm run codemod', true],
    ['other list', true],
    ['other checkout', true],
    ['', false],
    ['A=1', false],
    // Runs change files only if they fix.
    ['npm test', false],
    ['npx eslint .', false],
    ['npx eslint --fix .', true],
    ['ruff check --fix', true],
    ['prettier --check --write .', true],
    ['prettier --check --writes .', false],
    // Installations are read from their words.
    ['npm install', false],
    ['npm install left-pad', false],
    ['pip install x', false],
    // Servers.
    ['docker compose up', false],
    ['kubectl get pods', false],
    ['npm start', false],
    ['npm run dev', false],
    ['yarn serve', false],
    ['pnpm preview', false],
    ['npm run developer', true],
    // Options that only print.
    ['other --version', false],
    ['other -v', false],
    ['other -V', false],
    ['other --help', false],
    ['other -h', false],
    ['other -h x', true],
    // One-line programs.
    ['node -e fs.rmSync(1)', true],
    ['node -e 1+1', false],
    ["python -c open('a')", true],
    ['python3 -c print(1)', false],
    ['perl -pe s/a/b/ -i', true],
    ['deno eval 1', false],
    ['node --eval 1', true],
  ])('of %j is %s', (line, expected) => {
    expect(mayChangeUnnamedFiles(split(line))).toBe(expected)
  })
})

describe('onlyPrints', () => {
  it('holds for programs that read', () => {
    expect(reading.filter((name) => !onlyPrints([name, 'x']))).toEqual([])
  })

  it.each([
    ['curl localhost:3000/test', false],
    ['gh run view', false],
    ['./ci', false],
    ['node a.js', false],
    ['', false],
    ['node -e console.log(1)', true],
    ['node -e 1', false],
    ['node -p print', true],
    ['python -c print(1)', true],
    ['python3.12 -c print(pytest)', false],
    ['ruby -e puts(1)', true],
    ['perl -e printf(1)', true],
    ['php -e echo(1)', true],
    ['deno eval process.stdout.write(1)', true],
    ['node -e console.log(spawnSync(1))', false],
    ['python -c print(subprocess)', false],
    ['python -c print(unittest)', false],
    ['perl -e print(exec)', false],
    ['ruby -e puts(system)', false],
    ['python -c print(popen)', false],
    ['python -c print(run(1))', false],
  ])('of %j is %s', (line, expected) => {
    expect(onlyPrints(split(line))).toBe(expected)
  })
})

describe('isPartialRun', () => {
  it.each([
    ['npm test', false],
    ['npx vitest run', false],
    ['npx vitest run src/a.test.ts', true],
    ['npx vitest run src/a.spec.ts', true],
    ['npx vitest run src/a_test.py', true],
    ['npx mocha test/*.test.js', false],
    ['npx mocha test/?.test.js', false],
    ['npx jest -c jest.test.js', false],
    ['npx jest jest.test.js -c', true],
    ['pytest a.py::test_b', true],
    ['pytest test_a.py', true],
    ['pytest tests', false],
    ['pytest -k name', true],
    ['npx jest -t name', true],
    ['npx mocha -g name', true],
    ['npx vitest -run', true],
    ['npx mocha --grep=name', true],
    ['npx mocha --grepped', false],
    ['pnpm --filter web test', true],
    ['npx ava --only', true],
    ['npx jest --testNamePattern=x', true],
    ['node --test --test-name-pattern x', true],
    ['npx jest --testPathPattern x', true],
    // Go and Cargo select by package, by path and by name.
    ['go test ./...', false],
    ['go test', false],
    ['go test .', false],
    ['go test -v ./...', false],
    ['go test ./pkg', true],
    ['go test -run TestA ./...', true],
    ['go test -run', true],
    ['cargo test', false],
    ['cargo test name', true],
    ['cargo test --test', true],
    ['cargo test -p', true],
    ['cargo test --package', true],
    ['cargo test --workspace', false],
    ['cargo test ./a::b', true],
  ])('of %j is %s', (line, expected) => {
    expect(isPartialRun(split(line))).toBe(expected)
  })
})
