import { expect, test } from 'vitest'
import { eachTerm, hashOf, stem } from './tokens.ts'

function termsOf(text: string): string[] {
  const terms: string[] = []
  eachTerm(text, (term) => terms.push(term.text))
  return terms
}

test.each([
  ['', []],
  ['a lock of the owner', ['lock', 'owner']],
  ['HTTPServer', ['httpserver', 'http', 'server']],
  ['parseJSON5File', ['parsejson5file', 'pars', 'json', 'file']],
  ['snake_case $name x1', ['snake_case', 'snak', 'case', '$name', 'x1']],
  ['v10 2024', ['v10', '10', '2024']],
  ['\u00dcber caf\u00e9s', ['\u00fcber', 'caf\u00e9s']],
  ['isUsed', ['isus']],
  ['w'.repeat(64), ['w'.repeat(64)]],
  ['w'.repeat(65), []],
])('the terms of %j are %j', (text, terms) => {
  expect(termsOf(text)).toEqual(terms)
  // The second time, the words are known.
  expect(termsOf(text)).toEqual(terms)
})

test.each([
  ['queries', 'query'],
  ['ties', 'tie'],
  ['classes', 'class'],
  ['watches', 'watch'],
  ['pushes', 'push'],
  ['boxes', 'box'],
  ['quizzes', 'quizz'],
  ['files', 'file'],
  ['locks', 'lock'],
  ['pass', 'pass'],
  ['status', 'status'],
  ['basis', 'basis'],
  ['parsing', 'pars'],
  ['stopped', 'stop'],
  ['stopping', 'stop'],
  ['passed', 'pass'],
  ['called', 'call'],
  ['missing', 'miss'],
  ['buzzing', 'buzz'],
  ['string', 'string'],
  ['thing', 'thing'],
  ['sing', 'sing'],
  ['bed', 'bed'],
  ['cached', 'cach'],
  ['cache', 'cach'],
  ['file', 'file'],
  ['tree', 'tree'],
  ['abs', 'abs'],
  ['fs2s', 'fs2s'],
  ['rows', 'row'],
])('the stem of %s is %s', (word, root) => {
  expect(stem(word)).toBe(root)
})

test.each([
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['foobar', 0xbf9cf968],
])('the hash of %j is that of FNV-1a', (text, hash) => {
  expect(hashOf(text)).toBe(hash)
})
