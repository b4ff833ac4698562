// Whole help texts, and where their lines break.
import { describe, expect, it } from 'vitest'
import {
  commandFor,
  findCommand,
  internalGroup,
  program,
  renderHelp,
  renderVersion,
  type ArgumentSpec,
  type OptionTable,
} from './cli.ts'
import { prerenderTexts } from './prerender.ts'

const globals = {
  root: { flags: '--root <dir>', summary: 'working folder', default: '.' },
  quiet: { flags: '-q, --quiet', summary: 'print less' },
  ghost: { flags: '--ghost', summary: 'hidden', hidden: true },
} as const satisfies OptionTable
const command = commandFor(globals)
const copy = command({
  name: 'copy',
  summary: 'Copy a file',
  description: 'Copies a file.\n\nIt replaces the target.',
  options: {
    from: { flags: '--from <file>', summary: 'source', required: true },
    mode: {
      flags: '-m, --mode <mode>',
      summary: 'how',
      choices: ['fast', 'safe'],
      default: 'safe',
    },
    tag: { flags: '--tag <tag>', summary: 'labels', repeatable: true },
    empty: { flags: '--empty <text>', summary: 'nothing', default: '' },
    quiet: { flags: '--quiet', summary: 'say nothing' },
    trial: { flags: '--trial', summary: 'hidden', hidden: true },
  },
  arguments: [
    { name: 'target', summary: 'where', required: true },
    { name: 'kind', summary: 'which', choices: ['a', 'b'] },
    { name: 'more', summary: 'others', variadic: true },
  ],
  examples: [
    { line: 'demo copy --from x y', note: 'copies x' },
    { line: 'demo copy z', note: 'fails' },
  ],
})
const last = command({
  name: 'last',
  summary: 'Last',
  arguments: [{ name: 'all', summary: 'every', required: true, variadic: true }],
})
const group = command({
  name: 'group',
  summary: 'Several',
  commands: [last, command({ name: 'ghost', summary: 'Hidden', hidden: true })],
})
const runs = command({
  ...group,
  name: 'runs',
  options: {},
  arguments: [],
  examples: [],
  run: async () => 0,
})
const tree = program({
  name: 'demo',
  version: '1.2.3',
  summary: 'A demonstration.',
  options: globals,
  commands: [copy, group, runs],
})

const help = (...path: string[]) => renderHelp(findCommand(tree, path))

describe('the help', () => {
  it('of a program', () => {
    expect(help()).toBe(`Usage: demo [options] <command>

A demonstration.

Commands:
  copy <target> [kind] [more...]  Copy a file
  group                           Several
  runs                            Several
  completion <shell>              Print a completion script for a shell

Options:
  --root <dir>  working folder (default: .)
  -q, --quiet   print less
  --version     print the version
  -h, --help    print this text
`)
  })

  it('of a command with everything', () => {
    expect(help('copy')).toBe(`Usage: demo copy [options] <target> [kind] [more...]

Copies a file.

It replaces the target.

Arguments:
  <target>   where
  [kind]     which (a, b)
  [more...]  others

Options:
  --from <file>      source (required)
  -m, --mode <mode>  how (fast, safe) (default: safe)
  --tag <tag>        labels (repeatable)
  --empty <text>     nothing
  --quiet            say nothing
  -h, --help         print this text

Global options:
  --root <dir>  working folder (default: .)

Examples:
  demo copy --from x y
      copies x
  demo copy z
      fails
`)
  })

  it('of a group, of one that runs itself, and of a command below it', () => {
    const rest = `Several

Commands:
  last <all...>  Last

Options:
  -h, --help  print this text

Global options:
  --root <dir>  working folder (default: .)
  -q, --quiet   print less
`
    expect(help('group')).toBe(`Usage: demo group [options] <command>\n\n${rest}`)
    expect(help('runs')).toBe(`Usage: demo runs [options] [command]\n\n${rest}`)
    expect(help('group', 'last')).toBe(`Usage: demo group last [options] <all...>

Last

Arguments:
  <all...>  every

Options:
  -h, --help  print this text

Global options:
  --root <dir>  working folder (default: .)
  -q, --quiet   print less
`)
  })

  it('of nothing is empty', () => {
    expect(renderHelp([])).toBe('')
  })
})

it('a program is rendered at build time with every visible command', () => {
  const text = prerenderTexts(tree)
  expect(text.endsWith('}\n')).toBe(true)
  expect(text.split('\n')[1]).toBe(' "version": "demo 1.2.3\\n",')
  expect(JSON.parse(text)).toEqual({
    version: renderVersion(tree),
    help: {
      '': help(),
      copy: help('copy'),
      group: help('group'),
      'group last': help('group', 'last'),
      runs: help('runs'),
      'runs last': help('runs', 'last'),
      completion: help('completion'),
    },
  })
})

