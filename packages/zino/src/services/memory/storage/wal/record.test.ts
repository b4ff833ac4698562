import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JournalRecord } from './record.ts'
import { barrier, decodeRecords, encodeRecord, journalHead } from './record.ts'

const record = fc.record<JournalRecord>({
  kind: fc.constantFrom('append', 'patch', 'replaced', 'removed'),
  file: fc.string({ unit: 'grapheme', maxLength: 30 }),
  offset: fc.nat(2 ** 40),
  bytes: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  before: fc.nat(2 ** 32 - 1),
})

function journalOf(records: readonly JournalRecord[]): Buffer {
  return Buffer.concat([journalHead, ...records.map((one) => encodeRecord(one))])
}

describe('the records of a journal', () => {
  it('come back as they were written, and cut anywhere all whole ones before the cut', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 6 }), fc.nat(500), (records, cut) => {
        const journal = journalOf(records)
        expect(decodeRecords(journal)).toEqual({ records, end: journal.length, isDamaged: false })
        const torn = decodeRecords(journal.subarray(0, Math.min(cut, journal.length)))
        expect(torn.isDamaged).toBe(false)
        expect(records.slice(0, torn.records.length)).toEqual(torn.records)
        const next = journalOf(records.slice(0, torn.records.length + 1)).length
        if (torn.records.length < records.length) expect(cut).toBeLessThan(next)
      }),
    )
  })

  it('end before the first whose checksum fails; with more behind it the journal is damaged', () => {
    const records = [barrier('removed', 'a'), barrier('replaced', 'b'), barrier('removed', 'c')]
    const second = journalOf(records.slice(0, 1)).length
    const journal = journalOf(records)
    journal[second + 10] = 0x7f
    expect(decodeRecords(journal)).toMatchObject({ records: records.slice(0, 1), isDamaged: true })
    const short = journalOf(records.slice(0, 2))
    short[second + 10] = 0x7f
    expect(decodeRecords(short)).toMatchObject({ records: records.slice(0, 1), isDamaged: false })
  })

  it('are none in a file of another kind', () => {
    expect(decodeRecords(Buffer.from('hello, this is something else'))).toMatchObject({
      isDamaged: true,
    })
    expect(decodeRecords(Buffer.from('zino mem'))).toMatchObject({ records: [], isDamaged: false })
    expect(decodeRecords(Buffer.alloc(0))).toMatchObject({ records: [], isDamaged: false })
  })
})
