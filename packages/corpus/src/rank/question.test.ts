import { expect, test } from 'vitest'
import { questionOf, titleAndBody } from './question.ts'
import { hashOf } from './tokens.ts'

test('terms of the title count more than those of the body', () => {
  const { terms, weights } = questionOf('Fix stale locks\n\nThe owner died.')
  expect(terms).toEqual(['fix', 'stal', 'lock', 'owner', 'died'])
  expect(weights).toEqual([1, 1, 1, 0.3, 0.3])
})

test('trailers that name people are no part of a text', () => {
  expect(titleAndBody('Fix it\n\nBecause.\n\nSigned-off-by: Ann <ann@example.com>')).toEqual([
    'Fix it',
    '\nBecause.',
  ])
})

test('the scope of a title is its part before the colon, without the kind of the change', () => {
  expect(questionOf('fix(session-lock): break it').scope).toEqual(['session', 'lock'].map(hashOf))
  expect(questionOf('net/http: close the body').scope).toEqual(['net', 'http'].map(hashOf))
  expect(questionOf('docs: say why').scope).toEqual([])
})

test('identifiers are kept whole', () => {
  expect(questionOf('call breakStaleLock in old_name').identifiers).toEqual(
    ['breakstalelock', 'old_name'].map(hashOf),
  )
})
