// Compares the engines for patterns on a fixed list of subjects.
import { expect } from 'vitest'
import { bufferLines } from '../../src/regex/dfa/dfa.ts'
import { fallbackEngine } from '../../src/regex/fallback-engine.ts'
import { parseRegex } from '../../src/regex/parse/parse.ts'
import { compileRegex } from '../../src/regex/regex.ts'
import { prepareSearch } from '../../src/regex/search.ts'
import { decodeText } from '../../src/text/text.ts'

const subjects = [
  '',
  'a',
  'b',
  'ab',
  'aab',
  'ba',
  'A',
  'abc',
  'ac',
  'aa',
  'aaa',
  'a\nb',
  'b\na\n',
  '\n',
  'é',
  'É',
  'aé b',
  '1',
  ' ',
  'x1 y',
  'k',
  'K',
  'K',
  'sſ',
  'iıİI',
  '😀a',
  'a{',
  'abcdefgh',
  'cb',
  'c',
  'abb',
  'a b',
  'a\r\nb\rc',
  'abab',
  'aaaa b',
  '_a_',
  '\x85',
  'ß',
  'ςσΣ',
  'ab\n',
  '\u001c',
  '٣',
  '\u0000\u0007\u000b',
  'ABC',
  'foo 12\nbar é_\n\nfoo',
]

/** Expects the first match in each subject: its index in base 36, or a dot. */
export function expectMatches(pattern: string, ignoreCase: boolean, expected: string): void {
  const regex = parseRegex(pattern, { ignoreCase })
  const find = fallbackEngine(regex, false)
  expect(subjects.map((text) => shown(find(text))).join('')).toBe(expected)
  const { program } = compileRegex(pattern, { ignoreCase, lines: false })
  const whole = prepareSearch(program)
  expect(subjects.map((text) => whole.test(text))).toEqual(Array.from(expected, (at) => at !== '.'))
  expectLines(pattern, ignoreCase, expected)
}

function shown(index: number): string {
  return index < 0 ? '.' : index.toString(36)
}

/** Each engine finds the same lines; on a single line, the match in the whole text. */
function expectLines(pattern: string, ignoreCase: boolean, expected: string): void {
  const regex = parseRegex(pattern, { ignoreCase })
  const find = fallbackEngine(regex, true)
  const { program } = compileRegex(pattern, { ignoreCase, lines: true })
  const search = prepareSearch(program)
  const automaton = bufferLines(regex, '')
  for (const [index, text] of subjects.entries()) {
    const bytes = Buffer.from(text)
    const isOneLine = text !== '' && !/[\r\n]/.test(text)
    const at = Number.parseInt(expected.charAt(index), 36)
    const onOneLine = expected.charAt(index) === '.' ? [] : [1, at + 1]
    const found = isOneLine ? onOneLine : eachLine(text, find)
    expect(search.lines(bytes, 10), text).toEqual(found)
    expect(search.lines(bytes, 1), text).toEqual(found.slice(0, 2))
    if (automaton !== undefined) expect(automaton(bytes, 10), text).toEqual(found)
  }
}

function eachLine(text: string, find: (line: string) => number): number[] {
  const lines = decodeText(Buffer.from(text)).split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.flatMap((line, index) => (find(line) < 0 ? [] : [index + 1, find(line) + 1]))
}
