import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LineChild } from '../../test/line-child.ts'
import { openJournal, readJournal, readJournalSync } from './journal.ts'
import type { JournalSummary, ReadJournalOptions, SkippedLine } from './journal.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'zee-reader-'))
  file = path.join(folder, 'j.jsonl')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Read {
  records: [line: number, offset: number, raw: string][]
  skipped: SkippedLine[]
  summary: JournalSummary
}

describe('reading a journal', () => {
  test('returns each record with its line, offset and bytes, and skips other lines', async () => {
    const lines = [
      '{"a":1}',
      '',
      '{"b":"\u00fc"}',
      '  \t',
      'nonsense',
      '[1]',
      'null',
      '{"c":3}\r',
      '',
    ]
    const read = await readBothWays(lines.join('\n'))
    expect(read.records).toEqual([
      [1, 0, '{"a":1}'],
      [3, 9, '{"b":"\u00fc"}'],
      [8, 42, '{"c":3}\r'],
    ])
    expect(read.skipped).toEqual([
      { line: 5, offset: 24, bytes: 8, why: 'not_json' },
      { line: 6, offset: 33, bytes: 3, why: 'not_an_object' },
      { line: 7, offset: 37, bytes: 4, why: 'not_an_object' },
    ])
    expect(read.summary).toEqual({
      records: 3,
      lines: 8,
      blankLines: 2,
      skippedLines: 3,
      skippedBytes: 15,
      tornTail: false,
    })
  })

  test('skips and reports a torn last line', async () => {
    const { summary } = await readBothWays('{"a":1}\n{"b":')
    expect(summary).toMatchObject({ records: 1, skippedLines: 1, skippedBytes: 5, tornTail: true })
  })

  test('accepts a complete object without a newline at the end', async () => {
    const { summary } = await readBothWays('{"a":1}\n{"b":2}')
    expect(summary).toMatchObject({ records: 2, skippedLines: 0, tornTail: true })
  })

  test('skips a line that is not UTF-8, but not one that contains U+FFFD', async () => {
    const bad = Buffer.from('{"a":"\xff"}\n{"b":"\xc3"}\n', 'latin1')
    const { summary, skipped } = await readBothWays(
      Buffer.concat([bad, Buffer.from('{"c":"\uFFFD"}\n')]),
    )
    expect(summary).toMatchObject({ records: 1, skippedLines: 2, tornTail: false })
    expect(skipped.map(({ why }) => why)).toEqual(['not_utf8', 'not_utf8'])
  })

  test('skips a line over the maximum and reports its length', async () => {
    const text = `{"a":1}\n{"long":"${'x'.repeat(300_000)}"}\n{"b":2}\n`
    const { summary, skipped } = await readBothWays(text, { maxLineBytes: 1000 })
    expect(summary).toMatchObject({ records: 2, skippedLines: 1, skippedBytes: 300_011 })
    expect(skipped).toEqual([{ line: 2, offset: 8, bytes: 300_011, why: 'too_long' }])
  })

  test('returns nothing for an empty file', async () => {
    const { summary } = await readBothWays('')
    expect(summary).toMatchObject({ records: 0, lines: 0, tornTail: false })
  })

  test('returns any appended records unchanged between lines of noise', async () => {
    const noise = fc.constantFrom('', ' ', '{"torn', '\xff\xfe', '7', '"text"', '[{}]')
    const item = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), noise)
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 20 }), async (items) => {
        const lines = items.map((one) =>
          typeof one === 'string' ? Buffer.from(one, 'latin1') : Buffer.from(JSON.stringify(one)),
        )
        const newline = Buffer.from('\n')
        const read = await readBothWays(Buffer.concat(lines.flatMap((line) => [line, newline])))
        const wanted = items.filter((one) => typeof one !== 'string')
        expect(read.records.map(([, , raw]) => raw)).toEqual(
          wanted.map((one) => JSON.stringify(one)),
        )
        expect(read.summary.lines).toBe(items.length)
      }),
      { numRuns: 50 },
    )
  })

  test('returns a record of 30 MB unchanged', async () => {
    const journal = openJournal(file)
    journal.append({ big: '\u00fcx'.repeat(10_000_000) })
    journal.append({ small: 1 })
    journal.close()
    const sizes: number[] = []
    readJournalSync(file, ({ raw }) => void sizes.push(raw.length))
    expect(sizes).toEqual([30_000_010, 11])
    for await (const { record } of readJournal(file)) expect(Object.keys(record)).toHaveLength(1)
  })
})

