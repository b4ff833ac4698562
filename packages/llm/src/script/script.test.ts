import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { say } from '../../test/messages.ts'
import { createModel } from '../models/models.ts'
import type { Message, Model, ModelEvent, Part } from '../request/request.ts'
import type { RetryWait } from '../retry/retry.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'zee-script-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(...steps: unknown[]): string {
  const file = path.join(folder, 'play.jsonl')
  writeFileSync(file, steps.map((step) => `${JSON.stringify(step)}\n`).join(''))
  return file
}

const call = (id: string): Part => ({ type: 'tool_call', id, name: 'read', input: {} })
const result = (id: string, value: unknown): Part => ({
  type: 'tool_result',
  id,
  content: typeof value === 'string' ? value : JSON.stringify(value),
  isError: false,
})

interface Session {
  /** Sends a user message (or tool results) and adds the answer to the history, as zdx does. */
  turn(...parts: (string | Part)[]): Promise<Turn>
  history: Message[]
  slept: number[]
  waits: RetryWait[]
}

interface Turn {
  events: ModelEvent[]
  text: string
  inputs: unknown[]
  error: unknown
}

/** A new model on an existing history, as after a restart of the process. */
function session(file: string, history: Message[] = [], system?: string): Session {
  const slept: number[] = []
  const waits: RetryWait[] = []
  const model = createModel({
    provider: 'script',
    environment: {},
    sleep: async (ms) => void slept.push(ms),
    onRetry: (wait) => void waits.push(wait),
  })
  const turn = async (...parts: (string | Part)[]): Promise<Turn> => {
    history.push(say('user', ...parts))
    const told = await listen(model, file, history, system)
    const calls = told.events.flatMap((event): Part[] =>
      event.type === 'tool_call_end' && 'input' in event
        ? [{ type: 'tool_call', id: event.id, name: event.name, input: event.input }]
        : [],
    )
    const said: (string | Part)[] = [...(told.text === '' ? [] : [told.text]), ...calls]
    if (told.error === undefined && said.length > 0) history.push(say('assistant', ...said))
    return told
  }
  return { turn, history, slept, waits }
}

async function listen(
  model: Model,
  file: string,
  messages: Message[],
  system?: string,
): Promise<Turn> {
  const told: Turn = { events: [], text: '', inputs: [], error: undefined }
  const request = { model: file, messages, system }
  try {
    for await (const event of model.stream(request)) {
      told.events.push(event)
      if (event.type === 'text') told.text += event.text
      if (event.type === 'tool_call_end')
        told.inputs.push('input' in event ? event.input : event.invalid)
    }
  } catch (error) {
    told.error = error
  }
  return told
}

describe('a screenplay', () => {
  it('plays one response per request, with its delays, usage and stop reasons', async () => {
    const file = write(
      { thinking: 'Hm. ' },
      { thinking: 'Right.' },
      { text: 'Hel', delay_ms: 20 },
      { text: 'lo' },
      { usage: { input_tokens: 10, output_tokens: 2, cached_input_tokens: 4 } },
      { end: true },
      { text: 'Cut short' },
      { end: true, stop: 'max_tokens' },
    )
    const { turn, slept } = session(file)
    expect((await turn('Hi')).events).toEqual([
      { type: 'thinking', text: 'Hm. ' },
      { type: 'thinking', text: 'Right.' },
      { type: 'thinking_end', part: { type: 'thinking', text: 'Hm. Right.', provider: 'script' } },
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo' },
      { type: 'usage', usage: { inputTokens: 10, outputTokens: 2, cachedInputTokens: 4 } },
      { type: 'stop', reason: 'end' },
    ])
    expect(slept).toEqual([20])
    expect((await turn('More')).events.at(-1)).toEqual({ type: 'stop', reason: 'max_tokens' })
  })

  it('calls tools, several at once, with unique ids', async () => {
    const file = write(
      { tool: 'read', input: { path: 'a' } },
      { tool: 'read', input: { path: 'b' } },
      { tool: 'bash', args: '{"command":' },
      { tool: 'bash', input: {} },
    )
    const { turn } = session(file)
    const first = await turn('Hi')
    expect(first.events).toMatchObject([
      { type: 'tool_call_start', id: 'script_1_1', name: 'read' },
      { type: 'tool_call_args', id: 'script_1_1', json: '{"path":"a"}' },
      { type: 'tool_call_end', id: 'script_1_1', name: 'read', input: { path: 'a' } },
      { type: 'tool_call_start', id: 'script_1_2' },
      { type: 'tool_call_args' },
      { type: 'tool_call_end', input: { path: 'b' } },
      { type: 'tool_call_start', id: 'script_1_3' },
      { type: 'tool_call_args', json: '{"command":' },
      { type: 'tool_call_end', invalid: { raw: '{"command":' } },
      { type: 'tool_call_start', id: 'script_1_4' },
      { type: 'tool_call_args' },
      { type: 'tool_call_end', input: {} },
      { type: 'stop', reason: 'tool_use' },
    ])
  })

  it('fails without a retry when no response is left', async () => {
    const { turn, waits } = session(write({ text: 'x' }))
    await turn('a')
    expect((await turn('b')).error).toMatchObject({
      kind: 'internal',
      code: 'script_over',
      message: `The screenplay ${path.join(folder, 'play.jsonl')} is over: it has no response left after 1 in this session (add steps to it, or start a new session)`,
    })
    expect(waits).toEqual([])
  })

  it('is an error with file and line while it cannot be read or parsed', async () => {
    const file = path.join(folder, 'play.jsonl')
    const { turn } = session(file)
    expect((await turn('a')).error).toMatchObject({
      message: `cannot read screenplay ${file}: no such file or folder`,
    })
    writeFileSync(file, '{"text":"x"}\n{"txet":"x"}\n')
    expect((await turn('a')).error).toMatchObject({
      kind: 'internal',
      message: expect.stringMatching(/play\.jsonl:2: a step needs one of/) as string,
    })
    write({ text: 'fine' })
    expect((await turn('a')).text).toBe('fine')
  })

  it('needs no key', () => {
    expect(() => createModel({ provider: 'script', environment: {} }).check()).not.toThrow()
  })

  it('can be aborted during a delay', async () => {
    const file = write({ text: 'x', delay_ms: 3_600_000 })
    const model = createModel({ provider: 'script', environment: {} })
    const stop = new AbortController()
    const reason = new Error('enough')
    const asked = model.stream({ model: file, messages: [say('user', 'a')] }, stop.signal)
    const next = asked[Symbol.asyncIterator]().next()
    setTimeout(() => stop.abort(reason), 30)
    await expect(next).rejects.toBe(reason)
  })
})

