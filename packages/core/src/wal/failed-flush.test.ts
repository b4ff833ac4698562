// A failed flush is final for its descriptor. Here flushes and writes of the log fail on demand.
import * as fs from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { diskFull, replaceWrite } from '../../../../test/support/replace-write.ts'
import { tempFolder } from '../../test/temp-folder.ts'
import { decodeRecords } from './record.ts'
import { Checkpointer, WriteAheadLog } from './wal.ts'

/** Codes of the next flushes; '' succeeds, as does every flush after the last code. */
const faults = { codes: [] as string[], calls: 0 }

async function flush(descriptor: number): Promise<void> {
  faults.calls += 1
  const code = faults.codes.shift() ?? ''
  if (code !== '') throw Object.assign(new Error(code), { code })
  fs.fdatasyncSync(descriptor)
}

const header = 'test log 1\n'
const record = (name: string) =>
  ({ kind: 'append', file: name, offset: 0, bytes: Buffer.from('x'), checksum: 0 }) as const

function open(assertOwner?: () => void) {
  const file = path.join(tempFolder(), 'test.wal')
  const wal = new WriteAheadLog({ path: file, header, assertOwner, flush })
  const names = () => decodeRecords(fs.readFileSync(file), header).records.map((each) => each.file)
  return { wal, file, names }
}

beforeEach(() => {
  faults.codes.length = 0
})

/** A write of more than `length` bytes ends there, and the one after it finds the disk full. */
function fillDiskAfter(length: number): void {
  let isFull = false
  replaceWrite((write) => (descriptor, bytes, offset, _length, position) => {
    if (isFull) throw diskFull()
    isFull = bytes.length > length
    return write(descriptor, bytes, offset, length, position)
  })
}

describe('a write-ahead log after a failed write', () => {
  it('keeps no refused record, although the first one of the write is complete', async () => {
    const { wal, names } = open()
    await wal.commit(record('a'))
    fillDiskAfter(wal.size)
    const commits = ['b', 'c', 'd'].map((name) => wal.commit(record(name)))
    const ended = await Promise.allSettled(commits)
    const refused = ended.filter(({ status }) => status === 'rejected')
    expect(refused.length).toBeGreaterThan(1)
    expect(names()).toEqual(['a', 'b', 'c', 'd'].slice(0, 4 - refused.length))
    await wal.close()
  })
})

describe('a write-ahead log after a failed flush', () => {
  it('refuses the record, does not keep it, and acknowledges later records in a new file only', async () => {
    const { wal, file, names } = open()
    await wal.commit(record('before'))
    const inode = fs.statSync(file).ino
    faults.codes.push('EIO')
    await expect(wal.commit(record('refused'))).rejects.toMatchObject({ code: 'eio' })
    expect(names()).toEqual(['before'])
    expect(fs.statSync(file).ino).not.toBe(inode)
    await wal.commit(record('after'))
    expect(names()).toEqual(['before', 'after'])
    await wal.close()
  })

  it('says that a record may not be recorded when the new file cannot be written either', async () => {
    const { wal, file, names } = open()
    await wal.commit(record('before'))
    faults.codes.push('EIO')
    const folder = path.dirname(file)
    fs.renameSync(folder, `${folder}-away`)
    await expect(wal.commit(record('refused'))).rejects.toMatchObject({
      code: 'may_not_be_recorded',
      message: expect.stringContaining('may not be recorded') as string,
    })
    const calls = faults.calls
    await expect(wal.commit(record('next'))).rejects.toThrow()
    expect(faults.calls).toBe(calls)
    fs.renameSync(`${folder}-away`, folder)
    await wal.commit(record('after'))
    expect(names()).toEqual(['before', 'after'])
    await wal.close()
  })

  it('acknowledges nothing when its folder was lost before or during the flush', async () => {
    let isOwner = true
    const assertOwner = () => {
      if (!isOwner) throw new Error('lost')
    }
    const { wal } = open(assertOwner)
    await wal.commit(record('owned'))
    const pending = wal.commit(record('during'))
    isOwner = false
    await expect(pending).rejects.toThrow('lost')
    await expect(wal.commit(record('later'))).rejects.toThrow('lost')
    await wal.close()
  })
})

describe('the checkpointer after a failed flush', () => {
  it('of a folder suspects the changed files of this folder only', async () => {
    const { wal, file } = open()
    const log = { warn: () => {}, error: () => {} } as never
    const folder = path.dirname(file)
    const checkpointer = new Checkpointer({ folder, wal, log, rewrite: async () => {} })
    for (const name of ['a/one', 'a/two', 'b/three']) checkpointer.markDirty(name)
    checkpointer.markFolderSuspect('a')
    const suspects = ['a/one', 'a/two', 'a/unchanged', 'b/three'].filter((name) =>
      checkpointer.isSuspect(name),
    )
    expect(suspects).toEqual(['a/one', 'a/two'])
    await wal.close()
  })

  it('keeps the log until the file was rewritten', async () => {
    const { wal, file } = open()
    const folder = path.dirname(file)
    const warnings: string[] = []
    const log = { warn: (text: string) => warnings.push(text), error: () => {} } as never
    const rewritten: string[] = []
    let canRewrite = false
    const rewrite = (name: string) => {
      if (!canRewrite) return Promise.reject(new Error('disk'))
      rewritten.push(name)
      checkpointer.markRewritten(name)
      return Promise.resolve()
    }
    const checkpointer: Checkpointer = new Checkpointer({ folder, wal, log, rewrite })
    fs.writeFileSync(path.join(folder, 'a'), 'x')
    const commit = await wal.commit(record('a'))
    commit.release()
    checkpointer.markSuspect('a')
    await expect(checkpointer.run()).rejects.toThrow('disk')
    expect(wal.recordsOf('a')).toHaveLength(1)
    canRewrite = true
    await checkpointer.run()
    expect(rewritten).toEqual(['a'])
    expect(wal.recordsOf('a')).toEqual([])
    await checkpointer.stop()
    await wal.close()
  })
})
