import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { readLastLine } from './journal.ts'
import { readTail } from './tail.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'zee-tail-'))
const file = path.join(folder, 'j.jsonl')

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('readLastLine', () => {
  test.each<[string, string | undefined]>([
    ['', undefined],
    ['\n\n', undefined],
    ['{"a":1}\n', '{"a":1}'],
    ['{"a":1}\n{"b":2}\n', '{"b":2}'],
    ['{"a":1}\n\n \r\n\n', '{"a":1}'],
    ['{"a":1}\n{"b":', '{"a":1}'],
    ['{"a":1}\n{"b":2}', '{"b":2}'],
    ['{"b":', undefined],
    ['\nnonsense\n', 'nonsense'],
  ])('of %j returns %j', (text, last) => {
    writeFileSync(file, text)
    expect(readLastLine(file)?.toString()).toBe(last)
  })

  test('finds a line that spans many blocks', () => {
    const long = `{"long":"${'y'.repeat(200_000)}"}`
    writeFileSync(file, `{"a":1}\n${long}\n${'\n'.repeat(150_000)}{"torn":"${'z'.repeat(100_000)}`)
    const tail = readTail(file)
    expect(tail.lastLine?.toString()).toBe(long)
    expect(tail.torn?.length).toBe(100_009)
  })

  test('agrees with splitting the entire text', () => {
    const lengths = fc.integer({ min: 0, max: 70_000 })
    fc.assert(
      fc.property(fc.array(lengths, { maxLength: 5 }), fc.boolean(), (sizes, ended) => {
        const lines = sizes.map((size, index) => String(index).repeat(size))
        writeFileSync(file, lines.join('\n') + (ended ? '\n' : ''))
        const complete = ended ? lines : lines.slice(0, -1)
        const wanted = complete.findLast((line) => line !== '')
        expect(readLastLine(file)?.toString()).toBe(wanted)
      }),
      { numRuns: 60 },
    )
  })

  test('returns undefined for a missing file and throws for a folder', () => {
    expect(readLastLine(path.join(folder, 'no'))).toBeUndefined()
    expect(() => readLastLine(folder)).toThrow('it is a folder')
  })
})
