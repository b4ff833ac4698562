// Many processes use one journal concurrently.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { recordText } from '../../test/journal-records.ts'
import { startChild, type LineChild } from '../../test/line-child.ts'
import { readJournalSync } from './journal.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'zee-journal-many-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a journal keeps all records when 50 processes append 200 each, of 20 B to 200 KB', async () => {
  const file = path.join(folder, 'many.jsonl')
  const bigShare = 0.015
  const names = Array.from({ length: 50 }, (_, index) => `p${index}`)
  const writers = await startAll(names, (name) => ['journal-writer', file, name, String(bigShare)])
  for (const writer of writers) writer.send([50, 50, 50, 50])
  await endAll(writers)

  const seen = new Set<string>()
  const summary = readJournalSync(file, ({ record, raw }) => {
    const id = String(record.id)
    if (raw.toString() !== recordText(id, bigShare)) throw new Error(`${id} was changed`)
    seen.add(id)
  })
  expect(seen.size).toBe(10_000)
  // A writer suspended during a write looks dead to the others; that costs an empty line.
  expect({ ...summary, lines: summary.lines - summary.blankLines, blankLines: 0 }).toEqual({
    records: 10_000,
    lines: 10_000,
    blankLines: 0,
    skippedLines: 0,
    skippedBytes: 0,
    tornTail: false,
  })
})

test('a journal created by 6 processes at once has exactly one header, as its first line', async () => {
  const rounds = 100
  const racing = path.join(folder, 'headers')
  mkdirSync(racing)
  // Every other journal exists and is empty.
  for (let round = 0; round < rounds; round += 2) {
    writeFileSync(path.join(racing, `${round}.jsonl`), '')
  }
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const racers = await startAll(names, (name) => ['header-racer', racing, name])
  for (let round = 0; round < rounds; round++) {
    for (const racer of racers) racer.send([1])
    await Promise.all(racers.map((racer) => racer.line((line) => line === `done ${round}`)))
  }
  await endAll(racers)

  for (let round = 0; round < rounds; round++) {
    const text = readFileSync(path.join(racing, `${round}.jsonl`), 'utf8')
    const records = text
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
    expect(records[0]).toEqual({ header: expect.stringMatching(/^[a-f]$/) })
    const sorted = records
      .slice(1)
      .map((record) => JSON.stringify(record))
      .sort()
    expect(sorted).toEqual(names.map((name) => JSON.stringify({ from: name })))
  }
  expect(readdirSync(racing)).toHaveLength(rounds)
})

test('a hash chain that 8 processes extend with lockedAppend has no gap', async () => {
  const file = path.join(folder, 'chain.jsonl')
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  const links = await startAll(names, (name) => ['chain-writer', file, name, '10'])
  for (const link of links) link.send([1])
  await endAll(links)

  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  expect(lines).toHaveLength(80)
  lines.forEach((line, index) => {
    const before = lines[index - 1]
    const after = before === undefined ? 'nothing' : sha256(before)
    expect(JSON.parse(line)).toMatchObject({ after })
  })
  expect(readdirSync(folder).filter((name) => name.includes('chain'))).toEqual(['chain.jsonl'])
})

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

async function startAll(
  names: string[],
  program: (name: string) => [string, ...string[]],
): Promise<LineChild[]> {
  return await Promise.all(
    names.map((name) => {
      const [child, ...args] = program(name)
      return startChild(child, args)
    }),
  )
}

async function endAll(children: LineChild[]): Promise<void> {
  for (const child of children) child.endInput()
  for (const child of children) {
    expect(await child.ended).toEqual({ code: 0, signal: null, stderr: '' })
  }
}
