// Whole messages for wrong command lines, and the values of right ones.
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { ZeeError } from '../errors/errors.ts'
import type { Host } from '../exit/exit.ts'
import {
  commandFor,
  findCommand,
  program,
  renderHelp,
  runCommandLine,
  wholeNumber,
  type Call,
  type OptionTable,
} from './cli.ts'
import { flagNames, takesValue } from './tree.ts'

const globals = {
  root: { flags: '--root <dir>', summary: 'folder', default: '.' },
  quiet: { flags: '-q, --quiet', summary: 'less' },
} as const satisfies OptionTable
const command = commandFor(globals)
let last: Call | undefined
const remember = async (call: unknown) => {
  last = call as Call
  return 0
}

const go = command({
  name: 'go',
  summary: 'Go',
  options: {
    name: { flags: '-n, --name <text>', summary: 'name' },
    once: { flags: '--once <text>', summary: 'one', single: true },
    level: { flags: '--level <n>', summary: 'level', parse: wholeNumber(1, 3), default: '2' },
    mode: { flags: '--mode <mode>', summary: 'mode', choices: ['a', 'b'], repeatable: true },
    need: { flags: '--need <x>', summary: 'need', default: 'd', required: true },
    fail: {
      flags: '--wrong <x>',
      summary: 'fails',
      parse: (text: string) => {
        throw text === 'plain' ? 'thrown text' : new Error('an error')
      },
    },
    verbose: { flags: '-v', summary: 'more' },
    json: { flags: '-j, --json', summary: 'json' },
    trial: { flags: '--trial', summary: 'hidden', hidden: true },
  },
  arguments: [
    { name: 'kind', summary: 'which', required: true, choices: ['x', 'y'] },
    { name: 'other', summary: 'what' },
  ],
  run: remember,
})
const all = command({
  name: 'all',
  summary: 'All',
  arguments: [
    { name: 'first', summary: 'one' },
    { name: 'rest', summary: 'more', variadic: true, choices: ['p', 'q'] },
  ],
  run: remember,
})
const need = command({
  name: 'need',
  summary: 'Need',
  options: { label: { flags: '--label <text>', summary: 'label', required: true } },
  arguments: [{ name: 'rest', summary: 'more', variadic: true, required: true }],
  run: remember,
})
const ask = command({
  name: 'ask',
  summary: 'Ask',
  arguments: [
    { name: 'prompt', summary: 'text', choices: ['now'] },
    { name: 'second', summary: 'more' },
  ],
  commands: [
    command({ name: 'list', summary: 'List', run: remember }),
    command({ name: 'ghost', summary: 'Hidden', hidden: true, run: remember }),
  ],
  run: remember,
})
const group = command({
  name: 'group',
  summary: 'Group',
  commands: [
    command({ name: 'inner', summary: 'Inner', run: remember }),
    { ...go, name: 'secret', hidden: true },
  ],
})
const tree = program({
  name: 'demo',
  version: '9',
  summary: 'Demo.',
  options: globals,
  commands: [go, all, need, ask, group],
})

async function run(...args: string[]) {
  last = undefined
  const stdout = new PassThrough()
  const host = { env: {}, cwd: '/', stdout } as unknown as Host
  const code = await runCommandLine(tree, args, host)
  const { options, globals: own, args: positional, path, explicit } = last ?? ({} as Call)
  const call = { options, globals: own, args: positional, path, explicit: [...(explicit ?? [])] }
  return { code, call, stdout: String(stdout.read() ?? '') }
}

async function refusal(...args: string[]): Promise<string> {
  const error: unknown = await run(...args).catch((thrown: unknown) => thrown)
  if (!(error instanceof ZeeError)) throw new Error(`accepted ${args.join(' ')}`)
  expect([error.code, error.exitCode, last]).toEqual(['usage', 2, undefined])
  return error.message
}

