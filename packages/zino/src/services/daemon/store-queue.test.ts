import path from 'node:path'
import { expect, it } from 'vitest'
import { standIn } from '../../../test/host.ts'
import { recordingLog } from '../../../test/log.ts'
import { tempFolder } from '../../../test/temp-folder.ts'
import { until } from '../../../test/until.ts'
import { StoreQueue } from './store-queue.ts'
import { Turn } from './turn.ts'

const ts = '2026-03-01T10:00:00.000Z'
const turnOf = (id: string) => new Turn({ turn: id, channel: 'ops', message: id, ts })

it('a turn that mem refuses is tried once before its client gets the last packet', async () => {
  const socket = path.join(tempFolder(), 'mem.sock')
  const asked: unknown[] = []
  await standIn(
    {
      append_history: async ({ turn }) => {
        asked.push(turn)
        return { type: 'error', message: 'the disk is full' }
      },
    },
    socket,
  )
  const queue = new StoreQueue({ socket, log: recordingLog(), onStored: () => {} })
  expect(await queue.store(turnOf('one'))).toBe(false)
  queue.close()
  expect(asked).toEqual(['one'])
  expect(queue.turns.map(({ id }) => id)).toEqual(['one'])
})

it('turns that waited for mem are stored in the order in which they ended', async () => {
  const socket = path.join(tempFolder(), 'mem.sock')
  const queue = new StoreQueue({ socket, log: recordingLog(), onStored: () => {} })
  const [one, two, three] = [turnOf('one'), turnOf('two'), turnOf('three')]
  const end = (turn: Turn, text: string, second: number) => {
    turn.answer = { text, transcript: text, ts: `2026-03-01T10:00:0${second}.000Z` }
  }
  // The message of a turn that goes on is queued first.
  const cancelled = turnOf('cancelled')
  for (const turn of [one, two, cancelled, three]) void queue.store(turn)
  cancelled.cancel()
  end(three, '3', 1)
  end(two, '2', 2)
  end(one, '1', 3)
  const stored: unknown[] = []
  await standIn(
    {
      append_history: ({ turn }) => {
        stored.push(turn)
        return { type: 'ok' }
      },
    },
    socket,
  )
  await until(() => queue.turns.length === 0)
  queue.close()
  // The first message may have been on its way.
  expect(stored.filter((turn, at) => at > 0 || turn !== 'one')).toEqual(['three', 'two', 'one'])
})
