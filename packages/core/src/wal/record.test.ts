import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { WalRecord } from './record.ts'
import { barrier, decodeRecords, encodeRecord } from './record.ts'

const header = 'test log 1\n'

const record = fc.record<WalRecord>({
  kind: fc.constantFrom('append', 'patch', 'replaced', 'removed'),
  file: fc.string({ unit: 'grapheme', maxLength: 30 }),
  offset: fc.nat(2 ** 40),
  bytes: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  checksum: fc.nat(2 ** 32 - 1),
})

function encodeLog(records: readonly WalRecord[]): Buffer {
  return Buffer.concat([Buffer.from(header), ...records.map((one) => encodeRecord(one))])
}

describe('decodeRecords', () => {
  it('returns the records as they were written, and of a log cut anywhere all complete ones', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 6 }), fc.nat(500), (records, cut) => {
        const log = encodeLog(records)
        const decoded = decodeRecords(log, header)
        expect(decoded).toEqual({ records, end: log.length, isDamaged: false })
        const torn = decodeRecords(log.subarray(0, Math.min(cut, log.length)), header)
        expect(torn.isDamaged).toBe(false)
        expect(records.slice(0, torn.records.length)).toEqual(torn.records)
        const next = encodeLog(records.slice(0, torn.records.length + 1)).length
        if (torn.records.length < records.length) expect(cut).toBeLessThan(next)
      }),
    )
  })

  it('stops at the first wrong checksum and reports damage when more records follow', () => {
    const records = [barrier('removed', 'a'), barrier('replaced', 'b'), barrier('removed', 'c')]
    const second = encodeLog(records.slice(0, 1)).length
    const log = encodeLog(records)
    log[second + 10] = 0x7f
    expect(decodeRecords(log, header)).toMatchObject({
      records: records.slice(0, 1),
      isDamaged: true,
    })
    const short = encodeLog(records.slice(0, 2))
    short[second + 10] = 0x7f
    expect(decodeRecords(short, header)).toMatchObject({
      records: records.slice(0, 1),
      isDamaged: false,
    })
  })

  it('reports a file of another kind as damaged, and a torn header as an empty log', () => {
    const decode = (text: string) => decodeRecords(Buffer.from(text), header)
    expect(decode('hello, this is something else')).toMatchObject({ isDamaged: true })
    expect(decode('test l')).toMatchObject({ records: [], isDamaged: false })
    expect(decode('')).toMatchObject({ records: [], isDamaged: false })
  })
})