describe('a wrong command line', () => {
  it.each<[string[], string]>([
    [['og'], "unknown command 'og'; did you mean 'go'? (see 'demo --help')"],
    [['frobnicate'], "unknown command 'frobnicate' (see 'demo --help')"],
    [['versionx'], "unknown command 'versionx' (see 'demo --help')"],
    [['version', 'x'], "unknown command 'version' (see 'demo --help')"],
    [['--version', 'x'], "unknown option '--version' (see 'demo --help')"],
    [['go', '--version'], "unknown option '--version' (see 'demo go --help')"],
    [['help', 'og'], "unknown command 'og'; did you mean 'go'? (see 'demo --help')"],
    [['help', 'go', 'x'], "unknown command 'x' (see 'demo --help')"],
    [['go', '--nam', 'x'], "unknown option '--nam'; did you mean '--name'? (see 'demo go --help')"],
    [['go', '--qiet'], "unknown option '--qiet'; did you mean '--quiet'? (see 'demo go --help')"],
    [['go', '--trail'], "unknown option '--trail' (see 'demo go --help')"],
    [['go', '-x'], "unknown option '-x' (see 'demo go --help')"],
    [['go', '-vx'], "unknown option '-x' (see 'demo go --help')"],
    [
      ['go', '--json=1', 'x'],
      "unknown option '--json=1'; did you mean '--json'? (see 'demo go --help')",
    ],
    [['go', '--nope=1', 'x'], "unknown option '--nope=1' (see 'demo go --help')"],
    [['go', '-n'], "option '-n, --name <text>' argument missing (see 'demo go --help')"],
    [['go', 'x', '--level'], "option '--level <n>' argument missing (see 'demo go --help')"],
    [['go'], "missing required argument 'kind' (see 'demo go --help')"],
    [['go', 'z'], "'kind' cannot be 'z' (x, y) (see 'demo go --help')"],
    [['go', 'x', 'a', 'b'], "too many arguments: expected 2 but got 3 (see 'demo go --help')"],
    [
      ['go', 'x', '--mode', 'c'],
      "option '--mode <mode>' cannot be 'c' (a, b) (see 'demo go --help')",
    ],
    [
      ['go', 'x', '--level', '4'],
      "--level <n>: '4' is not a whole number from 1 to 3 (see 'demo go --help')",
    ],
    [['go', 'x', '--wrong', 'plain'], "--wrong <x>: thrown text (see 'demo go --help')"],
    [['go', 'x', '--wrong', 'error'], "--wrong <x>: an error (see 'demo go --help')"],
    [
      ['go', 'x', '--once', 'a', '--once=b'],
      "option '--once <text>' may be given only once (see 'demo go --help')",
    ],
    [['all', 'x', 'p', 'r'], "'rest' cannot be 'r' (p, q) (see 'demo all --help')"],
    [['need', 'x'], "required option '--label <text>' not specified (see 'demo need --help')"],
    [['need', '--label', 'x'], "missing required argument 'rest' (see 'demo need --help')"],
    [['group'], "needs one of: inner (see 'demo group --help')"],
    [[], "needs one of: go, all, need, ask, group, completion (see 'demo --help')"],
    [['group', 'iner'], "unknown command 'iner'; did you mean 'inner'? (see 'demo group --help')"],
    [
      ['ask', 'zzz'],
      "unknown command 'zzz'; did you mean 'list'? (a prompt needs a space in it, or -- before it) (see 'demo ask --help')",
    ],
    [['ask', 'a b'], "'prompt' cannot be 'a b' (now) (see 'demo ask --help')"],
    [['ask', 'now', 'c', 'd'], "too many arguments: expected 2 but got 3 (see 'demo ask --help')"],
  ])('%j is refused', async (args, message) => {
    expect(await refusal(...args)).toBe(message)
  })

  it('keeps an error of the handler as it is', async () => {
    const failing = program({
      name: 'demo',
      version: '1',
      summary: 'Demo.',
      run: () => Promise.reject(new ZeeError('eio', 'broken', { exitCode: 2 })),
    })
    const running = runCommandLine(failing, [], {} as Host)
    await expect(running).rejects.toMatchObject({ code: 'eio', message: 'broken' })
  })
})

const defaults = {
  name: undefined,
  once: undefined,
  level: 2,
  mode: [],
  need: 'd',
  fail: undefined,
  verbose: false,
  json: false,
  trial: false,
}

