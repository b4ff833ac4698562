// Forgetting messages whose copies are in the inbox and in timers, with and without a running tmr.
import path from 'node:path'
import { expect, it } from 'vitest'
import { filesWith } from '../../../../../test/support/files-with.ts'
import { answerOf } from '../../../test/caller.ts'
import { contextIn } from '../../../test/config.ts'
import { serveHere } from '../../../test/host.ts'
import { tempFolder } from '../../../test/temp-folder.ts'
import { until } from '../../../test/until.ts'
import type { Service } from '../../service/service.ts'
import type { Message } from '../../wire/wire.ts'
import { startMemory } from '../memory/memory.ts'
import { startTimers } from './timers.ts'

/** tmr and mem over one data folder; daemon gives these answers, and stores nothing by itself. */
async function start(answer: (message: Message) => unknown, over: { tmr?: object } = {}) {
  const context = contextIn(tempFolder(), over as Record<string, Record<string, unknown>>)
  const { daemon, mem, tmr } = context.config
  const seen: Message[] = []
  const untyped: Service['untyped'] = (message) => {
    seen.push(message)
    return answer(message) as object
  }
  await serveHere({ handlers: new Map(), untyped }, daemon.socket)
  await serveHere(startMemory(context), mem.socket)
  const asking = (socket: string) => async (message: object) =>
    (await answerOf(socket, message)).at(-1) ?? {}
  const [ask, askMem] = [asking(tmr.socket), asking(mem.socket)]
  const entries = async () => (await ask({ type: 'inbox' })).entries as Message[]
  return {
    ...{ seen, ask, askMem, entries },
    startTimers: async () => serveHere(await startTimers(context), tmr.socket),
    found: () => filesWith(path.resolve(context.config.mem.data_dir), 'quokka'),
    /** What daemon does for a turn. */
    store: (channel_id: string, { turn, message }: Message) =>
      askMem({
        type: 'append_history',
        ...{ channel_id, turn, messages: [{ role: 'user', content: message }] },
      }),
  }
}

const never = () => new Promise(() => {})
const heard = ({ message }: Message) => ({ type: 'done', full_text: `heard ${message}` })

it.each(['running', 'stopped'])(
  'a forgotten message of a finished timer is in no file while tmr is %s, and other entries stay',
  async (state) => {
    const zino = await start(heard)
    const tmr = await zino.startTimers()
    for (const text of ['where is the quokka?', 'where is the wombat?']) {
      await zino.ask({ type: 'background', text })
    }
    await until(async () => (await zino.entries()).length === 2, 30_000)
    for (const message of zino.seen) await zino.store('background', message)
    if (state === 'stopped') await tmr.stop()
    const names = zino.found().map((file) => path.basename(file))
    expect(names).toEqual(expect.arrayContaining(['inbox.jsonl', 'timers.jsonl']))
    const position = zino.seen.findIndex(({ message }) => message === 'where is the quokka?')
    expect(await zino.askMem({ type: 'forget', id: `background:${position}` })).toEqual({
      type: 'ok',
    })
    expect(zino.found()).toEqual([])
    if (state === 'stopped') await zino.startTimers()
    expect(await zino.entries()).toMatchObject([{ prompt: 'where is the wombat?' }])
  },
)

it.each(['running', 'stopped'])(
  'a forgotten message ends the run of its timer while tmr is %s, which is not begun again',
  async (state) => {
    const zino = await start(never, { tmr: { parallel: 1 } })
    const tmr = await zino.startTimers()
    await zino.ask({ type: 'background', text: 'where is the quokka?' })
    await until(() => zino.seen.length === 1, 30_000)
    await zino.store('background', zino.seen[0] as Message)
    if (state === 'stopped') await tmr.stop()
    expect(await zino.askMem({ type: 'forget', id: 'background:0' })).toEqual({ type: 'ok' })
    expect(zino.found()).toEqual([])
    if (state === 'stopped') await zino.startTimers()
    expect(await zino.ask({ type: 'list_timers' })).toEqual({ type: 'timers', timers: [] })
    expect(await zino.entries()).toEqual([])
    // The only slot is free again.
    await zino.ask({ type: 'background', text: 'next' })
    await until(() => zino.seen.length === 2, 30_000)
    expect(zino.seen[1]).toMatchObject({ message: 'next' })
  },
)

it('a run that waits for a slot ends when its message is forgotten, and the slot stays taken', async () => {
  const zino = await start(never, { tmr: { parallel: 1 } })
  await zino.startTimers()
  await zino.ask({ type: 'background', text: 'first' })
  await until(() => zino.seen.length === 1, 30_000)
  const { timer } = await zino.ask({ type: 'every', when: 'daily', text: 'look' })
  const { id } = timer as Message
  const { turn } = await zino.ask({ type: 'run_timer', id })
  expect(await zino.ask({ type: 'forget', turns: [turn] })).toEqual({ type: 'ok' })
  const { timers } = await zino.ask({ type: 'list_timers' })
  expect(timers).toMatchObject([
    { text: 'first', state: 'running' },
    { text: 'look', state: 'active', last_run: { turn, error: 'its message was forgotten' } },
  ])
  expect(zino.seen).toHaveLength(1)
})

it('a forgotten hard memory takes the reminder with it that delivered the same text', async () => {
  const zino = await start(heard)
  await zino.startTimers()
  for (const text of ['feed the quokka', 'feed the wombat']) {
    const { timer } = await zino.ask({ type: 'remind', when: 'tomorrow', text })
    await zino.ask({ type: 'run_timer', id: (timer as Message).id })
    await until(async () => (await zino.entries()).some((entry) => entry.text === text), 30_000)
    await zino.ask({ type: 'remove_timer', id: (timer as Message).id })
  }
  const messages = [{ role: 'user', content: 'feed the quokka' }]
  await zino.askMem({ type: 'store_hard', messages })
  expect(await zino.askMem({ type: 'forget', id: 0 })).toEqual({ type: 'ok' })
  expect(zino.found()).toEqual([])
  expect(await zino.entries()).toMatchObject([{ text: 'feed the wombat' }])
})

it('a forgotten message without text leaves the entries without text alone', async () => {
  const zino = await start(() => ({ type: 'done', full_text: '' }))
  await zino.startTimers()
  await zino.ask({ type: 'background', text: 'say nothing' })
  await until(async () => (await zino.entries()).length === 1, 30_000)
  const messages = [{ role: 'assistant', content: '' }]
  await zino.askMem({ type: 'append_history', channel_id: 'c', messages })
  expect(await zino.askMem({ type: 'clear_history', channel_id: 'c' })).toEqual({ type: 'ok' })
  expect(await zino.entries()).toMatchObject([{ prompt: 'say nothing', text: '' }])
})

it.each([{ turns: 'one' }, { texts: [1] }])('tmr refuses to forget %j', async (fields) => {
  const zino = await start(heard)
  await zino.startTimers()
  expect(await zino.ask({ type: 'forget', ...fields })).toMatchObject({
    ...{ type: 'error', message: 'turns and texts must be lists of text' },
  })
})
