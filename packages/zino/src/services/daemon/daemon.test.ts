import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { acquireLock } from '@zee/core/lock'
import { describe, expect, it } from 'vitest'
import { answerOf, Caller } from '../../../test/caller.ts'
import { contextIn } from '../../../test/config.ts'
import { serveHere, standIn } from '../../../test/host.ts'
import { tempFolder } from '../../../test/temp-folder.ts'
import { until } from '../../../test/until.ts'
import type { ZinoConfig } from '../../config/config.ts'
import { hasReceipt, receiptsFile } from '../../receipts/receipts.ts'
import type { Exchange, Handler } from '../../service/service.ts'
import { turnFileOf, turnsFolder } from '../../turns/turns.ts'
import type { Message } from '../../wire/wire.ts'
import { startDaemon } from './daemon.ts'
import { TurnRecord } from './turn-record.ts'

async function startIn(folder: string) {
  const context = contextIn(folder, {
    agent: { temperature: 0.25, top_p: 0.5 },
    agr: { max_iterations: 4 },
  })
  await serveHere(await startDaemon(context), context.config.daemon.socket)
  const ask = (message: object) => answerOf(context.config.daemon.socket, message)
  return { ask, config: context.config }
}

/** daemon writes receipts in the background, and the folder is removed after the test. */
function untilReceipted(config: ZinoConfig, turns: readonly string[]): Promise<void> {
  return until(() => turns.every((turn) => hasReceipt(receiptsFile(config), turn)))
}

function recorder(reply: Handler): { seen: Message[]; handler: Handler } {
  const seen: Message[] = []
  return {
    seen,
    handler: (message, exchange) => {
      seen.push(message)
      return reply(message, exchange)
    },
  }
}

const talk: Handler = async ({ stream }, exchange) => {
  if (stream !== true) return { type: 'result', content: 'one two', iterations: 1 }
  await exchange.send({ type: 'chunk', delta: 'one ' })
  await exchange.send({ type: 'chunk', delta: 'two' })
  return { type: 'done', full_text: 'one two', iterations: 1 }
}

