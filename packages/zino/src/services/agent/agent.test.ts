import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { answerOf, Caller, lastOf } from '../../../test/caller.ts'
import { bashSkill, bashTool, contextIn, put } from '../../../test/config.ts'
import { serveHere, standIn } from '../../../test/host.ts'
import { tempFolder } from '../../../test/temp-folder.ts'
import { until } from '../../../test/until.ts'
import type { Handler } from '../../service/service.ts'
import type { Message } from '../../wire/wire.ts'
import { startAgent } from './agent.ts'

const call = (name: string, code: unknown) =>
  `<tool_call>\n${JSON.stringify({ name, arguments: { code } })}\n</tool_call>`
const task = (skill: string, request: string) =>
  `<task>\n${JSON.stringify({ skill, request })}\n</task>`
const block = (text: string, name = 'tool_response') => `\n<${name}>\n${text}\n</${name}>\n`
const ask = { role: 'user', content: 'go' }

interface Setup {
  /** The model's answers, in order; the last one repeats. */
  answers: string[]
  execute?: Handler
  agr?: Record<string, unknown>
}

/** Starts agr with a scripted rtr and an exc that echoes the code. */
async function startIn(folder: string, setup: Setup) {
  put(folder, 'tools/shell.json', bashTool)
  put(folder, 'skills/bash.json', bashSkill)
  const context = contextIn(folder, { agr: setup.agr ?? {} })
  const { config } = context
  const inferred: Message[] = []
  const executed: Message[] = []
  const infer: Handler = async (message, exchange) => {
    const answer = setup.answers[Math.min(inferred.length, setup.answers.length - 1)] ?? ''
    inferred.push(message)
    if (message.stream !== true) return { type: 'response', content: answer }
    for (const piece of answer.match(/[^]{1,7}/g) ?? []) {
      await exchange.send({ type: 'chunk', delta: piece })
    }
    return { type: 'done', full_text: answer }
  }
  const echo: Handler = (message) => ({
    type: 'result',
    exit_code: 0,
    stdout: `ran ${String(message.code)}`,
    stderr: '',
  })
  await standIn({ infer }, config.rtr.socket)
  await standIn(
    {
      execute: (message, exchange) => {
        executed.push(message)
        return (setup.execute ?? echo)(message, exchange)
      },
    },
    config.exc.socket,
  )
  await serveHere(startAgent(context), config.agr.socket)
  const run = (more: object = {}) =>
    answerOf(config.agr.socket, {
      type: 'run',
      messages: [ask],
      temperature: 0.3,
      top_p: 0.9,
      ...more,
    })
  return { run, config, inferred, executed }
}

const deltas = (frames: Message[]) => frames.map(({ delta }) => delta ?? '').join('')

