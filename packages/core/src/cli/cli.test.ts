import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { ZeeError } from '../errors/errors.ts'
import type { Host } from '../exit/exit.ts'
import type { Call, OptionTable } from './cli.ts'
import {
  commandFor,
  everyCommand,
  findCommand,
  program,
  renderHelp,
  runCommandLine,
  wholeNumber,
} from './cli.ts'

const globals = {
  root: { flags: '--root <dir>', summary: 'working folder', default: '.', complete: 'folder' },
  noSave: { flags: '--no-save', summary: 'keep nothing' },
} as const satisfies OptionTable
const command = commandFor(globals)

let last: Call | undefined
const remember = async (call: unknown) => {
  last = call as Call
  return 7
}

const exec = command({
  name: 'exec',
  summary: 'Run one prompt',
  options: {
    prompt: { flags: '-p, --prompt <text>', summary: 'the prompt', required: true },
    retry: { flags: '--retry <n>', summary: 'tries', parse: wholeNumber(1), default: '1' },
    mode: { flags: '--mode <mode>', summary: 'how', choices: ['ci', 'discovery'] },
    tag: { flags: '--tag <tag>', summary: 'labels', repeatable: true },
    level: { flags: '--level <n>', summary: 'levels', repeatable: true, parse: wholeNumber() },
    json: { flags: '--json', summary: 'one document' },
    trial: { flags: '--trial', summary: 'not documented yet', hidden: true },
  },
  examples: [{ line: 'demo exec -p hi', note: 'says hi' }],
  run: remember,
})
const list = command({ name: 'list', summary: 'List them', run: remember })
const show = command({
  name: 'show',
  summary: 'Show one',
  arguments: [{ name: 'id', summary: 'which', required: true }],
  run: remember,
})
const tag = command({
  name: 'tag',
  summary: 'Label one',
  options: {
    label: { flags: '--label <text>', summary: 'which', repeatable: true, required: true },
  },
  run: remember,
})
const sessions = command({ name: 'sessions', summary: 'Sessions', commands: [list, show] })
const tree = program({
  name: 'demo',
  version: '1.2.3',
  summary: 'A demonstration.',
  options: globals,
  commands: [exec, sessions, tag],
  run: remember,
})

async function run(...args: string[]) {
  last = undefined
  const stdout = new PassThrough()
  const host = { env: {}, cwd: '/', stdout } as unknown as Host
  const code = await runCommandLine(tree, args, host)
  return { code, call: last as Call | undefined, stdout: String(stdout.read() ?? '') }
}

async function refusal(...args: string[]): Promise<string> {
  const error = await run(...args).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ZeeError)
  expect(last).toBeUndefined()
  expect((error as ZeeError).exitCode).toBe(2)
  expect((error as ZeeError).message).not.toContain('\n')
  return (error as ZeeError).message
}

