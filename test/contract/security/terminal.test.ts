// Text from a model, a file name, a tool or a memory cannot control the terminal that shows it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Ran } from '../../support/run-program.ts'
import { controlSequencesIn, hostile, Terminal } from './terminal.ts'

const terminal = new Terminal()
afterAll(() => terminal.remove())

function expectHarmless(ran: Ran, words = 'owned'): void {
  expect(ran.stdout + ran.stderr).toContain(words)
  expect(controlSequencesIn(ran.stdout)).toEqual([])
  expect(controlSequencesIn(ran.stderr)).toEqual([])
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
  ])(
    'removes control sequences from answers, commands, file names and diffs with %s',
    async (_how, env) => {
      const args = ['--provider', 'script', '--model', play(...steps), 'exec', '-p', `p ${hostile}`]
      const ran = await terminal.run('zdx', args, { env })
      expect(ran.code).toBe(0)
      expectHarmless(ran)
    },
  )

  it('removes control sequences from events', async () => {
    const model = play(...steps)
    const args = ['--provider', 'script', '--model', model, '--format', 'json', 'exec', '-p', 'x']
    expectHarmless(await terminal.run('zdx', args))
  })

  it('removes control sequences from a handoff', async () => {
    expectHarmless(await terminal.run('zdx', ['handoff', '--goal', 'go on']))
  })

  it('removes control sequences from the paths of instruction files', async () => {
    const project = terminal.at(`p${hostile.replaceAll('/', '')}`)
    mkdirSync(project)
    writeFileSync(`${project}/AGENTS.md`, 'Be kind.')
    const args = ['--provider', 'script', '--model', play({ text: 'hi' }), 'exec', '-p', 'x']
    expectHarmless(await terminal.run('zdx', args, { cwd: project }), 'AGENTS.md')
  })

  it('removes control sequences from the errors of a provider', async () => {
    const model = play({ error: { status: 400, message: `no ${hostile}` } })
    const args = ['--provider', 'script', '--model', model, 'exec', '-p', 'x']
    expectHarmless(await terminal.run('zdx', args))
  })

  it.each([['list'], ['show'], ['search', 'owned'], ['diff'], ['export']])(
    'removes control sequences from sessions %s',
    async (command, ...rest) => {
      const listed = await terminal.run('zdx', ['sessions', 'list', '--format', 'json'])
      const [id = ''] = [...listed.stdout.matchAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g)].at(-1) ?? []
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

  it.each([[[]], [['--stream']]])(
    'removes control sequences from an answer with %j',
    async (flags) => {
      const args = ['chat', ...flags, '--channel', 'c', '--config', config, 'hello']
      expectHarmless(await terminal.run('zino', args))
    },
  )

  it('removes control sequences from memories', async () => {
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

  it('removes control sequences from answers', async () => {
    for (const args of ['{"glob":"**"}', '{"pattern":"line"}']) {
      const op = args.includes('pattern') ? 'grep' : 'list_files'
      const words = ['send', '--root', 'corpus', '--op', op, '--args', args]
      expectHarmless(await terminal.run('zeno', [...words, '--log', terminal.at('trace.jsonl')]))
      expectHarmless(await terminal.run('zeno', [...words, '--pretty']))
    }
    expectHarmless(await terminal.run('zeno', ['tail', '--log', 'trace.jsonl']), 'list_files')
  })

  it('removes control sequences from plans', async () => {
    for (const format of ['jsonl', 'json', 'text']) {
      const words = ['plan', '--mode', 'pr-review', '--changed', hostile, '--format', format]
      expectHarmless(await terminal.run('zeno', words))
    }
  })

  it('removes control sequences from the findings of verify and from errors', async () => {
    const row = { evidence_id: hostile, kind: 'read', path: hostile, lines: [1, 1], why: hostile }
    writeFileSync(terminal.at('evidence.jsonl'), `${JSON.stringify(row)}\n`)
    const verify = ['verify', '--root', 'corpus', '--evidence', 'evidence.jsonl']
    expectHarmless(await terminal.run('zeno', verify))
    expectHarmless(await terminal.run('zeno', ['serve', '--root', hostile]))
  })
})

describe('zcl', () => {
  let env: Record<string, string> = {}
  let attempt = ''
  beforeAll(async () => {
    await terminal.run('zcl', ['init'])
    const start = ['attempt', 'start', '--suite', 's', '--mission', 'm', '--json']
    const started = await terminal.run('zcl', start)
    env = (JSON.parse(started.stdout) as { env: Record<string, string> }).env
    attempt = env.ZCL_OUT_DIR ?? ''
    await terminal.run('zcl', ['run', '--', 'false', hostile], { env })
    await terminal.run('zcl', ['run', '--', hostile], { env })
    await terminal.run('zcl', ['feedback', '--fail', '--result', hostile], { env })
  })

  it('removes control sequences from evidence', async () => {
    for (const words of [['report'], ['show'], ['attempt', 'explain'], ['replay']]) {
      for (const form of [[], ['--json']]) {
        expectHarmless(await terminal.run('zcl', [...words, attempt, ...form]))
      }
    }
    expectHarmless(await terminal.run('zcl', ['report', hostile]))
  })

  it('removes control sequences from the tags of an outcome', async () => {
    const file = `${attempt}/feedback.json`
    const feedback = JSON.parse(readFileSync(file, 'utf8')) as object
    writeFileSync(file, JSON.stringify({ ...feedback, decisionTags: [hostile] }))
    for (const words of [['show'], ['report'], ['attempt', 'explain'], ['attempt', 'finish']]) {
      expectHarmless(await terminal.run('zcl', [...words, attempt]))
    }
  })

  it.each(['otlp-json', 'atif', 'csv', 'jsonl'])(
    'removes control sequences from an export as %s',
    async (format) => {
      expectHarmless(await terminal.run('zcl', ['export', '--format', format, attempt]))
    },
  )

  it('removes control sequences from the envelope of a command', async () => {
    const print = ['node', '-e', 'process.stdout.write(process.argv[1])', hostile]
    const words = ['run', '--envelope', '--json', '--', ...print]
    expectHarmless(await terminal.run('zcl', words, { env }))
  })

  it('removes control sequences from the output of a runner', async () => {
    const suite = { suiteId: 's', missions: [{ missionId: 'm', prompt: 'x' }] }
    writeFileSync(terminal.at('suite.json'), JSON.stringify(suite))
    const runner = ['node', '-e', 'process.stdout.write(process.argv[1])', hostile]
    const words = ['suite', 'run', '--file', 'suite.json', '--', ...runner]
    expectHarmless(await terminal.run('zcl', words))
  })
})

it.each(['zdx', 'zeno', 'zino', 'zcl'] as const)(
  '%s removes control sequences from usage errors',
  async (name) => {
    for (const args of [[hostile], [`--${hostile}`], ['help', hostile]]) {
      const ran = await terminal.run(name, args)
      expect(ran.code).toBe(2)
      expect(controlSequencesIn(ran.stdout + ran.stderr)).toEqual([])
    }
  },
)
