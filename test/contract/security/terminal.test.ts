// Text from a model, a file name, a tool or a memory cannot steer the terminal it is shown on.
import { mkdirSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Ran } from '../../support/run-program.ts'
import { hostile, steering, Terminal } from './terminal.ts'

const terminal = new Terminal()
afterAll(() => terminal.remove())

function expectHarmless(ran: Ran, words = 'owned'): void {
  expect(ran.stdout + ran.stderr).toContain(words)
  expect(steering(ran.stdout)).toEqual([])
  expect(steering(ran.stderr)).toEqual([])
}

const play = (...steps: object[]): string => {
  const file = terminal.at('play.jsonl')
  writeFileSync(file, steps.map((step) => JSON.stringify(step)).join('\n'))
  return file
}

describe('zdx', () => {
  const name = `x${hostile.replaceAll('/', '')}.txt`
  const steps = [
    { text: `answer ${hostile}\n` },
    { tool: 'bash', input: { command: `printf '%s' '${hostile}'; printf '%s' '${hostile}' >&2` } },
    { tool: 'write', input: { path: name, content: `${hostile}\n` } },
    { end: true },
    { tool: 'edit', input: { path: name, old: 'owned', new: `new ${hostile}` } },
    { tool: hostile, input: { [hostile]: hostile } },
    { end: true },
    { text: 'done' },
    { end: true },
  ]

  it.each([
    ['colour', {}],
    ['NO_COLOR', { NO_COLOR: '1' }],
    ['a dumb terminal', { TERM: 'dumb' }],
  ])('shows answers, commands, file names and changes harmlessly with %s', async (_how, env) => {
    const args = ['--provider', 'script', '--model', play(...steps), 'exec', '-p', `p ${hostile}`]
    const ran = await terminal.run('zdx', args, { env })
    expect(ran.code).toBe(0)
    expectHarmless(ran)
  })

  it('writes events harmlessly', async () => {
    const model = play(...steps)
    const args = ['--provider', 'script', '--model', model, '--format', 'json', 'exec', '-p', 'x']
    expectHarmless(await terminal.run('zdx', args))
  })

  it('hands a session on harmlessly', async () => {
    expectHarmless(await terminal.run('zdx', ['handoff', '--goal', 'go on']))
  })

  it('names the files that it took instructions from harmlessly', async () => {
    const project = terminal.at(`p${hostile.replaceAll('/', '')}`)
    mkdirSync(project)
    writeFileSync(`${project}/AGENTS.md`, 'Be kind.')
    const args = ['--provider', 'script', '--model', play({ text: 'hi' }), 'exec', '-p', 'x']
    expectHarmless(await terminal.run('zdx', args, { cwd: project }), 'AGENTS.md')
  })

  it('shows errors of a provider harmlessly', async () => {
    const model = play({ error: { status: 400, message: `no ${hostile}` } })
    const args = ['--provider', 'script', '--model', model, 'exec', '-p', 'x']
    expectHarmless(await terminal.run('zdx', args))
  })

  it.each([['list'], ['show'], ['search', 'owned'], ['diff'], ['export']])(
    'shows sessions harmlessly: %s',
    async (command, ...rest) => {
      const listed = await terminal.run('zdx', ['sessions', 'list'])
      const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(listed.stdout.split('\n').at(-2) ?? '')?.[0] ?? ''
      const target = ['show', 'diff', 'export'].includes(command) ? [id] : rest
      expectHarmless(await terminal.run('zdx', ['sessions', command, ...target]))
    },
  )
})

describe('zino', () => {
  const config = terminal.at('zino/ZINO.toml')
  beforeAll(async () => {
    const model = terminal.at('zino-play.jsonl')
    writeFileSync(model, JSON.stringify({ text: `answer ${hostile}` }))
    await terminal.run('zino', ['init', 'zino', '--script', model, '--sockets', 'zino/run'])
    const up = await terminal.run('zino', ['up', '--detach', '--config', config])
    expect(up.code, up.stderr).toBe(0)
  })
  afterAll(() => terminal.run('zino', ['stop', '--config', config]))

  it.each([[[]], [['--stream']]])('shows an answer harmlessly with %j', async (flags) => {
    const args = ['chat', ...flags, '--channel', 'c', '--config', config, 'hello']
    expectHarmless(await terminal.run('zino', args))
  })

  it('shows memories harmlessly', async () => {
    await terminal.run('zino', ['memory', 'add', '--config', config, `note ${hostile}`])
    await terminal.run('zino', ['memory', 'soft', '--config', config, `be ${hostile}`])
    for (const words of [['search', 'note'], ['history', 'c'], ['soft'], ['soft', '--json']]) {
      expectHarmless(await terminal.run('zino', ['memory', ...words, '--config', config]))
    }
  })
})

