import path from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../test/temp-folder.ts'
import { encodeRecord, type WalRecord } from './record.ts'
import { Checkpointer, WriteAheadLog } from './wal.ts'

const record = (bytes: number): WalRecord => ({
  ...{ kind: 'append', file: 'a', offset: 0, checksum: 0 },
  bytes: Buffer.alloc(bytes),
})

it.each([
  [4 * 1024 * 1024, []],
  [4 * 1024 * 1024 + 1, ['a']],
])(
  'a change with %i bytes in the log starts a checkpoint of the files %j at once',
  async (bytes, begun) => {
    const folder = tempFolder()
    const wal = new WriteAheadLog({ path: path.join(folder, 'test.wal'), header: 'test log 1\n' })
    const rewritten: string[] = []
    const rewrite = (file: string): Promise<void> => Promise.resolve(void rewritten.push(file))
    const log = { warn: () => {}, error: () => {} } as never
    const checkpointer = new Checkpointer({ folder, wal, log, rewrite })
    const commit = await wal.commit(record(bytes - encodeRecord(record(0)).length))
    commit.release()
    expect(wal.size).toBe(bytes)
    checkpointer.markSuspect('a')
    expect(rewritten).toEqual(begun)
    await checkpointer.stop()
    expect(wal.size).toBe(0)
    await wal.close()
  },
)
