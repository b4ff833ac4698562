import { expect, test } from 'vitest'
import { Collection } from './bm25.ts'
import { DocumentStore } from './document-store.ts'
import type { FileDocument } from './document-group.ts'
import { hashOf } from './tokens.ts'

function documentsOf(store: DocumentStore, count: number, round = 0): FileDocument[] {
  store.startRequest()
  return Array.from({ length: count }, (_, at) => {
    const text = `word${at} common ${at % 2 === 0 ? 'even even' : 'odd'}`
    return store.document(`src/file${at}.ts`, `${round}`, () => Buffer.from(text))
  }).flatMap((document) => document ?? [])
}

test('documents in full segments and in the open group are scored alike', () => {
  const store = new DocumentStore(64 << 20)
  const all = documentsOf(store, 1100)
  const scores = new Collection(all).scores('content', [hashOf('even')], 0.5)
  expect(scores.every((score, at) => score > 0 === (at % 2 === 0))).toBe(true)
  for (const at of [0, 511, 512, 1099]) {
    const document = all[at] as FileDocument
    expect(document.group.has('content', hashOf(`word${at}`), document.number)).toBe(true)
    expect(document.group.has('content', hashOf('missing'), document.number)).toBe(false)
  }
})

test('statistics are those of the ranked documents only', () => {
  const some = documentsOf(new DocumentStore(64 << 20), 600).filter((_, at) => at < 10)
  const collection = new Collection(some)
  expect(collection.scores('content', [hashOf('word11')], 0.5)).toEqual(new Float64Array(10))
  expect(collection.rarity(hashOf('common'))).toBeCloseTo(Math.log(1 + 0.5 / 10.5))
})

test('a file is read again only if its stamp changes', () => {
  const store = new DocumentStore(64 << 20)
  const [first] = documentsOf(store, 1)
  store.startRequest()
  const refuse = (): never => expect.fail('the file was read again')
  expect(store.document('src/file0.ts', '0', refuse)).toBe(first)
  const changed = store.document('src/file0.ts', '1', () => Buffer.from('new'))
  expect(changed).not.toBe(first)
})

test('documents of earlier requests make room, and files beyond the limit are ranked by name', () => {
  const store = new DocumentStore(400_000)
  for (let round = 0; round < 4; round++) {
    expect(documentsOf(store, 200, round).some(({ isNamesOnly }) => isNamesOnly)).toBe(false)
  }
  const many = documentsOf(store, 2000, 9)
  expect(many[0]?.isNamesOnly).toBe(false)
  expect(many.at(-1)?.isNamesOnly).toBe(true)
  const last = many.at(-1) as FileDocument
  expect(last.group.has('file', hashOf('file1999'), last.number)).toBe(true)
})

test('a binary file has no document and is read once', () => {
  const store = new DocumentStore(1 << 20)
  let reads = 0
  const read = (): Buffer => {
    reads++
    return Buffer.from([0, 1, 2])
  }
  store.document('a.bin', 's', read)
  store.document('a.bin', 's', read)
  expect(reads).toBe(1)
})
