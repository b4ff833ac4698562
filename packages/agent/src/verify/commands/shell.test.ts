import { describe, expect, it } from 'vitest'
import { programWords, type SimpleCommand, splitShell } from './shell.ts'

type Row = readonly [words: string[], operator: SimpleCommand['operator'], writes?: string[]]

describe('splitShell', () => {
  it.each<[line: string, rows: readonly Row[]]>([
    ['', []],
    ['npm test', [[['npm', 'test'], '']]],
    // Operators.
    [
      'a && b || c; d | e & f',
      [
        [['a'], '&&'],
        [['b'], '||'],
        [['c'], ';'],
        [['d'], '|'],
        [['e'], '&'],
        [['f'], ''],
      ],
    ],
    [
      'case x;; b |& c',
      [
        [['case', 'x'], ';'],
        [['b'], '|'],
        [['c'], ''],
      ],
    ],
    [
      'a\nb\n',
      [
        [['a'], ';'],
        [['b'], ';'],
      ],
    ],
    ['a \\\n  b', [[['a', 'b'], '']]],
    ['a &', [[['a'], '&']]],
    ['; ; && ', []],
    // Redirections.
    ['a > out', [[['a'], '', ['out']]]],
    ['a >> out b', [[['a', 'b'], '', ['out']]]],
    ['a 1> out', [[['a'], '', ['out']]]],
    ['a 2> err', [[['a'], '']]],
    ['a < in', [[['a'], '']]],
    ['a 2>&1', [[['a'], '']]],
    ['a >&2 b', [[['a', 'b'], '']]],
    ['a &> all', [[['a'], '', ['all']]]],
    ['a &>> all', [[['a'], '', ['all']]]],
    ['a > /dev/null b', [[['a', 'b'], '']]],
    ['> only', [[[], '', ['only']]]],
    [
      'a > one; b > two',
      [
        [['a'], ';', ['one']],
        [['b'], '', ['two']],
      ],
    ],
    // Quotes, escapes and substitutions.
    [`echo "a b" 'c "d"'`, [[['echo', 'a b', 'c "d"'], '']]],
    [`echo a\\ b x"y z"w`, [[['echo', 'a b', 'xy zw'], '']]],
    ['echo ""', [[['echo', ''], '']]],
    ['echo "a && b"', [[['echo', 'a && b'], '']]],
    [
      '(cd a; b)',
      [
        [['cd', 'a'], ';'],
        [['b'], ''],
      ],
    ],
    // Comments and here-documents.
    ['a # b; c', [[['a'], '']]],
    ['# a\nb', [[['b'], '']]],
    [
      "cat > a.sh <<'EOF' | tee b\nnpm test; x\nEOF\nls",
      [
        [['cat'], '|', ['a.sh']],
        [['tee', 'b'], ';'],
        [['ls'], ''],
      ],
    ],
    ['cat <<-E\n\tx && y\n\tE', [[['cat'], '']]],
  ])('splits %j', (line, rows) => {
    expect(splitShell(line)).toEqual(
      rows.map(([words, operator, writes = []]) => ({ words, writes, operator })),
    )
  })
})

const launchers = [
  ...['npx', 'bunx', 'sudo', 'env', 'time', 'nice', 'exec', 'command', 'nohup', 'stdbuf'],
  ...['timeout', 'xvfb-run', 'cross-env', 'dotenv', 'uv', 'poetry', 'pipenv', 'hatch', 'pdm'],
  ...['bundle', 'corepack', 'rtk', 'script'],
]

describe('programWords', () => {
  it.each(launchers)('leaves out the launcher %s', (launcher) => {
    expect(programWords([launcher, 'make', 'all'])).toEqual(['make', 'all'])
  })

  it.each([
    ...['exec', 'run', 'dlx', '--', 'x', '-y', '--yes', '--no-install', '-s'],
    ...['-n', '60', '10s', '5m', '2h', 'A=1', 'B='],
  ])('leaves out %j after a launcher', (word) => {
    expect(programWords(['npx', word, 'make', 'all'])).toEqual(['make', 'all'])
  })

  it.each<[words: string[], program: string[]]>([
    [[], []],
    [['A=1'], []],
    [['npx'], []],
    [['A=1', 'B=2', 'make'], ['make']],
    [
      ['make', 'A=1'],
      ['make', 'A=1'],
    ],
    [['sudo', 'env', 'A=1', 'npx', 'tsc'], ['tsc']],
    [
      ['./node_modules/.bin/tsc', 'a/b'],
      ['tsc', 'a/b'],
    ],
    [['bin/'], ['bin/']],
    // A path is no launcher, and an option with a value is none of its words.
    [
      ['/usr/bin/npx', 'tsc'],
      ['npx', 'tsc'],
    ],
    [
      ['npx', '--package', 'tsc'],
      ['--package', 'tsc'],
    ],
    [
      ['python3', '-m', 'pytest', '-q'],
      ['pytest', '-q'],
    ],
    [
      ['python', 'a.py', '-m'],
      ['python', 'a.py', '-m'],
    ],
    [
      ['ruby', '-m', 'a'],
      ['ruby', '-m', 'a'],
    ],
    // Scripts of the package.
    [
      ['yarn', 'test'],
      ['yarn', 'test'],
    ],
    [
      ['pnpm', 'run', 'build'],
      ['pnpm', 'run', 'build'],
    ],
    [['yarn'], ['yarn']],
    [['yarn', 'exec', 'tsc'], ['tsc']],
    [['pnpm', 'exec', 'tsc'], ['tsc']],
    [['pnpm', 'dlx', 'cowsay'], ['cowsay']],
    [['yarn', 'dlx', 'cowsay'], ['cowsay']],
    [['yarn', 'vitest'], ['vitest']],
    [['pnpm', 'jest'], ['jest']],
    [
      ['yarn', 'eslint', '.'],
      ['eslint', '.'],
    ],
    [['pnpm', 'tsc'], ['tsc']],
    [
      ['npm', 'exec', 'tsc'],
      ['npm', 'exec', 'tsc'],
    ],
  ])('finds the program of %j', (words, program) => {
    expect(programWords(words)).toEqual(program)
  })
})
