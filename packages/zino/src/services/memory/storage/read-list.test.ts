import { closeSync, openSync, promises, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tempFolder } from '../../../../test/temp-folder.ts'
import { elementText, listEnd, listTail, listText, parseList } from './list-text.ts'
import { readLast } from './read-list.ts'
import { scanList } from './scan-list.ts'

const file = () => path.join(tempFolder(), 'list.json')

function lastOf(text: string | Buffer, count: number): object[] | undefined {
  const at = file()
  writeFileSync(at, text)
  const descriptor = openSync(at, 'r')
  onTestFinished(() => closeSync(descriptor))
  return readLast(descriptor, statSync(at).size, count)
}

const odd = fc.constantFrom(
  '\n  {',
  '\n]',
  '"',
  '\\',
  '{',
  '},\n  {',
  '\u2028',
  'é',
  '😀',
  '\ud800',
  'x',
)
const text = fc.array(odd, { maxLength: 8 }).map((parts) => parts.join(''))
const message = fc.record({ role: text, content: text })
const messages = fc.array(message, { minLength: 1, maxLength: 30 })
const written = messages.map((list) => ({ list, text: listText(list) }))
const foreign = fc.tuple(messages, fc.constantFrom(0, 1, 2, 4, '\t')).map(([list, indent]) => ({
  list,
  text: JSON.stringify(list, undefined, indent),
}))

describe('a list file', () => {
  it('yields the same last elements as a complete read, in any form', () => {
    fc.assert(
      fc.property(
        fc.oneof(written, foreign),
        fc.integer({ min: 1, max: 40 }),
        ({ list, text }, count) => {
          expect(lastOf(text, count)).toEqual(list.slice(-count))
        },
      ),
      { numRuns: 60 },
    )
  })

  it('yields its last elements when it has many megabytes', () => {
    const list = Array.from({ length: 3000 }, (_, at) => ({
      role: 'user',
      content: `${at} ${'y'.repeat(500)}`,
    }))
    for (const indent of [2, 1, 0]) {
      const whole = JSON.stringify(list, undefined, indent)
      for (const count of [1, 50, 999, 3000, 5000]) {
        expect(lastOf(whole, count)).toEqual(list.slice(-count))
      }
    }
    const lead = { role: 'user', content: 'z'.repeat(300_000) }
    expect(lastOf(listText([lead, lead, ...list.slice(0, 2)]), 3)).toEqual([
      lead,
      ...list.slice(0, 2),
    ])
  })

  it.each([
    '',
    'nonsense',
    '{"a": 1}',
    '[1, 2]',
    '[{"a":1},',
    '[{"a":1}',
    'null',
    '[null]',
    '[[]]',
  ])('is refused when it holds %j', (text) => {
    expect(lastOf(text, 3)).toBeUndefined()
  })

  it('is refused when it is not UTF-8', () => {
    expect(
      parseList(Buffer.from([0x5b, 0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d, 0x5d])),
    ).toBeUndefined()
  })

  it('equals the text of the complete list after appends over its end', () => {
    fc.assert(
      fc.property(fc.array(messages, { minLength: 1, maxLength: 5 }), (parts) => {
        let bytes = Buffer.alloc(0)
        for (const part of parts) {
          const texts = part.map((one) => elementText(one))
          const tail = listTail(bytes.subarray(-64), bytes.length)
          const offset = tail.kind === 'open' ? tail.offset : 0
          const end = listEnd(texts, tail.kind !== 'open')
          bytes = Buffer.concat([bytes.subarray(0, offset), end.bytes])
          for (const [at, start] of end.starts.entries()) {
            const own = Buffer.from(texts[at] as string)
            expect(bytes.subarray(offset + start, offset + start + own.length).equals(own)).toBe(
              true,
            )
          }
        }
        expect(bytes.toString()).toBe(listText(parts.flat()))
      }),
    )
  })

  it.each([
    '[]',
    '[ ]',
    '[\n]',
    '[\n\n]\n',
    '',
    '[{"a":1}]',
    '  '.repeat(60),
    `${' '.repeat(100)}\n]`,
  ])('that ends like %j is not appended to in place', (text) => {
    expect(listTail(Buffer.from(text).subarray(-64), text.length)).toEqual({ kind: 'other' })
  })

  it('is appended to in place despite trailing white space', () => {
    expect(listTail(Buffer.from('[\n  {}\n]\n\n'), 10)).toEqual({ kind: 'open', offset: 6 })
  })

  it('is scanned in pieces with the offset of every element', async () => {
    const list = Array.from({ length: 4000 }, (_, at) => ({
      role: at % 7 === 0 ? 'é😀\n  {' : 'user',
      content: 'x'.repeat(at % 1000 === 5 ? 400_000 : at % 300),
    }))
    for (const end of ['', '\n', '\n\n']) {
      const bytes = Buffer.from(listText(list) + end)
      const found = await scan(bytes)
      expect(found?.elements).toEqual(list)
      for (const [at, start] of (found?.starts ?? []).entries()) {
        expect(bytes.toString('utf8', start, start + 1)).toBe('{')
        if (at % 100 === 0)
          expect(bytes.indexOf(elementText(list[at] as object), start)).toBe(start)
      }
      expect(bytes.toString('utf8', found?.end ?? 0)).toBe(`\n]${end}`)
    }
  })

  it.each([0, 1, 2, 40, 50, 60, 64, 100])(
    'is scanned to its end with %d characters of text',
    async (length) => {
      const bytes = Buffer.from(listText([{ a: 'x'.repeat(length) }, {}]))
      expect(await scan(bytes)).toEqual({
        elements: [{ a: 'x'.repeat(length) }, {}],
        starts: [4, bytes.length - 4],
        end: bytes.length - 2,
      })
    },
  )

  it.each([
    '',
    '[]',
    '[\n]',
    '[\n  {"a":1}',
    '[\n  {"a":1},\n]',
    '[\n  {"a":1}\n  {"b":1}\n]',
    '[\n  {"a":\n  {}}\n]',
  ])('is not scanned when it holds %j', async (text) => {
    expect(await scan(Buffer.from(text))).toBeUndefined()
  })
})

async function scan(bytes: Buffer) {
  const at = file()
  writeFileSync(at, bytes)
  const handle = await promises.open(at, 'r')
  const elements: object[] = []
  const starts: number[] = []
  try {
    const end = await scanList(handle, (scanned) => {
      elements.push(...scanned.elements)
      starts.push(...scanned.starts)
    })
    return end === undefined ? undefined : { elements, starts, end }
  } finally {
    await handle.close()
  }
}
