// Lines, repeated keys and the first fault of JSON texts, by exact values.
import { describe, expect, it } from 'vitest'
import { scanJson } from './json-positions.ts'

function linesOf(text: string): Record<string, number> {
  const { positions, failure } = scanJson(text)
  expect(failure).toBeUndefined()
  return Object.fromEntries(positions)
}

describe('the first fault of a JSON text', () => {
  it.each<[string, number, string]>([
    ['', 0, 'the file is empty'],
    [' \t\r\n', 4, 'the file is empty'],
    ['1 2', 2, 'unexpected text after the end'],
    ['{}}', 2, 'unexpected text after the end'],
    ['x', 0, 'a value is expected here'],
    ['[,]', 1, 'a value is expected here'],
    ['[1,]', 3, 'a value is expected here'],
    ['{"a":}', 5, 'a value is expected here'],
    ['\u00a0', 0, 'a value is expected here'],
    ['{1}', 1, 'a key in double quotes is expected here'],
    ['{', 1, 'a key in double quotes is expected here'],
    ['{"a": 1,}', 8, 'a key in double quotes is expected here'],
    ['{"a" 1}', 5, '":" is expected here'],
    ['{"a": 1 "b"}', 8, '"," or "}" is expected here'],
    ['{"a": 1]', 7, '"," or "}" is expected here'],
    ['[1 2]', 3, '"," or "]" is expected here'],
    ['[1}', 2, '"," or "]" is expected here'],
    ['[', 1, 'a value is expected here'],
    ['"a', 0, 'this text is not closed'],
    [' "a\n"', 1, 'this text is not closed'],
    ['"\u001f"', 0, 'this text is not closed'],
    ['"a\\x"', 2, 'this escape is unknown'],
    ['"\\u12g4"', 1, 'this escape is unknown'],
    ['"\\', 1, 'this escape is unknown'],
    ['01', 1, 'unexpected text after the end'],
    ['-', 0, 'a value is expected here'],
    ['1.', 1, 'unexpected text after the end'],
    ['.5', 0, 'a value is expected here'],
    ['+1', 0, 'a value is expected here'],
    ['1e', 1, 'unexpected text after the end'],
    ['True', 0, 'a value is expected here'],
  ])('of %j is at offset %i: %s', (text, offset, reason) => {
    expect(scanJson(text).failure).toEqual({ offset, reason })
  })

  it('is a depth above 200', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(scanJson(nested(201)).failure).toBeUndefined()
    expect(scanJson(nested(202)).failure).toEqual({
      offset: 201,
      reason: 'it is nested too deeply',
    })
  })
})

describe('a JSON text without a fault', () => {
  it.each([
    ...['0', '-0', '10', '1.50', '-1e5', '1E+05', '1.2e-3', 'true', 'false', 'null', '""'],
    ...['" "', '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uABcd"', '"\u007f"', '[]', '{}', '[ ]', '{ }'],
    ...['\t\r\n 1\t\r\n '],
  ])('is %j', (text) => {
    expect(scanJson(text)).toEqual({ positions: new Map(), repeated: [] })
  })

  it('has the line of every key and item', () => {
    const text = '{\n"a"\n:\n1,\n\n"b": [10,\n[20]\n, {"c": "x\\ny"}], "d e":{}\n}\n'
    expect(linesOf(text)).toEqual({
      '["a"]': 2,
      '["b"]': 6,
      '["b",0]': 6,
      '["b",1]': 7,
      '["b",1,0]': 7,
      '["b",2]': 8,
      '["b",2,"c"]': 8,
      '["d e"]': 8,
    })
  })

  it('lists keys that occur again in one object, with the line of the last', () => {
    const text = '{"a": {"b": 1},\n"c": {"b": 2},\n"\\u0061": 3,\n"a": [{"x": 1,\n"x": 2}]}'
    const { positions, repeated, failure } = scanJson(text)
    expect(failure).toBeUndefined()
    expect(repeated).toEqual([
      { path: ['a'], line: 3 },
      { path: ['a'], line: 4 },
      { path: ['a', 0, 'x'], line: 5 },
    ])
    expect(positions.get('["a"]')).toBe(4)
    expect(positions.get('["a",0,"x"]')).toBe(5)
  })
})

it('a text with a fault keeps what was found before it', () => {
  const { positions, repeated } = scanJson('{"a": 1,\n"a": 2,\n"b" 3}')
  expect(Object.fromEntries(positions)).toEqual({ '["a"]': 2, '["b"]': 3 })
  expect(repeated).toEqual([{ path: ['a'], line: 2 }])
})