describe('zeno', () => {
  beforeAll(() => {
    mkdirSync(terminal.at('corpus'))
    writeFileSync(terminal.at('corpus', `x${hostile}.txt`), `line ${hostile}\n`)
  })

  it('answers harmlessly', async () => {
    for (const args of ['{"glob":"**"}', '{"pattern":"line"}']) {
      const op = args.includes('pattern') ? 'grep' : 'list_files'
      const words = ['send', '--root', 'corpus', '--op', op, '--args', args]
      expectHarmless(await terminal.run('zeno', [...words, '--log', terminal.at('trace.jsonl')]))
      expectHarmless(await terminal.run('zeno', [...words, '--pretty']))
    }
    expectHarmless(await terminal.run('zeno', ['tail', '--log', 'trace.jsonl']), 'list_files')
  })

  it('plans harmlessly', async () => {
    for (const format of ['jsonl', 'json', 'text']) {
      const words = ['plan', '--mode', 'pr-review', '--changed', hostile, '--format', format]
      expectHarmless(await terminal.run('zeno', words))
    }
  })

  it('tells findings harmlessly', async () => {
    const row = { evidence_id: hostile, kind: 'read', path: hostile, lines: [1, 1], why: hostile }
    writeFileSync(terminal.at('evidence.jsonl'), `${JSON.stringify(row)}\n`)
    const verify = ['verify', '--root', 'corpus', '--evidence', 'evidence.jsonl']
    expectHarmless(await terminal.run('zeno', verify))
    expectHarmless(await terminal.run('zeno', ['serve', '--root', hostile]))
  })
})

describe('zcl', () => {
  let env: Record<string, string> = {}
  let at = ''
  beforeAll(async () => {
    await terminal.run('zcl', ['init'])
    const attempt = ['attempt', 'start', '--suite', 's', '--mission', 'm', '--json']
    const started = await terminal.run('zcl', attempt)
    env = (JSON.parse(started.stdout) as { env: Record<string, string> }).env
    at = env.ZCL_OUT_DIR ?? ''
    await terminal.run('zcl', ['run', '--', 'false', hostile], { env })
    await terminal.run('zcl', ['run', '--', hostile], { env })
    await terminal.run('zcl', ['feedback', '--fail', '--result', hostile], { env })
  })

  it('shows evidence harmlessly', async () => {
    for (const words of [['report'], ['show'], ['attempt', 'explain'], ['replay']]) {
      for (const form of [[], ['--json']]) {
        expectHarmless(await terminal.run('zcl', [...words, at, ...form]))
      }
    }
    expectHarmless(await terminal.run('zcl', ['report', hostile]))
  })

  it.each(['otlp-json', 'atif', 'csv', 'jsonl'])('exports %s harmlessly', async (format) => {
    expectHarmless(await terminal.run('zcl', ['export', '--format', format, at]))
  })

  it('prints the envelope of a command harmlessly', async () => {
    const print = ['node', '-e', 'process.stdout.write(process.argv[1])', hostile]
    const words = ['run', '--envelope', '--json', '--', ...print]
    expectHarmless(await terminal.run('zcl', words, { env }))
  })

  it('shows what a runner prints harmlessly', async () => {
    const suite = { suiteId: 's', missions: [{ missionId: 'm', prompt: 'x' }] }
    writeFileSync(terminal.at('suite.json'), JSON.stringify(suite))
    const runner = ['node', '-e', 'process.stdout.write(process.argv[1])', hostile]
    const words = ['suite', 'run', '--file', 'suite.json', '--', ...runner]
    expectHarmless(await terminal.run('zcl', words))
  })
})

it.each(['zdx', 'zeno', 'zino', 'zcl'] as const)('%s refuses harmlessly', async (name) => {
  for (const args of [[hostile], [`--${hostile}`], ['help', hostile]]) {
    const ran = await terminal.run(name, args)
    expect(ran.code).toBe(2)
    expect(steering(ran.stdout + ran.stderr)).toEqual([])
  }
})
