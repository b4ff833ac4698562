import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempFolder } from '../../../../../test/temp-folder.ts'
import { barrier, decodeRecords } from './record.ts'
import { OffsetJournal } from './wal.ts'

function open(): { journal: OffsetJournal; file: string; names: () => string[] } {
  const file = path.join(tempFolder(), 'mem.journal')
  const names = () => decodeRecords(readFileSync(file)).records.map((record) => record.file)
  return { journal: new OffsetJournal(file), file, names }
}

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `file-${at}`)

describe('the offset journal', () => {
  it('holds every record in order when its commit resolves, however many come at once', async () => {
    const { journal, names } = open()
    await Promise.all(numbered(200).map((name) => journal.commit(barrier('removed', name))))
    expect(names()).toEqual(numbered(200))
    await journal.close()
  })

  it('is readable by its owner only', async () => {
    const { journal, file } = open()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await journal.close()
  })

  it('keeps what is not yet written where it belongs when it is cut', async () => {
    const { journal, names } = open()
    const commits = await Promise.all(
      numbered(4).map((name) => journal.commit(barrier('removed', name))),
    )
    commits[0]?.release()
    commits[3]?.release()
    await journal.cut(journal.boundary)
    expect(names()).toEqual(['file-1', 'file-2', 'file-3'])
    commits[1]?.release()
    commits[2]?.release()
    const last = await journal.commit(barrier('removed', 'later'))
    last.release()
    await journal.cut(journal.boundary)
    expect(names()).toEqual([])
    expect(journal.size).toBe(0)
    await journal.close()
  })

  it('is cut while others write, without losing a record', async () => {
    const { journal, names } = open()
    const wanted = new Set(numbered(300))
    const write = async (name: string) => {
      const commit = await journal.commit(barrier('removed', name))
      if (Number(name.slice(5)) % 3 !== 0) return
      wanted.delete(name)
      commit.release()
      await journal.cut(journal.boundary)
    }
    await Promise.all(numbered(300).map((name) => write(name)))
    const kept = new Set(names())
    expect([...wanted].filter((name) => !kept.has(name))).toEqual([])
    await journal.close()
  })

  it('goes on where it ended', async () => {
    const { journal, file, names } = open()
    await journal.commit(barrier('removed', 'before'))
    await journal.close()
    const again = new OffsetJournal(file)
    await again.commit(barrier('removed', 'after'))
    expect(names()).toEqual(['before', 'after'])
    await again.close()
  })
})
