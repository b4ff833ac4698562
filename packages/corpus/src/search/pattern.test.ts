import { describe, expect, test } from 'vitest'
import { foundBy, messageOf } from '../../test/support/answers.ts'
import { corpusOf, corpusWith, put, tree } from '../../test/support/trees.ts'

describe('grep by pattern', () => {
  test('matches each line separately', async () => {
    const corpus = corpusWith({ a: 'def one():\r\n  pass\nclass Two(Base):\n', b: 'DEF x' })
    expect(await foundBy(corpus, { pattern: '^(def|class)\\s+\\w+', regex: true })).toEqual([
      'a:1:def one():',
      'a:3:class Two(Base):',
    ])
    expect(await foundBy(corpus, { pattern: '^def', regex: true, case_sensitive: false })).toEqual([
      'a:1:def one():',
      'b:1:DEF x',
    ])
    expect(await foundBy(corpus, { pattern: '\\):$', regex: true })).toEqual([
      'a:1:def one():',
      'a:3:class Two(Base):',
    ])
  })

  test('finds the same lines in the worker as in the main thread', async () => {
    const content = Array.from(
      { length: 3000 },
      (_, n) => `line ${n} é ${n % 7 === 0 ? 'foo12' : ''}`,
    )
    const corpus = corpusWith({
      'a.txt': content.join('\n'),
      'b.txt': content.join('\r\n'),
      'c.txt': 'x',
    })
    const here = await corpus.grep({ pattern: 'foo12', max_hits: 5000 })
    const there = await corpus.grep({ pattern: '.*foo\\d+\\b', regex: true, max_hits: 5000 })
    expect(there.hits).toEqual(here.hits)
    expect({ ...there.metrics, time_ms: 0 }).toEqual({ ...here.metrics, time_ms: 0 })
    const capped = await corpus.grep({ pattern: '.*foo\\d+\\b', regex: true, max_hits: 3 })
    expect(capped.hits).toEqual(here.hits.slice(0, 3))
    expect(capped.metrics.files_scanned).toBe(1)
  })

  test('explains what is wrong with an invalid pattern', async () => {
    const corpus = corpusWith({ a: 'x' })
    expect(await messageOf(corpus.grep({ pattern: '(', regex: true }))).toBe(
      'missing ), unterminated subpattern at position 0',
    )
    expect(await messageOf(corpus.list({ regex: '[' }))).toBe(
      'unterminated character set at position 0',
    )
    expect((await corpus.list({ regex: '[', glob: '*' })).files).toEqual(['a'])
  })

  test('times out on a pattern with exponential backtracking, and answers the next request', async () => {
    const corpus = corpusOf(tree({ a: `${'a'.repeat(80)}!\n` }), { regexMs: 300 })
    expect(await messageOf(corpus.grep({ pattern: '(?=(a+)+$)a', regex: true }))).toBe(
      'regex timed out after 300 ms',
    )
    expect(await foundBy(corpus, { pattern: 'a+!', regex: true })).toHaveLength(1)
    put(corpus.root, { [`${'a'.repeat(80)}!`]: '' })
    expect(await messageOf(corpus.list({ regex: '(a+)+$' }))).toBe('regex timed out after 300 ms')
    const partial = await corpus.grep({ pattern: '(?=(a+)+$)a', regex: true, deadline_ms: 200 })
    expect(partial).toMatchObject({ hits: [], partial: true })
    expect((await corpus.list({ regex: '(a+)+$', deadline_ms: 200 })).partial).toBe(true)
  })

  test('matches a regular pattern in one pass even if it would backtrack exponentially', async () => {
    const corpus = corpusOf(tree({ a: `${'a'.repeat(5000)}!\nb aaa\n` }), { regexMs: 5000 })
    expect(await foundBy(corpus, { pattern: '(a+)+$', regex: true })).toHaveLength(1)
    expect(await foundBy(corpus, { pattern: '(?i)(A|a|aa)+$', regex: true })).toHaveLength(1)
    expect(await foundBy(corpus, { pattern: '(a{1,30}){1,30}!x', regex: true })).toEqual([])
  })

  test('does not block timers while a pattern runs', async () => {
    const corpus = corpusOf(tree({ a: `${'a'.repeat(80)}!\n` }), { regexMs: 400 })
    const running = messageOf(corpus.grep({ pattern: '(?=(a|a)*$)a', regex: true }))
    let ticks = 0
    const timer = setInterval(() => ticks++, 10)
    expect(await running).toBe('regex timed out after 400 ms')
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(5)
  })
})
