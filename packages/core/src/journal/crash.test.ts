// Kills writers with SIGKILL at random instants. ZEE_ROUNDS sets the number of kills.
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { idOf, recordText } from '../../test/journal-records.ts'
import { startChild, type LineChild } from '../../test/line-child.ts'
import { lockedAppend, readJournalSync, type SkippedLine } from './journal.ts'

const rounds = Number(process.env.ZEE_ROUNDS ?? 30)
const roundsPerJournal = 50
const bigShare = 0.4
const folder = mkdtempSync(path.join(tmpdir(), 'zee-journal-crash-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test(
  `a journal holds every acknowledged record exactly once after ${rounds} kills`,
  { timeout: 60_000 + rounds * 1000 },
  async () => {
    for (let done = 0; done < rounds; done += roundsPerJournal) {
      const file = path.join(folder, `${done}.jsonl`)
      const kills = Math.min(roundsPerJournal, rounds - done)
      const acknowledged = await killWriters(file, kills)
      expectAcknowledged(file, acknowledged)
      rmSync(file)
    }
  },
)

const chainKills = Math.ceil(rounds / 6)

test(
  `a hash chain has no gap after ${chainKills} of its writers were killed`,
  { timeout: 60_000 + chainKills * 2000 },
  async () => {
    const file = path.join(folder, 'chain.jsonl')
    const acknowledged = await killChainWriters(file)
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    const ids: string[] = []
    lines.forEach((line, index) => {
      const { name, number, after } = JSON.parse(line) as Record<string, string>
      ids.push(`${name} ${number}`)
      const before = lines[index - 1]
      const digest = before && createHash('sha256').update(before).digest('hex')
      expect(after).toBe(digest ?? 'nothing')
    })
    expect(new Set(ids).size).toBe(ids.length)
    expect(acknowledged.filter((id) => !ids.includes(id))).toEqual([])
    await lockedAppend(file, () => ({ last: true }))
    expect(readdirSync(folder)).toEqual(['chain.jsonl'])
  },
)

async function killChainWriters(file: string): Promise<string[]> {
  let names = 0
  const start = (): Promise<LineChild> =>
    startChild('chain-writer', [file, `c${names++}`, '1000000', 'fast'])
  const acknowledged: string[] = []
  let [victim, other] = await Promise.all([start(), start()])
  other.send([1])
  for (let kill = 0; kill < chainKills; kill++) {
    const next = start()
    killWithinBurst(victim)
    const { stderr } = await victim.ended
    expect(stderr).toBe('')
    acknowledged.push(...victim.lines.slice(1))
    ;[victim, other] = [other, await next]
    other.send([1])
  }
  for (const child of [victim, other]) {
    child.kill()
    await child.ended
    acknowledged.push(...child.lines.slice(1))
  }
  return acknowledged
}

/** Kills writers of a shared file one after the other while the others continue. */
async function killWriters(file: string, kills: number): Promise<Set<string>> {
  let names = 0
  const start = (): Promise<LineChild> =>
    startChild('journal-writer', [file, `w${names++}`, String(bigShare)])
  const acknowledged = new Set<string>()
  const collect = async (writer: LineChild): Promise<void> => {
    const { stderr } = await writer.ended
    expect(stderr).toBe('')
    for (const id of writer.lines.slice(1)) acknowledged.add(id)
  }
  const live = [await start(), await start()]
  let next = start()
  for (let kill = 0; kill < kills; kill++) {
    live.push(await next)
    next = start()
    const victim = live.shift()
    if (victim === undefined) throw new Error('no writer to kill')
    killWithinBurst(victim)
    for (const other of live) other.send([3])
    await collect(victim)
  }
  for (const writer of [...live, await next]) {
    writer.kill()
    await collect(writer)
  }
  return acknowledged
}

function killWithinBurst(victim: LineChild): void {
  let left = 1 + Math.floor(Math.random() * 20)
  victim.onLine(() => {
    if (--left === 0) victim.kill()
  })
  victim.send([50])
}

function expectAcknowledged(file: string, acknowledged: ReadonlySet<string>): void {
  const seen = new Set<string>()
  const skipped: SkippedLine[] = []
  const summary = readJournalSync(
    file,
    ({ record, raw }) => {
      const id = String(record.id)
      if (seen.has(id)) throw new Error(`${id} is there twice`)
      seen.add(id)
      if (raw.toString() !== recordText(id, bigShare)) throw new Error(`${id} was changed`)
    },
    { onSkipped: (line) => skipped.push(line) },
  )
  expect(summary.records).toBe(seen.size)
  expect([...acknowledged].filter((id) => !seen.has(id))).toEqual([])
  const bytes = readFileSync(file)
  for (const { offset, bytes: length } of skipped) {
    expectOnlyFragments(bytes.subarray(offset, offset + length), acknowledged)
  }
}

/** A skipped line consists of torn, unacknowledged records and maybe a complete one glued to them. */
function expectOnlyFragments(line: Buffer, acknowledged: ReadonlySet<string>): void {
  for (const part of splitBefore(line, '{"id":"')) {
    const id = idOf(part.toString())
    if (id === undefined) {
      expect(part.length, part.toString()).toBeLessThan(40)
      continue
    }
    const complete = Buffer.from(recordText(id, bigShare))
    expect(part.equals(complete.subarray(0, part.length)), `${id} is damaged`).toBe(true)
    if (part.length < complete.length) expect(acknowledged.has(id), `${id} is torn`).toBe(false)
  }
}

function splitBefore(line: Buffer, mark: string): Buffer[] {
  const parts: Buffer[] = []
  for (let start = 0; start < line.length;) {
    const next = line.indexOf(mark, start + 1)
    const end = next === -1 ? line.length : next
    parts.push(line.subarray(start, end))
    start = end
  }
  return parts
}
