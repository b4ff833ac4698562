import { constants } from 'node:buffer'
import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { ZipWriter } from '../exports/zip-writer.ts'
import { zstdDecoder } from '../zstd/zstd.ts'
import { zipEntries } from './zip.ts'

const reversed = (bytes: Buffer) => Buffer.from(bytes).reverse()
const read = (archive: Buffer) => zipEntries(archive, 'x.eval', reversed)
const texts = (archive: Buffer) =>
  read(archive).map((entry) => [entry.name, entry.read().toString('utf8')])

function written(...entries: [string, string][]): Buffer {
  const zip = new ZipWriter()
  const parts = entries.map(([name, text]) => zip.entry(name, Buffer.from(text)))
  return Buffer.concat([...parts, zip.end()])
}

interface Entry {
  method: number
  content: Buffer
  bytes?: number
  /** Extra fields of the local entry and of the directory. */
  extra?: [number, number]
  comment?: number
}

/** An archive that is written field by field, with or without a Zip64 directory. */
function archived(entries: Entry[], { zip64 = false, comment = 0 } = {}): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [index, entry] of entries.entries()) {
    const { method, content, bytes = content.length, extra = [0, 0], comment: note = 0 } = entry
    const name = Buffer.from(`e${index}`)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(name.length, 26)
    local.writeUInt16LE(extra[0], 28)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50, 0)
    central.writeUInt16LE(method, 10)
    central.writeUInt32LE(content.length, 20)
    central.writeUInt32LE(bytes, 24)
    central.writeUInt16LE(name.length, 28)
    central.writeUInt16LE(extra[1], 30)
    central.writeUInt16LE(note, 32)
    central.writeUInt32LE(offset, 42)
    directory.push(central, name, Buffer.alloc(extra[1] + note))
    const part = Buffer.concat([local, name, Buffer.alloc(extra[0]), content])
    parts.push(part)
    offset += part.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  if (!zip64) {
    end.writeUInt16LE(entries.length, 10)
    end.writeUInt32LE(offset, 16)
    return Buffer.concat([...parts, list, end, Buffer.alloc(comment)])
  }
  const record = Buffer.alloc(56)
  record.writeBigUInt64LE(BigInt(entries.length), 32)
  record.writeBigUInt64LE(BigInt(offset), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(offset + list.length), 8)
  return Buffer.concat([...parts, list, record, locator, end, Buffer.alloc(comment)])
}

const stored = (text: string): Entry => ({ method: 0, content: Buffer.from(text) })
const deflated = (text: string): Entry => ({ method: 8, content: deflateRawSync(text) })

function refusal(of: () => unknown) {
  try {
    of()
  } catch (error) {
    const { code, message } = error as { code: string; message: string }
    return [code, message]
  }
  return undefined
}

describe('zipEntries', () => {
  it('reads what the writer of exports writes', () => {
    expect(texts(written(['a.json', '{}'], ['ü/b', 'x'.repeat(1000)]))).toEqual([
      ['a.json', '{}'],
      ['ü/b', 'x'.repeat(1000)],
    ])
    expect(texts(written())).toEqual([])
  })

  it.each([false, true])('reads stored, deflated and zstd entries with Zip64: %s', (zip64) => {
    const entries: Entry[] = [
      { ...stored('one'), extra: [3, 5], comment: 2 },
      { ...deflated('two'), extra: [1, 0] },
      { method: 93, content: Buffer.from('eerht') },
    ]
    expect(texts(archived(entries, { zip64 }))).toEqual([
      ['e0', 'one'],
      ['e1', 'two'],
      ['e2', 'three'],
    ])
  })

  it('finds the end before a comment of up to 65,557 bytes', () => {
    expect(texts(archived([stored('one')], { comment: 65_557 }))).toEqual([['e0', 'one']])
    const refused = refusal(() => read(archived([stored('one')], { comment: 65_558 })))
    expect(refused).toEqual(['ZCL_E_USAGE', 'x.eval is not a zip archive'])
  })

  it('reads an archive that is nothing but its end', () => {
    const end = Buffer.alloc(22)
    end.writeUInt32LE(0x06054b50, 0)
    expect(read(end)).toEqual([])
    expect(refusal(() => read(end.subarray(0, 21)))).toEqual([
      'ZCL_E_USAGE',
      'x.eval is not a zip archive',
    ])
  })

  it('stops at a directory entry without its signature', () => {
    const archive = archived([stored('one'), stored('two')])
    const second = archive.lastIndexOf(Buffer.from('PK\x01\x02'))
    archive.writeUInt32LE(0, second)
    expect(texts(archive)).toEqual([['e0', 'one']])
  })

  it('reads as many entries of the directory as the end of the archive states', () => {
    const archive = archived([stored('one'), stored('two')])
    archive.writeUInt16LE(1, archive.length - 22 + 10)
    expect(texts(archive)).toEqual([['e0', 'one']])
  })

  it('refuses a directory beyond the end of the archive', () => {
    const archive = archived([stored('one')])
    archive.writeUInt32LE(archive.length, archive.length - 6)
    expect(refusal(() => read(archive))).toEqual([
      'ZCL_E_USAGE',
      'x.eval: its directory is damaged',
    ])
  })

  it('ignores a Zip64 record that does not fit', () => {
    const archive = archived([stored('one')], { zip64: true })
    archive.writeBigUInt64LE(BigInt(archive.length - 55), archive.length - 22 - 12)
    expect(read(archive)).toEqual([])
  })

  it.each([
    [{ method: 12, content: Buffer.from('x') }, 'x.eval: e0 has compression method 12'],
    [{ ...stored('x'), bytes: 1024 ** 3 + 1 }, 'x.eval: e0 cannot be read: it is too large'],
    [{ method: 8, content: Buffer.from([0xff]) }, 'x.eval: e0 cannot be read: invalid block type'],
  ])('refuses an entry that cannot be read: %#', (entry, message) => {
    const [only] = read(archived([entry]))
    expect(refusal(() => only?.read())).toEqual(['ZCL_E_USAGE', message])
  })

  it('reads an entry that claims the length of the longest text', () => {
    const [only] = read(archived([{ ...stored('x'), bytes: constants.MAX_STRING_LENGTH }]))
    expect(only?.read().toString()).toBe('x')
  })

  it('refuses an entry that is larger than it states', () => {
    const bomb = deflateRawSync(Buffer.alloc(1_000_000))
    const [only] = read(archived([{ method: 8, content: bomb, bytes: 999_999 }]))
    const message = 'x.eval: e0 cannot be read: it is larger than it states'
    expect(refusal(() => only?.read())).toEqual(['ZCL_E_USAGE', message])
  })

  it('refuses entries that state 4 GiB and more in all', () => {
    const entry = { ...stored('x'), bytes: 2 ** 29 - 100 }
    const all = read(archived(Array.from({ length: 9 }, () => entry)))
    const refused = all.map((each) => refusal(() => each.read()))
    expect(refused.slice(0, 8)).toEqual(Array.from({ length: 8 }))
    expect(refused[8]).toEqual([
      'ZCL_E_USAGE',
      'x.eval: e8 cannot be read: the archive is too large',
    ])
  })
})

it('the decoder of zstd stops at its limit', async () => {
  const unzstd = await zstdDecoder()
  // A frame with one block of 100,000 equal bytes, without their size.
  const frame = Buffer.from('28b52ffd005803350c61', 'hex')
  expect(unzstd(frame, 100_000).toString()).toBe('a'.repeat(100_000))
  expect(() => unzstd(frame, 99_999)).toThrow(Error)
})
