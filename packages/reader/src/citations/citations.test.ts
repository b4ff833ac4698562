import { describe, expect, it } from 'vitest'
import { EvidenceLedger } from '../evidence/evidence.ts'
import { checkCitations, citedIds, markClaims } from './citations.ts'

const none: ReadonlySet<string> = new Set()

describe('markClaims', () => {
  it.each([
    ['The total is 42 [E1].', 0],
    ['The total is 42. [E1] It is rounded. [E2, E3]', 0],
    ['The total is 42.', 1],
    ['The total is 42 [E1]. It is green.', 1],
    ['# Heading\n\nFindings:\n- one [E1]\n- two\n', 1],
    ['Is it green?', 0],
    ['```\nlet x = 1\n```', 0],
    ['See src/a.ts:10 and version 2.0 for it [E1].', 0],
    ['', 0],
  ])('counts the claims without a citation in %j', (text, unverified) => {
    expect(markClaims(text, none).unverified).toBe(unverified)
  })

  it('marks a claim at its end and keeps the rest of the text', () => {
    const { text } = markClaims('It is 42 [E1]. It is green. Done [E2].', none)
    expect(text).toBe('It is 42 [E1]. It is green. [unverified] Done [E2].')
  })

  it('marks a claim that cites only wrong numbers', () => {
    expect(markClaims('It is 42 [E9].', new Set(['E9'])).unverified).toBe(1)
    expect(markClaims('It is 42 [E1, E9].', new Set(['E9'])).unverified).toBe(0)
  })
})

describe('checkCitations', () => {
  const ledger = new EvidenceLedger()
  const lines = ledger.addLines('a.txt', 3, 'one\ntwo')
  const absent = ledger.addAbsence({ pattern: 'x' })
  const source = (text: string | undefined, hasHits = false) => ({
    readLines: () => Promise.resolve(text),
    hasHits: () => Promise.resolve(hasHits),
  })

  it('accepts lines with the same hash and searches that still find nothing', async () => {
    const text = `It is so [${lines.id}] and not so [${absent.id}].`
    const checked = await checkCitations(text, ledger, source('one\ntwo'))
    expect(checked.map(({ id, problem }) => [id, problem])).toEqual([
      ['E1', undefined],
      ['E2', undefined],
    ])
  })

  it('reports numbers that were never shown, changed lines, missing lines and new hits', async () => {
    const problems = async (text: string, from: ReturnType<typeof source>) =>
      (await checkCitations(text, ledger, from)).map(({ problem }) => problem)
    expect(await problems('[E7]', source(''))).toEqual(['E7 was never shown'])
    expect(await problems('[E1]', source('one\nTWO'))).toEqual([
      'a.txt:3-4 has changed since it was read',
    ])
    expect(await problems('[E1]', source(undefined))).toEqual(['a.txt:3-4 cannot be read any more'])
    expect(await problems('[E2]', source('', true))).toEqual([
      'no hits for {"pattern":"x"}: there are hits now',
    ])
  })
})

it('citedIds returns each number once, in order', () => {
  expect(citedIds('a [E2] b [E1; E2] c [ E3 , E1 ] E4 [x]')).toEqual(['E2', 'E1', 'E3'])
})

it('the ledger gives the same slice the same number', () => {
  const ledger = new EvidenceLedger()
  expect(ledger.addLines('a', 1, 'x').id).toBe('E1')
  expect(ledger.addLines('a', 1, 'y').id).toBe('E2')
  expect(ledger.addLines('a', 1, 'x').id).toBe('E1')
})
