import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { writePack } from '../../../test/support/packs.ts'
import type { PackedObject, WrittenPack } from '../../../test/support/packs.ts'
import { put, tree } from '../../../test/support/trees.ts'
import { ByteCache } from './byte-cache.ts'
import { Objects } from './objects.ts'
import type { GitObject } from './objects.ts'
import { Pack } from './pack.ts'

const problem = (message: string): Error =>
  expect.objectContaining({ message, code: 'git' }) as Error

const nameOf = (start: string, digit = '0'): string => start.padEnd(40, digit)
const noBase = (): GitObject => {
  throw new Error('no base')
}

function packOf(
  objects: readonly PackedObject[],
  options: { large?: string[]; maxLoaded?: number; cacheBytes?: number } = {},
): { pack: Pack; written: WrittenPack; file: string; read: (name: string) => GitObject } {
  const file = path.join(tree({}), 'p')
  const written = writePack(file, objects, options)
  const pack = new Pack(file, 20, new ByteCache(options.cacheBytes ?? 0), options.maxLoaded)
  const read = (name: string): GitObject =>
    pack.read(pack.find(Buffer.from(name, 'hex')) ?? -1, noBase)
  return { pack, written, file, read }
}

const blob = (name: string, text: string | Buffer): PackedObject => ({
  name,
  code: 3,
  bytes: Buffer.from(text),
})

/** A delta that appends bytes to a base of less than 128 bytes. */
function appending(base: Buffer, more: string): Buffer {
  const copy = base.length === 0 ? [] : [0x90, base.length]
  const head = [base.length, base.length + more.length, ...copy, more.length]
  return Buffer.concat([Buffer.from(head), Buffer.from(more)])
}

