// Speed of journal appends and reads, and whether the memory for reading grows with the file.
import { closeSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs'
import path from 'node:path'
import { openJournal, readJournalSync } from '@zee/core/journal'
import type { Case, FunctionVariant } from './harness/case.ts'

const recordBytes = 200
const appendCount = 300_000

const rawFloor = 'writeSync alone'
const journalAppend = 'journal, fast mode'
const parseFloor = 'JSON.parse alone, 50 MB'
const journalRead = (megabytes: number): string => `readJournalSync, ${megabytes} MB`

export const cases: readonly Case[] = [
  {
    name: 'append',
    question: `how many records of ${recordBytes} bytes does one process append per second?`,
    repetitions: 5,
    variants: [
      { name: rawFloor, unit: 'records', run: appendRaw },
      { name: journalAppend, unit: 'records', run: appendJournal },
    ],
    goals: [{ variant: journalAppend, figure: 'rate', atLeast: 150_000 }],
  },
  {
    name: 'read',
    question: 'how fast is a journal read back and parsed, and does memory grow with its size?',
    repetitions: 3,
    prepare(scratch) {
      for (const megabytes of [50, 500]) writeRecords(fileOf(scratch, megabytes), megabytes)
    },
    variants: [
      { name: parseFloor, unit: 'MB', run: parseOnly },
      ...[50, 500].map((megabytes): FunctionVariant => ({
        name: journalRead(megabytes),
        unit: 'MB',
        run: (scratch) => readBack(fileOf(scratch, megabytes)),
      })),
    ],
    goals: [
      { variant: journalRead(50), figure: 'rate', atLeast: 150 },
      { variant: journalRead(500), figure: 'rate', atLeast: 150 },
      { variant: journalRead(500), figure: 'rss', atMost: 1.2, peer: journalRead(50) },
    ],
  },
]

/** A typical record: a time, a kind, a few values, some text. */
function record(index: number): Record<string, unknown> {
  const fields = {
    v: 1,
    ts: '2026-01-02T03:04:05.678Z',
    kind: 'tool',
    n: 1_000_000 + index,
    ok: true,
  }
  const used = JSON.stringify({ ...fields, text: '' }).length + 1
  return { ...fields, text: 'x'.repeat(recordBytes - used) }
}

function appendRaw(scratch: string): number {
  const file = path.join(scratch, 'raw.jsonl')
  const line = Buffer.from(`${JSON.stringify(record(0))}\n`)
  const fd = openSync(file, 'a')
  for (let index = 0; index < appendCount; index++) writeSync(fd, line)
  closeSync(fd)
  rmSync(file)
  return appendCount
}

function appendJournal(scratch: string): number {
  const file = path.join(scratch, 'own.jsonl')
  const journal = openJournal(file, { durability: 'fast' })
  const entry = record(0)
  for (let index = 0; index < appendCount; index++) {
    entry.n = 1_000_000 + index
    journal.append(entry)
  }
  journal.close()
  const { size } = statSync(file)
  if (size !== appendCount * recordBytes) throw new Error(`the journal has ${size} bytes`)
  rmSync(file)
  return appendCount
}

function fileOf(scratch: string, megabytes: number): string {
  return path.join(scratch, `${megabytes}.jsonl`)
}

function writeRecords(file: string, megabytes: number): void {
  const lines = Array.from({ length: 5000 }, (_, index) => `${JSON.stringify(record(index))}\n`)
  const chunk = Buffer.from(lines.join(''))
  const fd = openSync(file, 'w')
  for (let done = 0; done < megabytes * 1_000_000; done += chunk.length) writeSync(fd, chunk)
  closeSync(fd)
}

/** The floor: reads and parses lines of equal length with no error handling. */
function parseOnly(scratch: string): number {
  const file = fileOf(scratch, 50)
  const fd = openSync(file, 'r')
  const chunk = Buffer.alloc(recordBytes * 320)
  let records = 0
  for (;;) {
    const length = readSync(fd, chunk, 0, chunk.length, null)
    if (length === 0) break
    for (let start = 0; start < length; start += recordBytes) {
      const value = JSON.parse(chunk.toString('utf8', start, start + recordBytes)) as {
        ok: boolean
      }
      if (value.ok) records++
    }
  }
  closeSync(fd)
  return (records * recordBytes) / 1_000_000
}

function readBack(file: string): number {
  let ok = 0
  const summary = readJournalSync(file, (entry) => {
    if (entry.record.ok === true) ok++
  })
  if (ok !== summary.records || summary.skippedLines > 0) throw new Error('records were lost')
  return (summary.records * recordBytes) / 1_000_000
}
