import { expect, it } from 'vitest'
import { pythonRepr } from './python-repr.ts'

it.each([
  ['a b', "'a b'"],
  ['', "''"],
  ["it's", `"it's"`],
  [`'"`, `'\\'"'`],
  ['a\\b', "'a\\\\b'"],
  ['\n\r\t', "'\\n\\r\\t'"],
  ['\0\u007f\u00a0\u00ff', "'\\x00\\x7f\\xa0\u00ff'"],
  ['\u00ad\u0100\u2028\ue000', "'\\xad\u0100\\u2028\\ue000'"],
  ['\u{1f600}\u{e0001}', "'\u{1f600}\\U000e0001'"],
])('the text %j is quoted as %s', (text, quoted) => {
  expect(pythonRepr(text)).toBe(quoted)
})