describe('a pack', () => {
  test('has objects of four types and of any size', () => {
    const sizes = [0, 1, 15, 16, 17, 127, 128, 2047, 2048, 2049, 40_000, 300_000]
    const objects = sizes.map((size, at) => ({
      name: nameOf(`a${at % 10}${Math.floor(at / 10)}`),
      code: 1 + (at % 4),
      bytes: Buffer.alloc(size, `content ${at} `),
    }))
    const { read, pack } = packOf(objects)
    for (const [at, { name, bytes }] of objects.entries()) {
      const found = read(name)
      expect(found.type).toBe(['commit', 'tree', 'blob', 'tag'][at % 4])
      expect(found.bytes.equals(bytes)).toBe(true)
    }
    pack.close()
  })

  test.each([undefined, 0])(
    'finds names at the bounds of its index (loaded up to %j bytes)',
    (max) => {
      const names = ['00', '0000ff', '01', '7f', '80', 'fe', 'ff', 'ff00ff', 'ffff'].flatMap(
        (start) => [nameOf(start), nameOf(start, '1'), nameOf(start, 'f')],
      )
      const objects = [...new Set(names)].map((name) => blob(name, name))
      const options = { large: names.slice(3, 6), ...(max === undefined ? {} : { maxLoaded: max }) }
      const { pack, written, read } = packOf(objects, options)
      for (const { name } of objects) {
        expect(pack.find(Buffer.from(name, 'hex'))).toBe(written.offsets.get(name))
        expect(read(name).bytes.toString()).toBe(name)
      }
      for (const start of ['000001', '02', '7e', '81', 'fd', 'ff01', 'fffe']) {
        expect(pack.find(Buffer.from(nameOf(start, '7'), 'hex'))).toBeUndefined()
      }
      pack.close()
    },
  )

  test.each(['aa00', 'aa80', 'aaff'])('finds 400 names that all start with %s', (start) => {
    const names = Array.from({ length: 400 }, (_, at) => nameOf(`${start}${1000 + at}`))
    const { pack, written } = packOf(
      names.map((name) => blob(name, '')),
      { maxLoaded: 0 },
    )
    expect(names.map((name) => pack.find(Buffer.from(name, 'hex')))).toEqual(
      names.map((name) => written.offsets.get(name)),
    )
    pack.close()
  })

  test('finds the names that start with a prefix, up to a maximum', () => {
    const names = ['ab1', 'ab12', 'ab13', 'ab2', 'ac', 'ff', 'fff'].map((start) => nameOf(start))
    const { pack } = packOf(names.map((name) => blob(name, name)))
    const matches = (prefix: string, max: number, known: string[] = []): string[] => {
      const found = new Set(known)
      pack.addMatches(prefix, found, max)
      return [...found]
    }
    expect(matches('ab1', 9)).toEqual([nameOf('ab1'), nameOf('ab12'), nameOf('ab13')])
    expect(matches('ab1', 2)).toEqual([nameOf('ab1'), nameOf('ab12')])
    expect(matches('ab1', 2, ['x'])).toEqual(['x', nameOf('ab1')])
    expect(matches('ab1', 1, ['x'])).toEqual(['x'])
    expect(matches('ff', 9)).toEqual([nameOf('ff'), nameOf('fff')])
    expect(matches('ab3', 9)).toEqual([])
    expect(matches(nameOf('ac'), 9)).toEqual([nameOf('ac')])
    pack.close()
  })

  test.each([0, 1 << 20])('applies chains of deltas with a cache of %i bytes', (cacheBytes) => {
    const [base, one, two, byName] = ['b0', 'b1', 'b2', 'b3'].map((start) => nameOf(start)) as [
      ...[string, string, string, string],
    ]
    const objects: PackedObject[] = [
      blob(base, 'base'),
      blob(nameOf('c0'), Buffer.from(Array.from({ length: 300 }, (_, at) => (at * 7919) & 255))),
      { name: one, code: 6, base, bytes: appending(Buffer.from('base'), '+1') },
      { name: two, code: 6, base: one, bytes: appending(Buffer.from('base+1'), '+2') },
      { name: byName, code: 7, base: nameOf('d0'), bytes: appending(Buffer.from('other'), '+3') },
    ]
    const { pack, read } = packOf(objects, { cacheBytes })
    for (let round = 0; round < 2; round++) {
      expect(read(two)).toEqual({ type: 'blob', bytes: Buffer.from('base+1+2') })
      expect(read(one)).toEqual({ type: 'blob', bytes: Buffer.from('base+1') })
      expect(read(base)).toEqual({ type: 'blob', bytes: Buffer.from('base') })
    }
    const names: string[] = []
    const other = pack.read(pack.find(Buffer.from(byName, 'hex')) ?? -1, (name) => {
      names.push(name)
      return { type: 'tag', bytes: Buffer.from('other') }
    })
    expect([other, names]).toEqual([{ type: 'tag', bytes: Buffer.from('other+3') }, [nameOf('d0')]])
    pack.close()
  })

  test('has deltas against bases at any distance', () => {
    const base = nameOf('b0')
    const objects: PackedObject[] = [blob(base, 'base')]
    const noise = (bytes: number): Buffer =>
      Buffer.from(
        Array.from({ length: bytes }, (_, at) => (Math.imul(at, 2_654_435_761) >>> 13) & 255),
      )
    for (const [at, bytes] of [10, 60, 100, 128, 200, 9000, 9000].entries()) {
      objects.push(blob(nameOf(`c${at}`), noise(bytes)))
      objects.push({
        name: nameOf(`d${at}`),
        code: 6,
        base,
        bytes: appending(Buffer.from('base'), `${at}`),
      })
    }
    const { pack, read } = packOf(objects)
    for (let at = 0; at < 7; at++) {
      expect(read(nameOf(`d${at}`)).bytes.toString()).toBe(`base${at}`)
    }
    pack.close()
  })

  const damaged: [string, PackedObject, number?][] = [
    ['an unknown type', { ...blob(nameOf('a'), 'x'), code: 5 }],
    ['no type', { ...blob(nameOf('a'), 'x'), code: 0 }],
    ['a delta against itself', { name: nameOf('a'), code: 6, bytes: Buffer.from('x') }],
    ['a damaged delta', { name: nameOf('a'), code: 6, base: nameOf('b'), bytes: Buffer.from('x') }],
  ]
  test.each(damaged)('with %s is damaged at that object', (_, object) => {
    const { pack, written, read } = packOf([blob(nameOf('b'), 'base'), object])
    const offset = written.offsets.get(object.name)
    expect(() => read(object.name)).toThrow(problem(`the pack p is damaged at ${offset}`))
    expect(read(nameOf('b')).bytes.toString()).toBe('base')
    pack.close()
  })

  test('with content of another size or no content is damaged where the content starts', () => {
    for (const size of [2, 4]) {
      const { pack, read } = packOf([{ ...blob(nameOf('a'), 'abc'), size }])
      expect(() => read(nameOf('a'))).toThrow(problem('the pack p is damaged at 13'))
      pack.close()
    }
    const { pack, file, read, written } = packOf([blob(nameOf('a'), 'abcdefgh')])
    writeFileSync(`${file}.pack`, written.packBytes.subarray(0, 14))
    expect(() => read(nameOf('a'))).toThrow(problem('the pack p is damaged at 13'))
    pack.close()
    const cut = packOf([blob(nameOf('a'), 'abcdefgh')])
    writeFileSync(`${cut.file}.pack`, written.packBytes.subarray(0, 12))
    expect(() => cut.read(nameOf('a'))).toThrow(problem('the pack p is damaged at 12'))
    cut.pack.close()
  })

  test('refuses an object above 1 GiB', () => {
    const size = 2 ** 30 + 1
    const { pack, read } = packOf([{ ...blob(nameOf('a'), 'x'), size }])
    expect(() => read(nameOf('a'))).toThrow(
      problem(`an object in the pack p has ${size} bytes; 1 GiB can be read`),
    )
    pack.close()
  })

  test('needs an index of version 2 that is complete', () => {
    const { file, written, pack } = packOf([blob(nameOf('a'), 'x')])
    pack.close()
    const open = (): Pack => new Pack(file, 20, new ByteCache(0))
    const broken = (at: number): Buffer => {
      const bytes = Buffer.from(written.indexBytes)
      bytes[at] = (bytes[at] as number) ^ 1
      return bytes
    }
    for (const bytes of [broken(3), broken(7), written.indexBytes.subarray(0, 1031)]) {
      writeFileSync(`${file}.idx`, bytes)
      expect(open).toThrow(problem('a pack has an index of a version that cannot be read'))
    }
    for (const length of [1032, 1051, 1058]) {
      writeFileSync(`${file}.idx`, written.indexBytes.subarray(0, length))
      const cut = open()
      expect(() => cut.find(Buffer.from(nameOf('a'), 'hex'))).toThrow(
        problem('the index of the pack p is damaged'),
      )
      cut.close()
    }
  })
})