describe('daemon', () => {
  it('gives the answer of a turn that ended before a crash once its receipt is written', async () => {
    const folder = tempFolder()
    const { config } = contextIn(folder)
    mkdirSync(turnsFolder(config), { recursive: true })
    const record = new TurnRecord(turnsFolder(config), 'turn-1')
    const ts = '2026-01-02T03:04:05.000Z'
    record.add({ kind: 'begin', turn: 'turn-1', channel: '', message: 'hi', ts })
    record.add({ kind: 'answer', text: 'done', transcript: 'done', ts })
    record.close()
    const { ask } = await startIn(folder)
    expect(await ask({ resume: 'turn-1' })).toMatchObject([{ content: 'done' }])
    expect(hasReceipt(receiptsFile(config), 'turn-1')).toBe(true)
  })

  it('stores the turns of an earlier process in the order in which they ended', async () => {
    const folder = tempFolder()
    const { config } = contextIn(folder)
    mkdirSync(turnsFolder(config), { recursive: true })
    const at = (second: number) => `2026-01-02T03:04:0${second}.000Z`
    const ends = {
      'turn-10': { kind: 'answer', text: 'x', transcript: 'x', ts: at(5) },
      'turn-8': undefined,
      'turn-9': { kind: 'failed', reason: 'no model', ts: at(4) },
      'turn-91': { kind: 'answer', text: 'x', transcript: 'x', ts: at(3) },
    } as const
    for (const [turn, end] of Object.entries(ends)) {
      const record = new TurnRecord(turnsFolder(config), turn)
      record.add({ kind: 'begin', turn, channel: 'c', message: 'hi', ts: at(1) })
      record.add(end ?? { kind: 'left' })
      record.close()
    }
    const append = recorder(() => ({ type: 'ok' }))
    await standIn({ append_history: append.handler }, config.mem.socket)
    await startIn(folder)
    await until(() => append.seen.length === 4, 5000)
    const order = append.seen.map(({ turn }) => turn)
    expect(order).toEqual(['turn-91', 'turn-9', 'turn-10', 'turn-8'])
    await untilReceipted(config, ['turn-91', 'turn-9', 'turn-10'])
    // No client came back for it within a day.
    await until(() => !existsSync(turnFileOf(turnsFolder(config), 'turn-8')))
    expect(append.seen.length).toBe(4)
  })

  it('finishes a cancel that a crash interrupted, and stores nothing of the turn', async () => {
    const folder = tempFolder()
    const { config } = contextIn(folder)
    const turns = turnsFolder(config)
    mkdirSync(turns, { recursive: true })
    const ts = '2026-01-02T03:04:05.000Z'
    for (const turn of ['turn-1', 'turn-2']) {
      const record = new TurnRecord(turns, turn)
      record.add({ kind: 'begin', turn, channel: 'c', message: turn, ts })
      const cancelled = turn === 'turn-1' ? (true as const) : undefined
      record.add({ kind: 'failed', reason: 'why', ts, cancelled })
      record.close()
    }
    const append = recorder(() => ({ type: 'ok' }))
    await standIn({ append_history: append.handler }, config.mem.socket)
    const cancel = recorder(() => ({ type: 'ok' }))
    await standIn({ cancel: cancel.handler }, config.exc.socket)
    await startIn(folder)
    await until(() => !existsSync(turnFileOf(turns, 'turn-1')) && append.seen.length > 0)
    await untilReceipted(config, ['turn-1', 'turn-2'])
    expect(cancel.seen).toMatchObject([{ turn: 'turn-1' }])
    expect(append.seen).toMatchObject([{ turn: 'turn-2' }])
    expect(readFileSync(receiptsFile(config), 'utf8')).toMatch(
      /"turn":"turn-1".*"state":"cancelled"/,
    )
  })

  it('removes the record of a cancelled turn that no client follows', async () => {
    const folder = tempFolder()
    const { config } = contextIn(folder)
    const turns = turnsFolder(config)
    mkdirSync(turns, { recursive: true })
    const record = new TurnRecord(turns, 'turn-1')
    record.add({
      kind: 'begin',
      turn: 'turn-1',
      channel: '',
      message: 'hi',
      ts: '2026-01-02T03:04:05.000Z',
    })
    record.close()
    const run = recorder(
      (_, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('left'))),
        ),
    )
    await standIn({ run: run.handler }, config.agr.socket)
    const { ask } = await startIn(folder)
    await until(() => run.seen.length === 1)
    expect(await ask({ type: 'cancel', turn: 'turn-1' })).toMatchObject([{ type: 'ok' }])
    await until(() => !existsSync(turnFileOf(turns, 'turn-1')))
  })

  it('gives an answer to a second client once its receipt is written', async () => {
    const folder = tempFolder()
    const { config } = contextIn(folder)
    const receipts = receiptsFile(config)
    mkdirSync(path.dirname(receipts), { recursive: true })
    const lock = await acquireLock(`${receipts}.lock`)
    const { ask } = await startIn(folder)
    await standIn({ run: talk }, config.agr.socket)
    const first = await Caller.open(config.daemon.socket)
    first.send({ message: 'hi', turn: 'turn-1', stream: true })
    for (const delta of ['one ', 'two']) expect(await first.next()).toMatchObject({ delta })
    const state = async () => (await ask({ type: 'turns' }))[0]?.turns
    await until(async () => JSON.stringify(await state()) === '[]', 5000)
    let isReceipted = false
    const second = ask({ resume: 'turn-1', stream: true }).then((frames) => ({
      frames,
      isReceipted,
    }))
    // The daemon answers these after the second client's request.
    await state()
    await state()
    isReceipted = true
    await lock.release()
    const { frames, isReceipted: wasReceipted } = await second
    expect(frames.at(-1)).toMatchObject({ type: 'done', full_text: 'one two' })
    expect(wasReceipted).toBe(true)
    expect(hasReceipt(receipts, 'turn-1')).toBe(true)
  })

  it('puts the history of a client between the context and the message', async () => {
    const { ask, config } = await startIn(tempFolder())
    const run = recorder(talk)
    await standIn({ run: run.handler }, config.agr.socket)
    const history = [{ role: 'assistant', content: 'earlier' }]
    await ask({ message: 'now', history })
    expect(run.seen[0]?.messages).toEqual([...history, { role: 'user', content: 'now' }])
    for (const wrong of ['x', [5], [{ role: 'user' }], [{ role: 'user', content: 5 }]]) {
      expect(await ask({ message: 'now', history: wrong })).toMatchObject([{ type: 'error' }])
    }
    expect(run.seen).toHaveLength(1)
  })

  it('sends the system prompt, the context and the trimmed message to agr', async () => {
    const { ask, config } = await startIn(tempFolder())
    const run = recorder(talk)
    const build = recorder(() => ({
      type: 'context',
      messages: [{ role: 'user', content: 'before' }],
    }))
    await standIn({ run: run.handler }, config.agr.socket)
    await standIn({ get: () => ({ type: 'system_prompt', content: 'SYS' }) }, config.sys.socket)
    await standIn({ build: build.handler }, config.ctx.socket)
    expect(await ask({ message: '  hi \n', channel_id: 'c' })).toMatchObject([
      { type: 'response', content: 'one two' },
    ])
    expect(build.seen).toMatchObject([{ type: 'build', channel_id: 'c', user_message: 'hi' }])
    expect(run.seen).toMatchObject([
      {
        type: 'run',
        messages: [
          { role: 'system', content: 'SYS' },
          { role: 'user', content: 'before' },
          { role: 'user', content: 'hi' },
        ],
        temperature: 0.25,
        top_p: 0.5,
        stream: false,
        max_iterations: 4,
      },
    ])
  })

  it('streams chunks and ends with done, including iterations', async () => {
    const { ask, config } = await startIn(tempFolder())
    await standIn({ run: talk }, config.agr.socket)
    const frames = await ask({ message: 'hi', stream: true })
    const text = frames.slice(0, -1).map(({ delta }) => delta)
    expect(text.join('')).toBe('one two')
    expect(frames.at(-1)).toMatchObject({ type: 'done', full_text: 'one two', iterations: 1 })
  })

  it.each([{ message: '' }, { message: ' \t\n' }, { message: 5 }, { message: null }, {}])(
    'answers %j with "Empty message." and calls no other service',
    async (message) => {
      const { ask, config } = await startIn(tempFolder())
      const run = recorder(talk)
      await standIn({ run: run.handler }, config.agr.socket)
      expect(await ask(message)).toEqual([{ type: 'error', message: 'Empty message.' }])
      expect(run.seen).toEqual([])
    },
  )

  it.each([{ message: 'x', channel_id: 5 }, { message: 'x', stream: 'yes' }, { type: 'nope' }])(
    'answers %j with an error',
    async (message) => {
      const { ask } = await startIn(tempFolder())
      expect(await ask(message)).toMatchObject([{ type: 'error' }])
    },
  )

  it('stores the exchange before the last frame, and only with a channel', async () => {
    const { ask, config } = await startIn(tempFolder())
    await standIn({ run: talk }, config.agr.socket)
    const append = recorder(async () => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      return { type: 'ok' }
    })
    await standIn({ append_history: append.handler }, config.mem.socket)
    await ask({ message: 'no channel' })
    expect(append.seen).toEqual([])
    for (const stream of [true, false]) {
      await ask({ message: ' hi ', channel_id: 'c', stream })
      expect(append.seen.splice(0)).toMatchObject([
        {
          type: 'append_history',
          channel_id: 'c',
          messages: [
            { role: 'user', content: 'hi' },
            { role: 'assistant', content: 'one two' },
          ],
        },
      ])
    }
  })

  it.each([true, false])(
    'removes the record of a turn only after its last frame has left (it leaves: %s)',
    async (isSent) => {
      const context = contextIn(tempFolder())
      const { config } = context
      await standIn({ run: talk }, config.agr.socket)
      const daemon = await startDaemon(context)
      let onLastSent: (isSent: boolean) => void = () => {}
      const exchange: Exchange = {
        signal: new AbortController().signal,
        send: () => Promise.resolve(),
        chunk: () => Promise.resolve(),
        stamp: () => {},
        onLastSent: (callback) => {
          onLastSent = callback
        },
        takeConnection: () => undefined,
      }
      await daemon.untyped?.({ message: 'hi', turn: 't', stream: true }, exchange)
      const file = turnFileOf(turnsFolder(config), 't')
      expect(existsSync(file)).toBe(true)
      onLastSent(isSent)
      expect(existsSync(file)).toBe(!isSent)
      await daemon.close?.()
    },
  )

  it('calls rtr directly when agr cannot be reached', async () => {
    const { ask, config } = await startIn(tempFolder())
    const infer = recorder(async ({ stream }, exchange) => {
      if (stream !== true) return { type: 'response', content: 'direct' }
      await exchange.chunk('direct')
      return { type: 'done', full_text: 'direct' }
    })
    await standIn({ infer: infer.handler }, config.rtr.socket)
    expect(await ask({ message: 'hi' })).toMatchObject([{ type: 'response', content: 'direct' }])
    expect(await ask({ message: 'hi', stream: true })).toMatchObject([
      { type: 'chunk', delta: 'direct' },
      { type: 'done', full_text: 'direct' },
    ])
    expect(infer.seen[0]).toMatchObject({
      type: 'infer',
      messages: [{ role: 'user', content: 'hi' }],
      temperature: 0.25,
      top_p: 0.5,
      stream: false,
    })
  })

  it('sends the response of a router with streaming off as one chunk', async () => {
    const { ask, config } = await startIn(tempFolder())
    await standIn({ infer: () => ({ type: 'response', content: 'all' }) }, config.rtr.socket)
    expect(await ask({ message: 'hi', stream: true })).toMatchObject([
      { type: 'chunk', delta: 'all' },
      { type: 'done', full_text: 'all' },
    ])
  })

  it.each(['an error', 'a death'])(
    'answers one error after %s of agr, calls no other service and keeps the message',
    async (how) => {
      const { ask, config } = await startIn(tempFolder())
      const infer = recorder(() => ({ type: 'response', content: 'no' }))
      const append = recorder(() => ({ type: 'ok' }))
      await standIn({ infer: infer.handler }, config.rtr.socket)
      await standIn({ append_history: append.handler }, config.mem.socket)
      const agr = await standIn(
        {
          run: async (_message, exchange) => {
            await exchange.send({ type: 'chunk', delta: 'half' })
            if (how === 'an error') return { type: 'error', message: 'Agentic runtime error: x' }
            setImmediate(() => void agr.stop())
            await once(exchange.signal, 'abort')
            return new Promise(() => {})
          },
        },
        config.agr.socket,
      )
      const frames = await ask({ message: 'hi', channel_id: 'c', stream: true })
      expect(frames.at(-1)).toMatchObject({ type: 'error' })
      expect(frames.filter(({ type }) => type !== 'chunk')).toHaveLength(1)
      expect(infer.seen).toEqual([])
      expect(append.seen).toMatchObject([{ messages: [{ role: 'user', content: 'hi' }] }])
    },
  )

  it('answers one error when neither agr nor rtr can be reached', async () => {
    const { ask } = await startIn(tempFolder())
    expect(await ask({ message: 'hi' })).toMatchObject([{ type: 'error' }])
  })

  it('aborts the run of agr when the caller disconnects', async () => {
    const { config } = await startIn(tempFolder())
    let isAborted = false
    await standIn(
      {
        run: async (_message, { signal, ...exchange }) => {
          void exchange
          await once(signal, 'abort')
          isAborted = true
          throw signal.reason
        },
      },
      config.agr.socket,
    )
    const caller = await Caller.open(config.daemon.socket)
    caller.send({ message: 'hi' })
    await new Promise((resolve) => setTimeout(resolve, 100))
    caller.socket.destroy()
    await until(() => isAborted, 1000)
  })
})