describe('the help of many commands', () => {
  function many(count: number, groups: Record<string, readonly string[]>): string {
    const commands = Array.from({ length: count }, (_, at) =>
      command({ name: `c${at}`, summary: `Do ${at}`, hidden: at === 0 }),
    )
    const root = program({ name: 'demo', version: '1', summary: 'Demo.', commands, groups })
    return renderHelp([root]).split('\n\n').slice(2, -1).join('\n\n')
  }
  const rows = (...numbers: number[]) =>
    numbers.map((at) => `  c${at}`.padEnd(22) + `Do ${at}`).join('\n')
  const completion = '  completion <shell>  Print a completion script for a shell'

  it('is one list up to 12, without the hidden ones', () => {
    const groups = { First: ['c2'] }
    expect(many(12, groups)).toBe(
      `Commands:\n${rows(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)}\n${completion}`,
    )
    expect(many(13, groups)).toBe(
      `First:\n${rows(2)}\n\nOther commands:\n${rows(1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)}\n${completion}`,
    )
  })

  it('has the internal ones last, and the rest under its own name', () => {
    expect(many(13, { [internalGroup]: ['c2', 'none', 'c1'] })).toBe(
      `Commands:\n${rows(3, 4, 5, 6, 7, 8, 9, 10, 11, 12)}\n${completion}\n\n` +
        `Internal commands:\n${rows(2, 1)}`,
    )
    const all = Array.from({ length: 12 }, (_, at) => `c${at + 1}`)
    expect(many(13, { Most: [...all, 'completion'], Empty: [] })).toBe(
      `Most:\n${rows(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)}\n${completion}`,
    )
  })
})

describe('a line of help', () => {
  const helpWith = (input: {
    summary?: string
    usage?: string
    line?: string
    options?: OptionTable
    arguments?: readonly ArgumentSpec[]
  }) => {
    const { line, ...more } = input
    const examples = line === undefined ? [] : [{ line, note: 'n' }]
    const go = commandFor({})({ name: 'go', summary: 'Go.', examples, ...more })
    return renderHelp([
      program({ name: 'demo', version: '1', summary: 'Demo.', commands: [go] }),
      go,
    ])
  }
  const section = (text: string, title: string) =>
    text.split('\n\n').find((each) => each.startsWith(title))
  const a = (count: number) => 'a'.repeat(count)

  it.each([
    [`${a(77)} bb`, `${a(77)} bb`],
    [`${a(77)} bbb`, `${a(77)}\nbbb`],
    [`${a(80)} b`, `${a(80)}\nb`],
    [`${a(81)} b`, `${a(81)}\nb`],
    [`x\n\n${a(79)} b c`, `x\n\n${a(79)}\nb c`],
  ])('of %j breaks at 80 columns', (summary, expected) => {
    const text = helpWith({ summary })
    expect(text.slice(0, text.indexOf('\n\nOptions'))).toBe(
      `Usage: demo go [options]\n\n${expected}`,
    )
  })

  it.each([
    [10, `  --${a(10)}  s\n  -h, --help    print this text\n`],
    [28, `  --${a(28)}  s\n  -h, --help${' '.repeat(22)}print this text\n`],
    [29, `  --${a(29)}\n${' '.repeat(34)}s\n  -h, --help${' '.repeat(22)}print this text\n`],
  ])('with a name of %i letters has its summary in a column up to 34', (length, lines) => {
    const options = { one: { flags: `--${a(length)}`, summary: 's' } }
    expect(section(helpWith({ options }), 'Options')).toBe(`Options:\n${lines}`)
  })

  it('wraps a long summary under its column', () => {
    const words = Array.from({ length: 13 }, () => 'word').join(' ')
    const options = { one: { flags: '--one', summary: `${words} wo end of it` } }
    expect(section(helpWith({ options }), 'Options')).toBe(
      `Options:\n  --one       ${words}\n${' '.repeat(14)}wo end of it\n  -h, --help  print this text\n`,
    )
  })

  it.each([
    ['-- command...', 'Usage: demo go -- command...'],
    [`[${a(40)}] [${a(26)}]`, `Usage: demo go [${a(40)}]\n       [${a(26)}]`],
    [`[${a(40)}] [${a(20)}]`, `Usage: demo go [${a(40)}] [${a(20)}]`],
    [`(a [b c] d) [${a(60)}]`, `Usage: demo go (a [b c] d)\n       [${a(60)}]`],
    [`(${a(30)} ${a(20)}) (${a(10)} b)`, `Usage: demo go (${a(30)} ${a(20)})\n       (${a(10)} b)`],
  ])('of the usage %j keeps groups together', (usage, expected) => {
    expect(section(helpWith({ usage }), 'Usage')).toBe(expected)
  })

  it.each([
    [`demo ${a(73)}`, `  demo ${a(73)}`],
    [`demo ${a(74)}`, `  demo ${a(74)}`],
    [`demo ${a(60)} --one two --three`, `  demo ${a(60)} --one two \\\n    --three`],
    [`demo ${a(60)} --one two--three x`, `  demo ${a(60)} \\\n    --one two--three x`],
    [`demo ${a(60)} | one two three four`, `  demo ${a(60)} \\\n    | one two three four`],
    [`demo --${a(90)}`, `  demo \\\n    --${a(90)}`],
    [`d --${a(90)}`, `  d --${a(90)}`],
    [`de --${a(90)}`, `  de --${a(90)}`],
    [`dem --${a(90)}`, `  dem \\\n    --${a(90)}`],
    [`demo --a ${a(60)} --b ${a(60)} | c`, `  demo --a ${a(60)} \\\n    --b ${a(60)} | c`],
    [`demo ${a(69)} --x yyyyy`, `  demo ${a(69)} \\\n    --x yyyyy`],
    [`demo ${a(70)} --x yyyyy`, `  demo ${a(70)} \\\n    --x yyyyy`],
    [`demo ${a(71)} --x yyyyy`, `  demo ${a(71)} \\\n    --x yyyyy`],
    [`demo ${a(72)} --x yyyyy`, `  demo ${a(72)} --x yyyyy`],
  ])('of the example %j', (line, expected) => {
    expect(section(helpWith({ line }), 'Examples')).toBe(`Examples:\n${expected}\n      n\n`)
  })
})
