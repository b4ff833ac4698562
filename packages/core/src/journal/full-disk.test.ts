// A full disk or a size limit that accepts only a part of a record.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LineChild } from '../../test/line-child.ts'
import { openJournal, readJournalSync } from './journal.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'zee-journal-full-'))
  file = path.join(folder, 'j.jsonl')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Bytes that the small disk leaves for the journal. */
const room = 49 * 4096
const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'x', '/mnt']).status === 0

// One block of `ulimit -f` is 512 bytes in the standard shell.
const limited = (blocks: number): string[] => ['sh', '-c', `ulimit -f ${blocks}; exec "$@"`, 'sh']

test('a journal rejects a record beyond the file size limit, and readers skip it', async () => {
  const child = new LineChild('journal-filler', [file, '', '700'], limited(8))
  expect(await child.ended).toMatchObject({ code: 0, stderr: '' })
  const accepted = child.lines.filter((line) => line.startsWith('ok '))
  const refused = child.lines.filter((line) => line.startsWith('refused '))
  const reason = `cannot append to ${file}: the file would be larger than allowed`
  expect(refused).toEqual([`refused efbig ${reason}`, `refused efbig ${reason}`])

  const journal = openJournal(file)
  journal.append({ id: 'next' })
  journal.close()
  const ids: unknown[] = []
  const summary = readJournalSync(file, ({ record }) => void ids.push(record.id))
  expect(ids).toEqual([...accepted.keys(), 'next'])
  expect(summary).toMatchObject({ skippedLines: 1, blankLines: 0, tornTail: false })
})

test.skipIf(!canMount)(
  'a full disk tears one record, and the journal accepts records again once space is free',
  async () => {
    const { accepted, refused } = await fillDisk(10_000)
    expect(refused[0]).toBe(`refused enospc cannot append to ${file}: the disk is full`)
    const ids: string[] = []
    const summary = readJournalSync(file, ({ record }) => void ids.push(`ok ${String(record.id)}`))
    expect(ids).toEqual(accepted)
    expect(summary).toMatchObject({ skippedLines: 1, blankLines: 0, tornTail: false })
  },
)

test.skipIf(!canMount)(
  'a rejected record that lacks only its newline does not become valid by the next append',
  async () => {
    const { accepted, refused } = await fillDisk(room - '{"id":0,"pad":""}'.length)
    expect([accepted, refused.length]).toEqual([['ok 0'], 2])
    expect(readFileSync(file, 'latin1').slice(room - 3, room + 9)).toBe('x"}~\n{"id":0')
    const summary = readJournalSync(file, () => undefined)
    expect(summary).toMatchObject({ records: 1, skippedLines: 1, tornTail: false })
  },
)

/** Fills a small tmpfs with records of one size; it is unmounted when the child exits. */
async function fillDisk(padding: number): Promise<{ accepted: string[]; refused: string[] }> {
  const ballast = path.join(folder, 'ballast')
  const mount = `mount -t tmpfs -o size=${room + 262_144} tmpfs "$0"`
  const fill = `head -c 262144 /dev/zero > ${ballast}`
  const script = `${mount} && ${fill} && "$@" && cp ${file} ${folder}.copy`
  const through = ['unshare', '-rm', 'sh', '-c', script, folder]
  const child = new LineChild('journal-filler', [file, ballast, String(padding)], through)
  try {
    expect(await child.ended).toMatchObject({ code: 0, stderr: '' })
    renameSync(`${folder}.copy`, file)
  } finally {
    rmSync(`${folder}.copy`, { force: true })
  }
  return {
    accepted: child.lines.filter((line) => line.startsWith('ok ')),
    refused: child.lines.filter((line) => line.startsWith('refused ')),
  }
}