describe('a command line', () => {
  it.each<[string[], object, string[], string[]]>([
    [['x'], {}, ['x'], []],
    [['x', '-n', 'a'], { name: 'a' }, ['x'], ['name']],
    [['-na', 'x'], { name: 'a' }, ['x'], ['name']],
    [['x', '--name=a=b'], { name: 'a=b' }, ['x'], ['name']],
    [['x', '--name='], { name: '' }, ['x'], ['name']],
    [['x', '--name', '--json'], { name: '--json' }, ['x'], ['name']],
    [['x', '-vj'], { verbose: true, json: true }, ['x'], ['verbose', 'json']],
    [['x', '-vna'], { verbose: true, name: 'a' }, ['x'], ['name', 'verbose']],
    [['x', '--trial'], { trial: true }, ['x'], ['trial']],
    [['x', '--once', 'a'], { once: 'a' }, ['x'], ['once']],
    [
      ['x', '--mode', 'a', '--mode', 'b', '--mode', 'a'],
      { mode: ['a', 'b', 'a'] },
      ['x'],
      ['mode'],
    ],
    [['x', '--level', '3', '--level', '1'], { level: 1 }, ['x'], ['level']],
    [['x', '-'], {}, ['x', '-'], []],
    [['--', 'x', '--json'], {}, ['x', '--json'], []],
    [['y', '--need', 'e'], { need: 'e' }, ['y'], ['need']],
  ])('%j has its values', async (args, options, positional, explicit) => {
    expect(await run('go', ...args)).toEqual({
      code: 0,
      stdout: '',
      call: {
        options: { ...defaults, ...options },
        globals: { root: '.', quiet: false },
        args: positional,
        path: ['go'],
        explicit,
      },
    })
  })

  it.each<[string[], string[], string[]]>([
    [['all'], ['all'], []],
    [['all', 'a'], ['all'], ['a']],
    [['all', 'a', 'p', 'q', 'p'], ['all'], ['a', 'p', 'q', 'p']],
    [['ask'], ['ask'], []],
    [['ask', 'now'], ['ask'], ['now']],
    [['ask', 'list'], ['ask', 'list'], []],
    [['ask', 'ghost'], ['ask', 'ghost'], []],
    [['ask', 'now', 'list'], ['ask'], ['now', 'list']],
    [['ask', '--', 'now', 'list'], ['ask'], ['now', 'list']],
    [['group', 'inner'], ['group', 'inner'], []],
  ])('%j runs %j with %j', async (args, path, positional) => {
    const { call } = await run(...args)
    expect([call.path, call.args]).toEqual([path, positional])
  })

  it.each<[string[], string[]]>([
    [['help'], []],
    [['--help'], []],
    [['-h'], []],
    [
      ['help', 'ask', 'list'],
      ['ask', 'list'],
    ],
    [
      ['ask', 'list', '-h'],
      ['ask', 'list'],
    ],
    [['go', '--name', 'x', '--help', '--nope'], ['go']],
  ])('%j prints help', async (args, path) => {
    expect(await run(...args)).toMatchObject({
      code: 0,
      stdout: renderHelp(findCommand(tree, path)),
      call: { path: undefined },
    })
  })

  it.each(['--version', 'version'])('%s prints the version', async (word) => {
    expect(await run(word)).toMatchObject({
      code: 0,
      stdout: 'demo 9\n',
      call: { path: undefined },
    })
  })

  it('completion prints the script', async () => {
    const { code, stdout } = await run('completion', 'bash')
    expect([code, stdout.split('\n')[0]]).toEqual([0, '# bash completion for demo'])
  })
})

it('the completion command explains itself', () => {
  const { name, summary, arguments: words, examples } = findCommand(tree, ['completion'])[1] ?? tree
  expect({ name, summary, words, examples }).toEqual({
    name: 'completion',
    summary: 'Print a completion script for a shell',
    words: [
      { name: 'shell', summary: 'the shell', required: true, choices: ['bash', 'zsh', 'fish'] },
    ],
    examples: [
      {
        line: 'demo completion bash > ~/.local/share/bash-completion/completions/demo',
        note: 'complete commands and flags in new bash shells',
      },
      {
        line: 'demo completion fish > ~/.config/fish/completions/demo.fish',
        note: 'the same for fish',
      },
    ],
  })
})

it('a command that is not in the tree is not found', () => {
  expect(() => findCommand(tree, ['go', 'x'])).toThrow(
    expect.objectContaining({ code: 'usage', message: "unknown command 'x'" }),
  )
  expect(findCommand(tree, ['ask', 'list']).map(({ name }) => name)).toEqual([
    'demo',
    'ask',
    'list',
  ])
})

describe('a whole number', () => {
  it.each<[number | undefined, number | undefined, string, number | string]>([
    [undefined, undefined, '0', 0],
    [undefined, undefined, '007', 7],
    [undefined, undefined, '9'.repeat(15), 999_999_999_999_999],
    [undefined, undefined, '1'.repeat(16), 'of at least 0'],
    [undefined, undefined, '-1', 'of at least 0'],
    [undefined, undefined, '1.0', 'of at least 0'],
    [undefined, undefined, '', 'of at least 0'],
    [2, undefined, '2', 2],
    [2, undefined, '1', 'of at least 2'],
    [2, 4, '4', 4],
    [2, 4, '5', 'from 2 to 4'],
    [2, 4, '1', 'from 2 to 4'],
  ])('from %s to %s: %j is %s', (min, max, text, expected) => {
    const parse = wholeNumber(min, max)
    if (typeof expected === 'number') return expect(parse(text)).toBe(expected)
    const message = `'${text}' is not a whole number ${expected}`
    return expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'usage', message }))
  })
})

it.each([
  ['-p, --prompt <text>', ['-p', '--prompt'], true],
  ['--json', ['--json'], false],
  ['-a -b', ['-a', '-b'], false],
  ['--x <-y>', ['--x'], true],
])('the option %j has the names %j', (flags, names, value) => {
  expect(flagNames({ flags, summary: '' })).toEqual(names)
  expect(takesValue({ flags, summary: '' })).toBe(value)
})
