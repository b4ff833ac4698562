import { expect, test } from 'vitest'
import { findJwts } from './jwt.ts'

const header = 'eyJhbGciOiJIUzI1NiJ9'

test.each<[what: string, before: string, token: string, after: string]>([
  ['in three parts', 'a ', `${header}.eyJzdWIi.c2ln`, ' b'],
  ['in three parts before others', 'a ', `${header}.eyJzdWIi.c2ln`, '.more'],
  ['unsigned', 'a ', `${header}.eyJzdWIi`, ' b'],
  ['unsigned before a dot', 'a ', `${header}.eyJzdWIi`, '. b'],
  ['with a header of 8 characters', 'a ', 'eyJhbGci.eyJzdWIi.c2ln', ' b'],
  ['with a short payload', 'a ', `${header}.eyJzdWI.c2ln`, ' b'],
  ['with a payload of one letter', 'a ', `${header}.a.b`, ' b'],
  ['with another payload', 'a ', `${header}.abcdefghij.b`, ' b'],
  ['in five parts', 'a ', `${header}.aa.bb.cc.dd`, ' b'],
  ['in five parts before others', 'a ', `${header}.aa.bb.cc.dd`, '.ee'],
  ['encrypted without a wrapped key', 'a ', `${header}..bb.cc.dd`, ' b'],
  ['in four parts without the second', 'a ', `${header}..bb.cc`, ' b'],
  ['after a letter', 'x', `${header}.eyJzdWIi.c2ln`, ' b'],
  ['after a letter, with an incomplete group', 'x', 'eyJhbGciAA.eyJzdWIi.c2ln', ' b'],
  [
    'after a letter, with a long header',
    'x',
    `${Buffer.from(`{"alg":"${'a'.repeat(90)}"}`).toString('base64url')}.eyJzdWIi.c2ln`,
    ' b',
  ],
  ['with a second anchor in the header', 'a ', `eyJeyJhbGci.eyJzdWIi.c2ln`, ' b'],
])('a token %s is found', (_what, before, token, after) => {
  const found = [...findJwts(before + token + after)]
  expect(found).toEqual([[before.length, before.length + token.length]])
})

test.each([
  ['a header of 7 characters', 'eyJhbGc.eyJzdWIi.c2ln'],
  ['one part', `${header} eyJzdWIi`],
  ['a payload of 7 characters in two parts', `${header}.eyJzdWI`],
  ['another payload in two parts', `${header}.abcdefghij`],
  ['three parts without the second', `${header}..bb`],
  ['no third part', `${header}.aa..cc`],
  ['a header in a word that is no JSON', 'xeyJAAAAAAAA.eyJzdWIi.c2ln'],
])('%s is no token', (_what, text) => {
  expect([...findJwts(`a ${text} b`)]).toEqual([])
})

test('two tokens are found', () => {
  const token = `${header}.eyJzdWIi.c2ln`
  expect([...findJwts(`${token} ${token}`)]).toEqual([
    [0, token.length],
    [token.length + 1, 2 * token.length + 1],
  ])
})