describe('stopping early', () => {
  test('is possible by returning false', () => {
    writeFileSync(file, '{"a":1}\n{"a":2}\n{"a":3}\n')
    const summary = readJournalSync(file, ({ line }) => line < 2)
    expect(summary.records).toBe(2)
  })

  test('by leaving the loop closes the file, and a second loop starts at the beginning', async () => {
    writeFileSync(file, '{"a":1}\n{"a":2}\n')
    const reading = readJournal(file)
    for await (const { line } of reading) {
      expect(line).toBe(1)
      break
    }
    const lines: number[] = []
    for await (const { line } of reading) lines.push(line)
    expect(lines).toEqual([1, 2])
    expect(reading.summary.records).toBe(2)
  })

  test('by an error of the callback rethrows it unchanged', () => {
    writeFileSync(file, '{"a":1}\n')
    const failing = (): never => {
      throw new TypeError('mine')
    }
    expect(() => readJournalSync(file, failing)).toThrow(new TypeError('mine'))
  })
})

describe('a reading error', () => {
  test('names a missing file or a folder and the reason', async () => {
    const missing = path.join(folder, 'no.jsonl')
    const reason = `cannot read ${missing}: no such file or folder`
    expect(() => readJournalSync(missing, () => undefined)).toThrow(reason)
    await expect(drain(missing)).rejects.toMatchObject({ code: 'enoent', message: reason })
    expect(() => readJournalSync(folder, () => undefined)).toThrow('it is a folder')
    await expect(drain(folder)).rejects.toMatchObject({ code: 'eisdir' })
  })

  test('is thrown for a named pipe, without blocking', async () => {
    execFileSync('mkfifo', [file])
    expect(() => readJournalSync(file, () => undefined)).toThrow('it is not a regular file')
    await expect(drain(file)).rejects.toMatchObject({ code: 'not_a_file' })
  })
})

test('readJournalSync uses constant memory', async () => {
  const block = `${JSON.stringify({ pad: 'x'.repeat(180) })}\n`.repeat(50_000)
  writeFileSync(file, block)
  const small = await memoryOfReading()
  for (let count = 0; count < 9; count++) writeFileSync(file, block, { flag: 'a' })
  const runs = [await memoryOfReading(), await memoryOfReading(), await memoryOfReading()]
  expect([small, ...runs].map(({ records }) => records)).toEqual([
    50_000, 500_000, 500_000, 500_000,
  ])
  // The file grows tenfold, by 90 MB. The garbage collector of a busy machine may run late, but not always.
  const least = Math.min(...runs.map(({ maxRssKiB }) => maxRssKiB))
  expect(least - small.maxRssKiB).toBeLessThan(30_000)
})

async function memoryOfReading(): Promise<{ records: number; maxRssKiB: number }> {
  const child = new LineChild('journal-reading', [file])
  expect(await child.ended).toEqual({ code: 0, signal: null, stderr: '' })
  const [records = 0, maxRssKiB = 0] = (child.lines[0] ?? '').split(' ').map(Number)
  return { records, maxRssKiB }
}

async function readBothWays(
  text: string | Buffer,
  options: ReadJournalOptions = {},
): Promise<Read> {
  writeFileSync(file, text)
  const sync: Read = { records: [], skipped: [], summary: emptySummary }
  const syncOptions = { ...options, onSkipped: (line: SkippedLine) => void sync.skipped.push(line) }
  sync.summary = readJournalSync(
    file,
    ({ line, offset, raw }) => void sync.records.push([line, offset, raw.toString()]),
    syncOptions,
  )
  const later: Read = { records: [], skipped: [], summary: emptySummary }
  const onSkipped = (line: SkippedLine): void => void later.skipped.push(line)
  const reading = readJournal(file, { ...options, onSkipped })
  for await (const { line, offset, raw, record } of reading) {
    expect(record).toEqual(JSON.parse(raw.toString()))
    later.records.push([line, offset, raw.toString()])
  }
  later.summary = reading.summary
  expect(later).toEqual(sync)
  return sync
}

async function drain(target: string): Promise<void> {
  for await (const entry of readJournal(target)) expect(entry.line).toBeGreaterThan(0)
}

const emptySummary: JournalSummary = {
  records: 0,
  lines: 0,
  blankLines: 0,
  skippedLines: 0,
  skippedBytes: 0,
  tornTail: false,
}
