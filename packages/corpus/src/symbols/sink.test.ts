import { expect, test } from 'vitest'
import { SymbolSink } from './sink.ts'

test('a sink returns its symbols in file order with their lines', () => {
  const sink = new SymbolSink('all')
  sink.add('b', 'later', 4)
  sink.add('a', 'first', 0)
  sink.add('c', 'atLineEnd', 1)
  sink.add('d', 'second', 2)
  sink.add('e', 'last', 6)
  expect(sink.finish('x\ny\n\nz')).toEqual([
    { kind: 'a', name: 'first', line: 1 },
    { kind: 'c', name: 'atLineEnd', line: 1 },
    { kind: 'd', name: 'second', line: 2 },
    { kind: 'b', name: 'later', line: 3 },
    { kind: 'e', name: 'last', line: 4 },
  ])
})

test('a sink returns a name once per offset, with its first kind', () => {
  const sink = new SymbolSink('outline')
  sink.add('class', 'a', 0)
  sink.add('type', 'a', 0)
  sink.add('type', 'b', 0)
  sink.add('class', 'a', 1)
  sink.add('type', '', 2)
  expect(sink.finish('aaaa')).toEqual([
    { kind: 'class', name: 'a', line: 1 },
    { kind: 'type', name: 'b', line: 1 },
    { kind: 'class', name: 'a', line: 1 },
    { kind: 'type', name: '', line: 1 },
  ])
})

test('a sink decodes names and knows its detail', () => {
  const sink = new SymbolSink('outline')
  sink.add('def', Buffer.from('é').toString('latin1'), 0)
  expect(sink.finish('')).toEqual([{ kind: 'def', name: 'é', line: 1 }])
  expect([sink.detail, sink.wantsAll, new SymbolSink('all').wantsAll]).toEqual([
    'outline',
    false,
    true,
  ])
  expect(sink.isTruncated).toBe(false)
  sink.markTruncated()
  expect(sink.isTruncated).toBe(true)
})