describe('a command line', () => {
  it('passes typed values and defaults to the handler, and returns its exit code', async () => {
    const { code, call } = await run('exec', '-p', 'hi', '--tag', 'a', '--tag=b', '--level', '3')
    expect(code).toBe(7)
    expect(call?.options).toEqual({
      prompt: 'hi',
      retry: 1,
      mode: undefined,
      tag: ['a', 'b'],
      level: [3],
      json: false,
      trial: false,
    })
    expect(call?.globals).toEqual({ root: '.', noSave: false })
    expect([...(call?.explicit ?? [])].sort()).toEqual(['level', 'prompt', 'tag'])
    expect(call?.path).toEqual(['exec'])
  })

  it.each([
    [['--root', '/x', '--no-save', 'exec', '-p', 'hi']],
    [['exec', '-p', 'hi', '--root', '/x', '--no-save']],
    [['exec', '--root=/x', '-p', 'hi', '--no-save']],
  ])('accepts global options before and after the command: %j', async (args) => {
    const { call } = await run(...args)
    expect(call?.globals).toEqual({ root: '/x', noSave: true })
  })

  it('accepts values that start with a dash, are empty or contain line breaks', async () => {
    expect((await run('exec', '--prompt=-x')).call?.options).toMatchObject({ prompt: '-x' })
    expect((await run('exec', '-p', '')).call?.options).toMatchObject({ prompt: '' })
    expect((await run('exec', '-p', 'a\nb')).call?.options).toMatchObject({ prompt: 'a\nb' })
  })

  it('accepts short options in all spellings, and the last of two wins', async () => {
    expect((await run('exec', '-phi')).call?.options).toMatchObject({ prompt: 'hi' })
    expect((await run('exec', '-p', 'a', '-p', 'b')).call?.options).toMatchObject({ prompt: 'b' })
  })

  it('passes everything after -- on unchanged', async () => {
    const { call } = await run('sessions', 'show', '--', '--help')
    expect(call?.args).toEqual(['--help'])
    expect(await refusal('sessions', 'show', 'a', '--', 'b')).toMatch(/too many arguments/)
  })

  it('suggests the closest name for a typo', async () => {
    expect(await refusal('exce')).toContain("did you mean 'exec'?")
    expect(await refusal('exec', '--promt', 'x')).toContain("did you mean '--prompt'?")
    expect(await refusal('exec', '--trail')).not.toContain('did you mean')
  })

  it('runs the default action without a command', async () => {
    expect((await run()).call?.path).toEqual([])
    expect((await run('--no-save')).call?.globals).toMatchObject({ noSave: true })
  })

  it.each([
    [['frobnicate'], /unknown command 'frobnicate'/],
    [['--bogus', 'exec', '-p', 'x'], /unknown option '--bogus'/],
    [['exec', '-p', 'x', '--nope'], /unknown option '--nope'/],
    [['exec'], /--prompt/],
    [['exec', '-p'], /argument missing/],
    [['exec', '-p', 'x', 'surplus'], /too many arguments/],
    [['exec', '-p', 'x', '--retry', '0'], /--retry <n>: '0' is not a whole number of at least 1/],
    [['exec', '-p', 'x', '--mode', 'fast'], /ci, discovery/],
    [['sessions'], /list, show/],
    [['sessions', 'bogus'], /unknown command 'bogus'/],
    [['sessions', 'show'], /missing required argument 'id'/],
    [['--no-save=yes', 'exec', '-p', 'x'], /--no-save=yes/],
    [['help', 'bogus'], /^unknown command 'bogus' \(see 'demo --help'\)$/],
    [['exec', '-x'], /^unknown option '-x' \(see/],
    [['exec', '--jsom'], /^unknown option '--jsom'; did you mean '--json'\?/],
    [['tag'], /required option '--label <text>' not specified/],
    [['constructor'], /unknown command 'constructor'/],
  ])(
    'refuses %j in one line, with exit code 2, before any handler runs',
    async (args, expected) => {
      expect(await refusal(...args)).toMatch(expected)
    },
  )

  it('prints help for the flag at any position', async () => {
    const { stdout, code, call } = await run('exec', '-p', 'x', '--help')
    expect({ code, call }).toEqual({ code: 0, call: undefined })
    expect(stdout).toBe(renderHelp(findCommand(tree, ['exec'])))
    expect((await run('help', 'sessions', 'show')).stdout).toContain('Usage: demo sessions show')
    expect((await run('--version')).stdout).toBe('demo 1.2.3\n')
  })

  it('shows usage, options with defaults and choices, globals and examples in help', () => {
    const help = renderHelp(findCommand(tree, ['exec']))
    for (const part of [
      'Usage: demo exec [options]',
      '-p, --prompt <text>',
      '(required)',
      '(default: 1)',
      '(ci, discovery)',
      'Global options:',
      '--no-save',
      'demo exec -p hi',
    ]) {
      expect(help).toContain(part)
    }
    expect(Math.max(...help.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
  })

  it('lists every visible command of the tree', () => {
    expect([...everyCommand(tree)].map(({ path }) => path.join(' '))).toEqual([
      '',
      'exec',
      'sessions',
      'sessions list',
      'sessions show',
      'tag',
      'completion',
    ])
  })
})