describe('agr', () => {
  it('forwards a plain answer in both modes', async () => {
    const { run, inferred } = await startIn(tempFolder(), { answers: ['just words <b>'] })
    expect(await run()).toEqual([{ type: 'result', content: 'just words <b>', iterations: 1 }])
    const frames = await run({ stream: true })
    expect(deltas(frames)).toBe('just words <b>')
    expect(frames.at(-1)).toEqual({ type: 'done', full_text: 'just words <b>', iterations: 1 })
    expect(inferred.map(({ stream }) => stream)).toEqual([false, true])
    expect(inferred[0]).toEqual({
      type: 'infer',
      messages: [ask],
      temperature: 0.3,
      top_p: 0.9,
      stream: false,
    })
  })

  it.each([false, true])(
    'executes a call and continues from the assistant turn (stream %s)',
    async (stream) => {
      const first = `let me see ${call('execute_bash', 'uptime')} after`
      const setup = { answers: [first, 'all done'] }
      const { run, inferred, executed } = await startIn(tempFolder(), setup)
      const frames = await run({ stream })
      expect(executed).toEqual([{ type: 'execute', executor: 'bash', code: 'uptime' }])
      const turn = `let me see ${call('execute_bash', 'uptime')}${block('ran uptime')} after`
      expect(inferred[1]?.messages).toEqual([
        ask,
        {
          role: 'assistant',
          content: turn,
          own_text: first,
          results: block('ran uptime').trim(),
        },
      ])
      const last = frames.at(-1)
      expect(last?.iterations).toBe(2)
      if (!stream) expect(last?.content).toBe('all done')
      else {
        const text = `let me see ${block('ran uptime')} afterall done`
        expect(deltas(frames)).toBe(text)
        expect(last?.full_text).toBe(text)
      }
    },
  )

  it('ends an answer with more than 128 calls with an error, at once', async () => {
    const many = '<tool_call>no JSON</tool_call>'.repeat(200_000)
    const { run } = await startIn(tempFolder(), { answers: [many] })
    expect((await run()).at(-1)).toMatchObject({
      type: 'error',
      message: expect.stringContaining('more than 128 calls'),
    })
  })

  it('tells clients that ask for events which tool runs', async () => {
    const setup = { answers: [call('execute_bash', 'uptime'), 'end'] }
    const { run } = await startIn(tempFolder(), setup)
    const types = (await run({ stream: true, events: true })).map(({ type }) => type)
    expect(types.filter((type) => type !== 'chunk')).toEqual(['tool_start', 'tool_done', 'done'])
    expect((await run({ stream: true })).map(({ type }) => type)).not.toContain('tool_start')
  })

  it('adds one assistant message per iteration', async () => {
    const setup = { answers: [call('execute_bash', '1'), call('execute_bash', '2'), 'end'] }
    const { run, inferred } = await startIn(tempFolder(), setup)
    expect((await run())[0]).toMatchObject({ content: 'end', iterations: 3 })
    expect(inferred[2]?.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { role: 'assistant' },
    ])
  })

  it('executes the calls of the last iteration and ends at the limit without an error', async () => {
    const setup = { answers: [call('execute_bash', 'again')] }
    const { run, executed } = await startIn(tempFolder(), setup)
    const text = call('execute_bash', 'again') + block('ran again')
    expect(await run({ max_iterations: 2 })).toEqual([
      { type: 'result', content: text, iterations: 2 },
    ])
    expect(executed).toHaveLength(2)
    const frames = await run({ max_iterations: 1, stream: true })
    expect(frames.at(-1)).toMatchObject({ type: 'done', iterations: 1 })
    expect((await run())[0]?.iterations).toBe(5)
  })

  it('sends a result while the model stream is still open', async () => {
    const folder = tempFolder()
    put(folder, 'tools/bash.json', bashTool)
    const context = contextIn(folder)
    const { config } = context
    let finish = () => {}
    const open = new Promise<void>((resolve) => (finish = resolve))
    let round = 0
    await standIn(
      {
        infer: async (_message, exchange) => {
          round += 1
          if (round > 1) return { type: 'response', content: 'end' }
          await exchange.send({ type: 'chunk', delta: `a${call('execute_bash', 'x')}` })
          await open
          await exchange.send({ type: 'chunk', delta: 'b' })
          return { type: 'done', full_text: '' }
        },
      },
      config.rtr.socket,
    )
    await standIn(
      { execute: () => ({ type: 'result', exit_code: 0, stdout: 'out', stderr: '' }) },
      config.exc.socket,
    )
    await serveHere(startAgent(context), config.agr.socket)
    const caller = await Caller.open(config.agr.socket)
    caller.send({ type: 'run', messages: [ask], temperature: 0, top_p: 1, stream: true })
    let seen = ''
    while (!seen.includes('</tool_response>')) seen += String((await caller.next())?.delta)
    expect(seen).toBe(`a${block('out')}`)
    finish()
    const rest = await caller.answer()
    expect(deltas(rest)).toBe('bend')
  })

  it('holds text that arrives while a tool runs and keeps the order', async () => {
    const slow: Handler = async () => {
      await new Promise((resolve) => setTimeout(resolve, 100))
      return { type: 'result', exit_code: 0, stdout: 'R', stderr: '' }
    }
    const answers = [`1${call('execute_bash', 'x')}2${call('execute_bash', 'y')}3`, 'end']
    const { run } = await startIn(tempFolder(), { answers, execute: slow })
    const frames = await run({ stream: true })
    expect(deltas(frames)).toBe(`1${block('R')}2${block('R')}3end`)
  })

  it.each([
    [{ stdout: 'a', stderr: '', exit_code: 0 }, 'a'],
    [{ stdout: 'a', stderr: 'b', exit_code: 0 }, 'a\n[stderr]\nb'],
    [{ stdout: '', stderr: 'b', exit_code: 2 }, '[stderr]\nb\n[exit code: 2]'],
    [{ stdout: '', stderr: '', exit_code: -9 }, '[exit code: -9]'],
    [{ stdout: '', stderr: '', exit_code: 0 }, '(no output)'],
    [{ stdout: 'x</tool_response>y', stderr: '', exit_code: 0 }, String.raw`x<\/tool_response>y`],
  ])('formats the result %j for the model', async (result, text) => {
    const setup = {
      answers: [call('execute_bash', 'x'), 'end'],
      execute: () => ({ type: 'result', ...result }),
    }
    const { run, inferred } = await startIn(tempFolder(), setup)
    await run()
    const messages = inferred[1]?.messages as Message[]
    expect(messages[1]?.content).toBe(call('execute_bash', 'x') + block(text))
  })

  it.each([
    [call('execute_nope', 'x'), "Error: Unknown tool function 'execute_nope'"],
    [call('bash', 'x'), "Error: Unknown tool function 'bash'"],
    [call('execute___proto__', 'x'), "Error: Unknown tool function 'execute___proto__'"],
    [call('execute_bash', '  \n'), 'Error: Empty code block.'],
    ['<tool_call>{"name":"execute_bash"}</tool_call>', 'Error: Empty code block.'],
    ['<tool_call>{"name":"execute_bash","arguments":null}</tool_call>', 'Error: Empty code block.'],
    [call('execute_bash', 5), 'Malformed tool_call JSON'],
    ['<tool_call>{"name":"execute_bash","arguments":[]}</tool_call>', 'Malformed tool_call JSON'],
    ['<tool_call>{oops}</tool_call>', 'Malformed tool_call JSON: '],
    ['<tool_call>[1]</tool_call>', 'Malformed tool_call JSON: '],
    ['<tool_call></tool_call>', 'Malformed tool_call JSON: '],
    ['<tool_call>{"arguments":{"code":"x"}}</tool_call>', 'Malformed tool_call JSON: '],
    [task('nope', 'x'), "Error: Unknown skill 'nope'"],
    [task('__proto__', 'x'), "Error: Unknown skill '__proto__'"],
    [task('bash', ' '), 'Error: Empty task request.'],
    ['<task>{"skill":"bash"}</task>', 'Error: Empty task request.'],
    ['<task>{"skill":"bash","request":7}</task>', 'Malformed task JSON: '],
    ['<task>null</task>', 'Malformed task JSON: '],
    ['<task>"x"</task>', 'Malformed task JSON: '],
  ])('reports the invalid block %s to the model and continues', async (bad, text) => {
    const { run, inferred, executed } = await startIn(tempFolder(), { answers: [bad, 'end'] })
    expect(await run()).toEqual([{ type: 'result', content: 'end', iterations: 2 }])
    expect(executed).toEqual([])
    const messages = inferred[1]?.messages as Message[]
    const name = bad.startsWith('<task>') ? 'task_response' : 'tool_response'
    expect(messages[1]?.content).toContain(`${bad}\n<${name}>\n${text}`)
  })

  it('runs a task through interpreter, fabricator and execution', async () => {
    const answers = [
      `ok ${task('bash', 'count files')}`,
      'DRAFT',
      'Here you are:\n```bash\nls | wc -l\n```\nEnjoy!',
      'end',
    ]
    const { run, inferred, executed } = await startIn(tempFolder(), { answers })
    expect(await run()).toEqual([{ type: 'result', content: 'end', iterations: 2 }])
    expect(inferred[1]).toMatchObject({
      messages: [...bashSkill.interpreter, { role: 'user', content: 'count files' }],
      temperature: 0.3,
      top_p: 0.9,
      stream: false,
    })
    expect(inferred[2]?.messages).toEqual([
      ...bashSkill.fabricator,
      { role: 'user', content: 'count files [KCR] DRAFT' },
    ])
    expect(executed).toEqual([{ type: 'execute', executor: 'bash', code: 'ls | wc -l\n' }])
    const messages = inferred[3]?.messages as Message[]
    const result = block('ran ls | wc -l\n', 'task_response')
    expect(messages[1]?.content).toBe(`ok ${task('bash', 'count files')}${result}`)
  })

  it('does not parse a task inside the code of a call', async () => {
    const first = call('execute_bash', `echo '${task('bash', 'x')}'`)
    const { run, inferred } = await startIn(tempFolder(), { answers: [first, 'end'] })
    await run()
    expect(inferred).toHaveLength(2)
  })

  it.each(['unreachable', 'refusing'])('reports to the model that exc is %s', async (how) => {
    const folder = tempFolder()
    put(folder, 'tools/bash.json', bashTool)
    put(folder, 'skills/bash.json', bashSkill)
    const context = contextIn(folder)
    const answers = [call('execute_bash', 'x'), task('bash', 'y'), 'draft', 'code', 'end']
    const asked: Message[] = []
    await standIn(
      {
        infer: (message) => ({ type: 'response', content: answers[asked.push(message) - 1] }),
      },
      context.config.rtr.socket,
    )
    if (how === 'refusing') await standIn({}, context.config.exc.socket)
    await serveHere(startAgent(context), context.config.agr.socket)
    const request = { type: 'run', messages: [ask], temperature: 0, top_p: 1 }
    expect(await lastOf(context.config.agr.socket, request)).toEqual({
      type: 'result',
      content: 'end',
      iterations: 3,
    })
    const reported = asked.at(-1)?.messages as Message[]
    expect(reported[1]?.content).toContain('<tool_response>\nError: ')
    expect(reported[2]?.content).toContain('<task_response>\nSkill pipeline error: ')
  })

  it('sends the response of a router with streaming off as one chunk', async () => {
    const folder = tempFolder()
    const context = contextIn(folder)
    await standIn(
      { infer: () => ({ type: 'response', content: 'whole' }) },
      context.config.rtr.socket,
    )
    await serveHere(startAgent(context), context.config.agr.socket)
    const request = { type: 'run', messages: [ask], temperature: 0, top_p: 1, stream: true }
    expect(await answerOf(context.config.agr.socket, request)).toEqual([
      { type: 'chunk', delta: 'whole' },
      { type: 'done', full_text: 'whole', iterations: 1 },
    ])
  })

  it.each(['error', 'cut', 'down'])(
    'answers exactly one error when rtr fails (%s)',
    async (how) => {
      const context = contextIn(tempFolder())
      const rtr = context.config.rtr.socket
      if (how !== 'down') {
        const running = await standIn(
          {
            infer: async (_message, exchange) => {
              await exchange.send({ type: 'chunk', delta: 'half' })
              if (how === 'error') return { type: 'error', message: 'HTTP 500: oops' }
              setImmediate(() => void running.stop())
              await once(exchange.signal, 'abort')
              return new Promise(() => {})
            },
          },
          rtr,
        )
      }
      await serveHere(startAgent(context), context.config.agr.socket)
      const request = { type: 'run', messages: [ask], temperature: 0, top_p: 1, stream: true }
      const frames = await answerOf(context.config.agr.socket, request)
      expect(frames.at(-1)).toMatchObject({
        type: 'error',
        message: expect.stringMatching(/^Agentic runtime error: /),
      })
      if (how === 'error') expect(frames.at(-1)?.message).toContain('HTTP 500: oops')
      expect(frames.filter(({ type }) => type !== 'chunk')).toHaveLength(1)
    },
  )

  it.each([
    {},
    { messages: 'x' },
    { messages: [5] },
    { messages: [{ content: 'no role' }] },
    { messages: [], temperature: 'hot' },
    { messages: [], top_p: [] },
    { messages: [], max_iterations: 1.5 },
    { messages: [], stream: 1 },
  ])('answers %j with an error and does not call rtr', async (message) => {
    const { config, inferred } = await startIn(tempFolder(), { answers: ['x'] })
    expect(await lastOf(config.agr.socket, { type: 'run', ...message })).toMatchObject({
      type: 'error',
    })
    expect(inferred).toEqual([])
  })

  it('stops the loop, the model request and the execution when the caller disconnects', async () => {
    let stopped = 0
    const setup: Setup = {
      answers: [call('execute_bash', 'sleep')],
      execute: async (_message, { signal }) => {
        await once(signal, 'abort')
        stopped += 1
        throw signal.reason
      },
    }
    const { config, inferred, executed } = await startIn(tempFolder(), setup)
    for (const stream of [false, true]) {
      const caller = await Caller.open(config.agr.socket)
      caller.send({ type: 'run', messages: [ask], temperature: 0, top_p: 1, stream })
      const count = executed.length
      await until(() => executed.length > count)
      caller.socket.destroy()
      const before = stopped
      await until(() => stopped > before, 1000)
    }
    expect(inferred).toHaveLength(2)
  })
})
