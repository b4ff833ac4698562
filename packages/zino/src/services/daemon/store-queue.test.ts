import path from 'node:path'
import { expect, it } from 'vitest'
import { standIn } from '../../../test/host.ts'
import { recordingLog } from '../../../test/log.ts'
import { tempFolder } from '../../../test/temp-folder.ts'
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