describe('the position in a screenplay', () => {
  const steps = [
    { tool: 'read', input: {} },
    { text: 'one' },
    { end: true },
    { error: { status: 503, message: 'down' } },
    { text: 'two' },
    { end: true },
    { text: 'three' },
  ]

  it('follows from the history, so that another process continues the session', async () => {
    const file = write(...steps)
    const { history, turn } = session(file)
    await turn('go')
    expect((await session(file, history).turn(result('script_1_1', { ok: true }))).text).toBe('one')
    expect((await session(file, history).turn('next')).text).toBe('two')
    expect((await session(file, history).turn('next')).text).toBe('three')
  })

  it('repeats a response if its turn is not in the history', async () => {
    const file = write(...steps)
    const first = await session(file, [say('user', 'a')]).turn('b')
    const again = await session(file, [say('user', 'a')]).turn('b')
    expect(again.events).toEqual(first.events)
  })

  it('skips empty responses that this process has played', async () => {
    const { turn } = session(write({ end: true }, { text: 'x' }))
    expect((await turn('a')).events).toEqual([{ type: 'stop', reason: 'end' }])
    expect((await turn('b')).text).toBe('x')
  })

  it('follows the choices that the user’s earlier texts made', async () => {
    const file = write(
      {
        when: '\\bred\\b',
        steps: [{ tool: 'paint', input: { colour: 'red' } }, { text: 'Red it is.' }],
      },
      { when: 'blue|green', steps: [{ text: 'Cold.' }] },
      { text: 'Anything else?' },
    )
    const { turn, history } = session(file)
    expect((await turn('RED, please')).inputs).toEqual([{ colour: 'red' }])
    expect((await turn(result('script_1_1', 'done'))).text).toBe('Red it is.')
    expect((await session(file, history).turn('blue')).text).toBe('Anything else?')
    expect((await session(file).turn('green')).text).toBe('Cold.')
    expect((await session(file).turn('black')).text).toBe('Anything else?')
  })
})

