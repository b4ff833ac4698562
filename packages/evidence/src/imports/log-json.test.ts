import { expect, it } from 'vitest'
import { parseLogJson } from './log-json.ts'

it.each([
  ['{"a":1}', { a: 1 }],
  ['[NaN, -Infinity, Infinity, "NaN"]', [null, null, null, 'NaN']],
  [String.raw`{"a \" NaN":NaN,"b":"\\","c":NaN}`, { 'a " NaN': null, b: '\\', c: null }],
])('the JSON %s of a log has null for numbers that JSON lacks', (text, value) => {
  expect(parseLogJson(text)).toEqual(value)
})

it.each(['{"a":', 'NaN NaN', '{"a":NaN', '"Infinity'])('%j is not the JSON of a log', (text) => {
  expect(() => parseLogJson(text)).toThrow(SyntaxError)
})
