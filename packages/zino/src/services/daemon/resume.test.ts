import { expect, it } from 'vitest'
import { answerOf, Caller, lastOf } from '../../../test/caller.ts'
import { contextIn } from '../../../test/config.ts'
import { serveHere, standIn } from '../../../test/host.ts'
import { tempFolder } from '../../../test/temp-folder.ts'
import { until } from '../../../test/until.ts'
import type { Handler } from '../../service/service.ts'
import { startDaemon } from './daemon.ts'

async function startWith(run: Handler) {
  const { config, ...context } = contextIn(tempFolder())
  await standIn({ run }, config.agr.socket)
  await serveHere(await startDaemon({ ...context, config }), config.daemon.socket)
  return config
}

it('a client that comes back before its turn has stopped gets the answer', async () => {
  let runs = 0
  const config = await startWith(async (_, exchange) => {
    runs += 1
    await exchange.chunk('begin ')
    // The first run holds on until its caller leaves.
    if (runs === 1)
      await new Promise((resolve) => exchange.signal.addEventListener('abort', resolve))
    return { type: 'done', full_text: 'begin end' }
  })
  let store = () => {}
  const stored = new Promise<void>((resolve) => (store = resolve))
  const append = async () => {
    await stored
    return { type: 'ok' }
  }
  await standIn({ append_history: append }, config.mem.socket)
  const client = await Caller.open(config.daemon.socket)
  client.send({ message: 'hi', channel_id: 'c', stream: true, turn: 'turn-1' })
  await client.next()
  client.socket.destroy()
  // The message of the turn is being stored, so the turn has not stopped yet.
  await until(async () => {
    const { turns } = await lastOf(config.daemon.socket, { type: 'turns' })
    return JSON.stringify(turns).includes('interrupted')
  })
  const resumed = answerOf(config.daemon.socket, { resume: 'turn-1', stream: true })
  // daemon answers this after it has begun to resume the turn.
  await lastOf(config.daemon.socket, { type: 'turns' })
  store()
  const frames = await resumed
  expect(frames.at(-1)).toMatchObject({ type: 'done', full_text: 'begin end' })
  const text = frames.map(({ delta }) => delta ?? '').join('')
  expect(text).toBe('begin ')
})

it('the id of a turn stands for one message in one channel', async () => {
  const config = await startWith(() => ({ type: 'result', content: 'one' }))
  const ask = (request: object) => lastOf(config.daemon.socket, { turn: 'turn-1', ...request })
  expect(await ask({ message: 'first' })).toMatchObject({ content: 'one' })
  expect(await ask({ message: ' first ' })).toMatchObject({ content: 'one' })
  for (const other of [{ message: 'second' }, { message: 'first', channel_id: 'c' }]) {
    expect(await ask(other)).toMatchObject({
      type: 'error',
      message: 'turn turn-1 has another message: choose another id',
    })
  }
})

it('turns whose client does not come back fail after a day, or when there are too many, and their messages stay', async () => {
  const { config, ...context } = contextIn(tempFolder())
  const clock = { ...context.clock, now: () => new Date(nowMs) }
  let nowMs = Date.parse('2026-01-01T00:00:00Z')
  const run: Handler = async (_, exchange) => {
    await exchange.chunk('begin ')
    await new Promise((resolve) => exchange.signal.addEventListener('abort', resolve))
    return { type: 'done', full_text: '' }
  }
  const stored: unknown[] = []
  const append = ({ turn }: { turn?: unknown }) => {
    stored.push(turn)
    return { type: 'ok' }
  }
  await standIn({ run }, config.agr.socket)
  await standIn({ append_history: append }, config.mem.socket)
  const daemon = await startDaemon({ ...context, clock, config })
  await serveHere(daemon, config.daemon.socket)
  const turns = async () => {
    const { turns } = await lastOf(config.daemon.socket, { type: 'turns' })
    return (turns as { turn: string }[]).map(({ turn }) => turn)
  }
  const leave = async (turn: string) => {
    const client = await Caller.open(config.daemon.socket)
    client.send({ message: 'hi', channel_id: turn, stream: true, turn })
    await client.next()
    client.socket.destroy()
    await until(() => stored.includes(turn))
  }
  await leave('old')
  nowMs += 23 * 3_600_000
  const many = Array.from({ length: 101 }, (_, number) => `many-${number + 100}`)
  for (const turn of many) await leave(turn)
  nowMs += 3_600_001
  await leave('new')
  await until(async () => (await turns()).length === 101)
  expect(await turns()).toEqual([...many.slice(1), 'new'])
  expect(stored.filter((turn) => turn === 'old')).toHaveLength(2)
  const resumed = await lastOf(config.daemon.socket, { resume: 'old' })
  expect(resumed).toMatchObject({ type: 'error', message: 'no client came back' })
}, 60_000)