describe('failures in a screenplay', () => {
  it('go through the retry policy', async () => {
    const file = write(
      { error: { status: 429, message: 'slow down', retry_after: 0 } },
      { error: { status: 529, message: 'Overloaded' } },
      { text: 'at last' },
    )
    const { turn, waits } = session(file)
    expect((await turn('a')).text).toBe('at last')
    expect(waits).toMatchObject([
      { attempt: 1, delayMs: 0, error: { message: 'HTTP 429: slow down', status: 429 } },
      { attempt: 2, error: { message: 'HTTP 529: Overloaded' } },
    ])
  })

  it('fail the turn after 3 attempts, and the next turn continues after them', async () => {
    const down = { error: { status: 500, message: 'down' } }
    const { turn } = session(write(down, down, down, { text: 'up again' }))
    expect((await turn('a')).error).toMatchObject({
      kind: 'http_status',
      message: 'HTTP 500: down',
    })
    expect((await turn('b')).text).toBe('up again')
  })

  it('that are not transient are not retried', async () => {
    const { turn, waits } = session(
      write({ error: { status: 401, message: 'who?' } }, { text: 'x' }),
    )
    expect((await turn('a')).error).toMatchObject({ message: 'HTTP 401: who?' })
    expect(waits).toEqual([])
  })

  it('may interrupt an answer, as an error event or as a lost connection', async () => {
    const file = write(
      { text: 'Part' },
      { error: { type: 'overloaded_error', message: 'Overloaded' } },
      { text: 'Half' },
      { cut: true },
      { cut: true },
      { text: 'whole' },
    )
    const { turn } = session(file)
    const event = await turn('a')
    expect(event.text).toBe('Part')
    expect(event.error).toMatchObject({
      kind: 'api_error',
      message: 'overloaded_error: Overloaded',
    })
    const cut = await turn('b')
    expect(cut.text).toBe('Half')
    expect(cut.error).toMatchObject({
      kind: 'internal',
      message: 'Stream error: the connection was lost, as scripted',
    })
    expect((await turn('c')).text).toBe('whole')
  })

  it('keep the position if the text before a cut was stored as a turn', async () => {
    const file = write(
      { text: 'Half of it' },
      { cut: true },
      { text: 'whole' },
      { end: true },
      { text: 'more' },
    )
    const kept = [say('user', 'a'), say('assistant', 'Half of')]
    expect((await session(file, [...kept]).turn('b')).text).toBe('whole')
    const notKept = [say('user', 'a'), say('assistant', 'whole')]
    expect((await session(file, [...notKept]).turn('b')).text).toBe('more')
  })
})

describe('quotes', () => {
  const quote = async (text: string, ...history: Message[]): Promise<Turn> => {
    const steps = history
      .filter(({ role }) => role === 'assistant')
      .flatMap(() => [{ text: '.' }, { end: true }])
    const file = write(...steps, { text })
    return session(file, [say('user', 'first'), ...history], 'SYSTEM v1.2').turn('second words')
  }
  const envelope = {
    ok: true,
    data: { stdout: 'out\n', path: '/x', bytes: 7, list: [{ a: 'deep' }] },
  }
  const used = [say('assistant', call('1')), say('user', result('1', envelope))]

  it.each([
    ['You said "{{user}}".', 'You said "second words".'],
    ['{{last_tool.stdout}}|{{last_tool.data.path}}|{{last_tool.ok}}', 'out\n|/x|true'],
    ['{{last_tool.data.list.0.a}} {{last_tool.data.list}}', 'deep [{"a":"deep"}]'],
    ['{{last_tool}}', JSON.stringify(envelope)],
    ['{{find:/v(\\d+)\\.\\d/}} {{find:/FIRST/i}} {{find:/\\/x/}}', '1 first /x'],
    ['{{ user }} {{other}} {{last_toolbox}}', '{{ user }} {{other}} {{last_toolbox}}'],
  ])('%s is replaced', async (text, wanted) => {
    expect((await quote(text, ...used)).text).toBe(wanted)
  })

  it('without a match are errors with file and line', async () => {
    const message = (text: string): object => ({
      kind: 'internal',
      message: expect.stringContaining(
        `play.jsonl:3: ${text} matches nothing in the request`,
      ) as string,
    })
    expect((await quote('{{last_tool.stderr}}', ...used)).error).toMatchObject(
      message('{{last_tool.stderr}}'),
    )
    expect((await quote('{{find:/nowhere/}}', ...used)).error).toMatchObject(
      message('{{find:/nowhere/}}'),
    )
  })

  it('in inputs keep the type of the value if they stand alone', async () => {
    const input = {
      path: '{{last_tool.data.path}}/y',
      n: '{{last_tool.data.bytes}}',
      deep: [{ u: '{{user}}' }],
    }
    const file = write({ text: '.' }, { end: true }, { tool: 'read', input })
    const { inputs } = await session(file, [say('user', 'a'), ...used]).turn('b')
    expect(inputs).toEqual([{ path: '/x/y', n: 7, deep: [{ u: 'b' }] }])
  })
})

it('each kind of step may have its own delay, and an empty text is no event', async () => {
  const file = write(
    { thinking: 'a', delay_ms: 1 },
    { text: '', delay_ms: 2 },
    { tool: 'read', input: {}, delay_ms: 3 },
    { tool: 'read', args: '{"x":1}', delay_ms: 4 },
    { error: { message: 'no' }, delay_ms: 5 },
    { cut: true, delay_ms: 6 },
  )
  const { turn, slept } = session(file)
  const first = await turn('a')
  expect(first.events.map(({ type }) => type)).toEqual([
    'thinking',
    'thinking_end',
    ...['tool_call_start', 'tool_call_args', 'tool_call_end'],
    ...['tool_call_start', 'tool_call_args', 'tool_call_end'],
  ])
  expect(first.inputs).toEqual([{}, { x: 1 }])
  await turn('b')
  expect(slept.slice(0, 6)).toEqual([1, 2, 3, 4, 5, 6])
})
