// The interactive conversation of `zino chat`, on a terminal that script(1) provides.
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FakeOpenAi } from '../../support/fake-openai.ts'
import { delta, ending, fakeOpenAi, streaming } from '../../support/fake-openai.ts'
import { builtProgram } from '../../support/paths.ts'
import { Sandbox, until } from './sandbox.ts'

const terminal = '/usr/bin/script'

let model: FakeOpenAi
let box: Sandbox
beforeAll(async () => {
  model = await fakeOpenAi()
  box = new Sandbox({ base: model.base, over: { 'channels.asks': { approve: 'ask' } } })
  await box.up()
})
beforeEach(() => {
  model.requests.length = 0
  model.answer = ({ body }) => `echo ${body.messages.at(-1)?.content}`
})
afterAll(async () => {
  await box.remove()
  await model.close()
})

class Terminal {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  screen = ''

  constructor(...args: string[]) {
    const line = [builtProgram('zino'), 'chat', '--config', box.config, ...args].join(' ')
    const env = { ...process.env, ...box.env, TERM: 'dumb' }
    this.child = spawn(terminal, ['-qfec', line, '/dev/null'], { env, stdio: 'pipe' })
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.screen += text))
    this.ended = new Promise((resolve) => this.child.once('close', resolve))
  }

  type(keys: string): void {
    this.child.stdin?.write(keys)
  }

  shows(text: string): Promise<void> {
    return until(() => this.screen.replaceAll('\r', '').includes(text))
  }

  prompts(count: number): Promise<void> {
    return until(() => this.screen.split('> ').length > count)
  }
}

describe.runIf(existsSync(terminal))('an interactive conversation', () => {
  it('answers line by line in one channel and exits on Ctrl-D', async () => {
    const talk = new Terminal('-ch', 'mine')
    await talk.shows('channel mine')
    await talk.prompts(1)
    talk.type('first\r')
    await talk.shows('echo first\n')
    talk.type('\r')
    talk.type('second\r')
    await talk.shows('echo second\n')
    talk.type('\u0004')
    expect(await talk.ended).toBe(0)
    const { messages } = await box.ask('mem', { type: 'get_history', channel_id: 'mine' })
    expect(messages).toHaveLength(4)
  })

  it('interrupts an answer on Ctrl-C and continues with the queued line', async () => {
    model.answer = ({ body }) =>
      body.messages.at(-1)?.content === 'slow'
        ? streaming((response) => void response.write(delta('begin')))
        : streaming((response) => void response.end(delta('quick') + ending))
    const talk = new Terminal()
    await talk.prompts(1)
    talk.type('slow\r')
    await talk.shows('begin')
    talk.type('next\r')
    talk.type('\u0003')
    await talk.shows('(interrupted)')
    await talk.shows('quick\n')
    await until(() => model.requests[0]?.isAborted === true, 2000)
    talk.type('\u0003')
    expect(await talk.ended).toBe(0)
    const { messages } = await box.ask('mem', { type: 'get_history', channel_id: 'terminal' })
    expect(messages).toMatchObject([{ content: 'next' }, { content: 'quick' }])
  })

  it('shows the code of a call that waits for approval and takes the answer', async () => {
    const call = { name: 'execute_bash', arguments: { code: 'echo $((40 + 2)) is the result' } }
    model.answer = ({ body }) =>
      body.messages.at(-1)?.role === 'user'
        ? `<tool_call>${JSON.stringify(call)}</tool_call>`
        : 'the end'
    const talk = new Terminal('-ch', 'asks')
    await talk.prompts(1)
    talk.type('first\r')
    await talk.shows('echo $((40 + 2)) is the result')
    await talk.shows('Allow this call? [y/N] ')
    talk.type('y\r')
    await talk.shows('42 is the result')
    await talk.shows('the end\n')
    talk.screen = ''
    talk.type('second\r')
    await talk.shows('Allow this call? [y/N] ')
    talk.type('\r')
    await talk.shows('[approve] the user has denied this call')
    talk.type('\u0004')
    expect(await talk.ended).toBe(0)
  })

  it('clears the line on Ctrl-C and prints an error', async () => {
    model.answer = () => (response) => {
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end('{"error":{"message":"not today"}}')
    }
    const talk = new Terminal()
    await talk.prompts(1)
    talk.type('half a line')
    await talk.shows('half a line')
    talk.type('\u0003')
    talk.type('whole\r')
    await talk.shows('not today')
    expect(model.requests.map(({ body }) => body.messages.at(-1)?.content)).toEqual(['whole'])
    talk.type('\u0004')
    expect(await talk.ended).toBe(0)
  })
})