describe('the object database', () => {
  const loose = (type: string, text: string, size = text.length): Buffer =>
    deflateSync(Buffer.from(`${type} ${size}\0${text}`))
  const place = (name: string): string => `${name.slice(0, 2)}/${name.slice(2)}`
  const open = (folders: string[], isPartial = false): Objects =>
    new Objects({ folders, nameBytes: 20, isPartial })

  test('reads loose objects of its folders, and says why one cannot be read', () => {
    const names = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map((start) => nameOf(start)) as [
      ...[string, string, string, string, string, string],
    ]
    const [one, two, odd, long, cut, gone] = names
    const first = tree({
      [place(one)]: loose('blob', 'text'),
      [place(odd)]: loose('thing', 'x'),
      [place(long)]: loose('blob', 'abc', 4),
      [place(cut)]: loose('blob', 'abc').subarray(0, 6),
    })
    const second = tree({ [place(two)]: loose('tag', ''), [place(one)]: loose('blob', 'other') })
    const objects = open([first, second])
    expect(objects.find(one)).toEqual({ type: 'blob', bytes: Buffer.from('text') })
    expect(objects.readAs(two, 'tag').length).toBe(0)
    expect(() => objects.readAs(one, 'tree')).toThrow(
      problem(`the object ${one} is a blob, not a tree`),
    )
    for (const name of [odd, long, cut]) {
      expect(() => objects.read(name)).toThrow(problem(`the object ${name} is damaged`))
    }
    expect(objects.find(gone)).toBeUndefined()
    expect(() => objects.read(gone)).toThrow(problem(`the object ${gone} is not in the repository`))
    expect(() => open([first], true).read(gone)).toThrow(
      problem(
        `the object ${gone} is not in the repository: this is a partial clone, fetch the object with git first`,
      ),
    )
    objects.close()
  })

  test('finds packs and loose objects that appear, and forgets packs that disappear', () => {
    const folder = tree({ 'pack/readme': '' })
    const objects = open([folder])
    const [packed, later, base] = [nameOf('abcd1'), nameOf('abcd2'), nameOf('ffff')]
    expect(objects.find(packed)).toBeUndefined()
    writePack(path.join(folder, 'pack/p1'), [blob(packed, 'one'), blob(base, 'base')])
    expect(objects.find(packed)?.bytes.toString()).toBe('one')
    const delta = { name: later, code: 7, base, bytes: appending(Buffer.from('base'), '!') }
    writePack(path.join(folder, 'pack/p2'), [delta])
    expect(objects.find(later)?.bytes.toString()).toBe('base!')
    put(folder, { [place(nameOf('abcd3'))]: loose('blob', 'x'), 'ab/cd': 'x', 'ab/cdxx': 'x' })
    expect(objects.matches('abcd')).toEqual([packed, later, nameOf('abcd3')])
    expect(objects.matches('abcd2')).toEqual([later])
    expect(objects.matches('1234')).toEqual([])
    for (const end of ['idx', 'pack']) rmSync(path.join(folder, `pack/p1.${end}`))
    expect(objects.matches('abcd')).toEqual([later, nameOf('abcd3')])
    objects.close()
    expect(objects.find(nameOf('abcd3'))?.bytes.toString()).toBe('x')
    objects.close()
  })

  test('returns at most 16 loose names, and three of each pack, for a prefix', () => {
    const names = Array.from({ length: 20 }, (_, at) =>
      nameOf(`abcd${String(at).padStart(2, '0')}`),
    )
    const folder = tree(Object.fromEntries(names.map((name) => [place(name), loose('blob', '')])))
    expect(open([folder]).matches('abcd')).toEqual(names.slice(0, 16))
    const other = tree({})
    mkdirSync(path.join(other, 'pack'))
    writePack(
      path.join(other, 'pack/p'),
      names.map((name) => blob(name, '')),
    )
    const objects = open([other])
    expect(objects.matches('abcd')).toEqual(names.slice(0, 3))
    objects.close()
  })
})
