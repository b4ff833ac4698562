import { expect, it } from 'vitest'
import { lastOf } from '../../../test/caller.ts'
import { contextIn } from '../../../test/config.ts'
import { serveHere, standIn } from '../../../test/host.ts'
import { tempFolder } from '../../../test/temp-folder.ts'
import { until } from '../../../test/until.ts'
import { startTimers } from '../timers/timers.ts'
import { Orphans } from './orphans.ts'
import { Turn } from './turn.ts'

const ts = '2026-03-01T10:00:00.000Z'
const turnOf = (id: string, change: Partial<Turn>) =>
  Object.assign(new Turn({ turn: id, channel: 'ops', message: 'go on', ts }), change)

it('an answer that no client fetches goes to the inbox, once', async () => {
  const context = contextIn(tempFolder(), {})
  const { tmr } = context.config
  await serveHere(await startTimers(context), tmr.socket)
  const delivered: string[] = []
  const open = () =>
    new Orphans({ context, graceMs: 10, onDelivered: ({ id }) => delivered.push(id) })
  const orphans = open()
  const answer = { text: 'the rest', transcript: 'the rest', ts }
  orphans.watch(turnOf('fetched', { answer, isDelivered: true }))
  const followed = turnOf('followed', { answer })
  await followed.follow({ onText: async () => {}, onEvent: async () => {} })
  orphans.watch(followed)
  orphans.watch(turnOf('answered', { answer }))
  await until(() => delivered.length === 1, 30_000)
  orphans.watch(turnOf('failed', { failure: 'no model' }))
  await until(() => delivered.length === 2, 30_000)
  open().watch(turnOf('answered', { answer }))
  await until(() => delivered.length === 3, 30_000)
  const { entries } = await lastOf(tmr.socket, { type: 'inbox' })
  expect(entries).toMatchObject([
    { turn: 'answered', channel: 'ops', prompt: 'go on', text: 'the rest', failed: false },
    { turn: 'failed', text: 'failed: no model', failed: true },
  ])
})

it('a forgotten turn is settled only when a delivery to the inbox that has begun is over', async () => {
  const context = contextIn(tempFolder(), {})
  let answer: (() => void) | undefined
  const isAnswered = new Promise<void>((resolve) => (answer = resolve))
  let hasBegun = false
  const addInbox = async () => {
    hasBegun = true
    await isAnswered
    return { type: 'ok' }
  }
  await standIn({ add_inbox: addInbox }, context.config.tmr.socket)
  const steps: string[] = []
  const orphans = new Orphans({ context, graceMs: 10, onDelivered: () => steps.push('delivered') })
  const turn = turnOf('answered', { answer: { text: 'it', transcript: 'it', ts } })
  orphans.watch(turn)
  await until(() => hasBegun, 30_000)
  const settled = orphans.settled(turn).then(() => steps.push('settled'))
  answer?.()
  await settled
  expect(steps).toEqual(['delivered', 'settled'])
})
