import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '../session/session.ts'
import { buildCorpus } from './corpus.fixtures.ts'
import { handwritten } from './handwritten.fixtures.ts'
import { verifyEvents } from './verify.ts'

const isFlagged = (events: readonly SessionEvent[]) =>
  verifyEvents(events).some(({ verdict }) => verdict === 'contradicted' || verdict === 'stale')

describe('verifyEvents on a generated corpus', () => {
  const corpus = buildCorpus()

  it('has at least 1,000 transcripts', () => {
    expect(corpus.length).toBeGreaterThanOrEqual(1000)
  })

  it('finds wrong claims with a precision of .97 and a recall of .93', () => {
    const flagged = corpus.filter(({ events }) => isFlagged(events))
    const right = flagged.filter(({ isWrong }) => isWrong).length
    const wrong = corpus.filter(({ isWrong }) => isWrong).length
    const misses = corpus.filter((each) => each.isWrong !== isFlagged(each.events))
    const names = misses
      .slice(0, 40)
      .map(({ name, isWrong }) => `${isWrong ? 'missed' : 'false'}: ${name}`)
    expect(right / flagged.length, names.join('\n')).toBeGreaterThanOrEqual(0.97)
    expect(right / wrong, names.join('\n')).toBeGreaterThanOrEqual(0.93)
  })
})

describe('verifyEvents on transcripts written by hand', () => {
  it.each(handwritten)('judges "$name"', ({ events, isWrong }) => {
    expect(isFlagged(events), JSON.stringify(verifyEvents(events))).toBe(isWrong)
  })
})

describe('verifyEvents', () => {
  const message = (role: string, text: string) => ({ type: 'message', role, text, ts: '' })
  const numbered = (records: object[]): SessionEvent[] =>
    records.map((record, index) => ({ event: index + 1, record: record as never }))

  it('checks the last answer, or the last answer of every turn', () => {
    const events = numbered([
      message('user', 'one'),
      message('assistant', 'Let me see. I ran `npm test`.'),
      message('assistant', 'All tests pass.'),
      message('user', 'two'),
      message('assistant', 'I created `a.ts`.'),
    ])
    expect(verifyEvents(events)).toEqual([
      { text: 'I created `a.ts`.', verdict: 'contradicted', event: null, reason: 'no receipt' },
    ])
    expect(verifyEvents(events, { allTurns: true }).map(({ text }) => text)).toEqual([
      'All tests pass.',
      'I created `a.ts`.',
    ])
  })

  it('does not take a steering line for a new turn, and knows the tools of other agents', () => {
    const events = numbered([
      message('user', 'one'),
      { type: 'tool_use', id: 'a', name: 'Bash', input: { command: ['bash', '-lc', 'npm test'] } },
      {
        type: 'tool_result',
        tool_use_id: 'a',
        output: { ok: true, data: { output: 'Exit code: 1\n' } },
      },
      { ...message('user', 'use tabs'), steered: true },
      message('assistant', 'All tests pass.'),
    ])
    expect(verifyEvents(events, { allTurns: true })).toMatchObject([
      { verdict: 'contradicted', event: 2, reason: 'event 2: exit 1' },
    ])
  })

  it.each([
    ['words', 'All tests pass and '.repeat(20_000)],
    ['hyphens', `Deleted the ${'a-'.repeat(100_000)}`],
    ['backticks', '`'.repeat(200_000)],
    ['dots', `Updated ${'a.'.repeat(100_000)}ts`],
    ['slashes', `Updated ${'a/'.repeat(100_000)}`],
    ['subjects', 'I also then '.repeat(20_000)],
    ['brackets', '(I ran '.repeat(20_000)],
    ['failures', 'fixed the broken failing '.repeat(10_000)],
  ])('takes less than two seconds for a long answer of %s', (_name, text) => {
    const start = performance.now()
    verifyEvents(numbered([message('user', 'go'), message('assistant', text)]))
    expect(performance.now() - start).toBeLessThan(2000)
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.string(), (text, command) => {
        const use = { type: 'tool_use', id: 'a', name: 'bash', input: { command } }
        const result = { type: 'tool_result', tool_use_id: 'a', output: { ok: true, data: {} } }
        verifyEvents(numbered([use, result, message('assistant', `I ran \`${command}\`. ${text}`)]))
      }),
    )
  })

  it('checks a session of 1,000 events in less than 50 ms', () => {
    const events = numbered([
      message('user', 'go'),
      ...Array.from({ length: 499 }, (_none, index) => [
        { type: 'tool_use', id: `c${index}`, name: 'bash', input: { command: 'npm test 2>&1' } },
        {
          type: 'tool_result',
          tool_use_id: `c${index}`,
          output: {
            ok: true,
            data: {
              stdout: `${'log line\n'.repeat(100)}Tests  12 passed (12)\n`,
              stderr: '',
              exit_code: 0,
            },
          },
        },
      ]).flat(),
      message('assistant', 'I fixed the bug. All 12 tests pass. I updated `src/a.ts`. '.repeat(20)),
    ])
    // The first call compiles the patterns.
    verifyEvents(events)
    const times = Array.from({ length: 20 }, () => {
      const start = performance.now()
      verifyEvents(events)
      return performance.now() - start
    })
    expect(Math.min(...times)).toBeLessThan(50)
  })
})
