import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempFolder } from '../../test/temp-folder.ts'
import { barrier, decodeRecords } from './record.ts'
import { WriteAheadLog } from './wal.ts'

const header = 'test log 1\n'

function open(): { wal: WriteAheadLog; file: string; names: () => string[] } {
  const file = path.join(tempFolder(), 'test.wal')
  const names = () =>
    decodeRecords(readFileSync(file), header).records.map(({ file: name }) => name)
  return { wal: new WriteAheadLog({ path: file, header }), file, names }
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `file-${index}`)

describe('WriteAheadLog', () => {
  it('holds every record in order when its commit resolves, with 200 concurrent commits', async () => {
    const { wal, names } = open()
    await Promise.all(numbered(200).map((name) => wal.commit(barrier('removed', name))))
    expect(names()).toEqual(numbered(200))
    await wal.close()
  })

  it('creates a file that only its owner can read', async () => {
    const { wal, file } = open()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await wal.close()
  })

  it('keeps the records of unreleased commits when it is trimmed', async () => {
    const { wal, names } = open()
    const commits = await Promise.all(
      numbered(4).map((name) => wal.commit(barrier('removed', name))),
    )
    commits[0]?.release()
    commits[3]?.release()
    await wal.trim(wal.oldestUnreleased)
    expect(names()).toEqual(['file-1', 'file-2', 'file-3'])
    commits[1]?.release()
    commits[2]?.release()
    const last = await wal.commit(barrier('removed', 'later'))
    last.release()
    await wal.trim(wal.oldestUnreleased)
    expect(names()).toEqual([])
    expect(wal.size).toBe(0)
    await wal.close()
  })

  it('loses no record when it is trimmed during commits', async () => {
    const { wal, names } = open()
    const wanted = new Set(numbered(300))
    const write = async (name: string) => {
      const commit = await wal.commit(barrier('removed', name))
      if (Number(name.slice(5)) % 3 !== 0) return
      wanted.delete(name)
      commit.release()
      await wal.trim(wal.oldestUnreleased)
    }
    await Promise.all(numbered(300).map((name) => write(name)))
    const kept = new Set(names())
    expect([...wanted].filter((name) => !kept.has(name))).toEqual([])
    await wal.close()
  })

  it('appends to the records of an earlier process', async () => {
    const { wal, file, names } = open()
    await wal.commit(barrier('removed', 'before'))
    await wal.close()
    const again = new WriteAheadLog({ path: file, header })
    await again.commit(barrier('removed', 'after'))
    expect(names()).toEqual(['before', 'after'])
    await again.close()
  })
})
