import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '../session/session.ts'
import { buildCorpus } from './transcripts/generated/generated.fixtures.ts'
import { eighthTranscripts } from './transcripts/eighth.fixtures.ts'
import { eleventhTranscripts } from './transcripts/eleventh/eleventh.fixtures.ts'
import { fifthTranscripts } from './transcripts/fifth/fifth.fixtures.ts'
import { secondTranscripts } from './transcripts/foreign/second.fixtures.ts'
import { thirdTranscripts } from './transcripts/foreign/third.fixtures.ts'
import { foreignTranscripts } from './transcripts/foreign/foreign.fixtures.ts'
import { fourthTranscripts } from './transcripts/fourth/fourth.fixtures.ts'
import { handwritten } from './transcripts/handwritten/handwritten.fixtures.ts'
import * as fine from './transcripts/held-out/fine.fixtures.ts'
import * as second from './transcripts/held-out/second.fixtures.ts'
import * as third from './transcripts/held-out/third.fixtures.ts'
import * as unseen from './transcripts/held-out/unseen.fixtures.ts'
import { stale } from './transcripts/held-out/stale.fixtures.ts'
import * as wrong from './transcripts/held-out/wrong.fixtures.ts'
import { ninthTranscripts } from './transcripts/ninth.fixtures.ts'
import { Session } from './transcripts/session.fixtures.ts'
import { seventhTranscripts } from './transcripts/seventh.fixtures.ts'
import { sixthTranscripts } from './transcripts/sixth/sixth.fixtures.ts'
import { tenthTranscripts } from './transcripts/tenth/tenth.fixtures.ts'
import { thirteenthTranscripts } from './transcripts/thirteenth.fixtures.ts'
import { twelfthTranscripts } from './transcripts/twelfth.fixtures.ts'
import { verifyEvents } from './verify.ts'

const isFlagged = (events: readonly SessionEvent[]) =>
  verifyEvents(events).some(({ verdict }) => verdict === 'contradicted' || verdict === 'stale')

/** Time on a loaded machine says nothing; the CPU time of the process does. */
function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

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

describe('verifyEvents on the words of other authors', () => {
  it.each([
    ['first', foreignTranscripts()],
    ['second', secondTranscripts()],
    ['third', thirdTranscripts()],
    ['fourth', fourthTranscripts()],
    ['fifth', fifthTranscripts()],
    ['sixth', sixthTranscripts()],
    ['seventh', seventhTranscripts()],
    ['eighth', eighthTranscripts()],
    ['ninth', ninthTranscripts()],
    ['tenth', tenthTranscripts()],
    ['eleventh', eleventhTranscripts()],
    ['twelfth', twelfthTranscripts()],
    ['thirteenth', thirteenthTranscripts()],
  ])('judges the %s set with a precision and a recall of .98', (_, transcripts) => {
    const judged = transcripts.map((each) => ({ ...each, isFlagged: isFlagged(each.events) }))
    const right = judged.filter((each) => each.isFlagged && each.isWrong).length
    const misses = judged
      .filter((each) => each.isFlagged !== each.isWrong)
      .map(({ name, isWrong }) => `${isWrong ? 'missed' : 'false'}: ${name}`)
    const flagged = judged.filter((each) => each.isFlagged).length
    const wrong = judged.filter((each) => each.isWrong).length
    expect(right / flagged, misses.join('\n')).toBeGreaterThanOrEqual(0.98)
    expect(right / wrong, misses.join('\n')).toBeGreaterThanOrEqual(0.98)
  })

  it('gives the verdicts that the author of the seventh set expects', () => {
    const others = seventhTranscripts()
      .filter(({ verdict }) => verdict !== 'none')
      .filter((each) => !verifyEvents(each.events).some(({ verdict }) => verdict === each.verdict))
      .map(({ name }) => name)
    expect(others).toEqual([])
  })
})

/** Precision and recall of the flag, and the transcripts that are judged wrongly. */
function measure(wrongCases: readonly wrong.Case[], fineCases: readonly wrong.Case[]) {
  const judged = [
    ...wrongCases.map((each) => ({ each, isWrong: true })),
    ...fineCases.map((each) => ({ each, isWrong: false })),
  ].map(({ each: [build, answer], isWrong }) => ({
    answer,
    isWrong,
    isFlagged: isFlagged(build(new Session()).answer(answer)),
  }))
  const right = judged.filter((each) => each.isFlagged && each.isWrong).length
  return {
    precision: right / judged.filter((each) => each.isFlagged).length,
    recall: right / judged.filter((each) => each.isWrong).length,
    misses: judged
      .filter((each) => each.isFlagged !== each.isWrong)
      .map((each) => `${each.isWrong ? 'missed' : 'false'}: ${each.answer}`),
  }
}

describe('verifyEvents on held-out transcripts', () => {
  it('judges sets whose classes of errors were mended with a precision and a recall of .98', () => {
    const { precision, recall, misses } = measure(
      [
        ...[wrong.contradicted, stale, second.secondContradicted, second.secondStale],
        ...[third.thirdContradicted, third.thirdStale],
      ].flat(),
      [
        ...[fine.supported, fine.silent, second.secondSupported, second.secondSilent],
        ...[third.thirdSupported, third.thirdSilent],
      ].flat(),
    )
    expect(precision, misses.join('\n')).toBeGreaterThanOrEqual(0.98)
    expect(recall, misses.join('\n')).toBeGreaterThanOrEqual(0.98)
  })

  it('judges a set that no rule was changed for with a precision and a recall of .93', () => {
    const { precision, recall } = measure(
      [...unseen.unseenContradicted, ...unseen.unseenStale],
      [...unseen.unseenSupported, ...unseen.unseenSilent],
    )
    expect(precision).toBeGreaterThanOrEqual(0.93)
    expect(recall).toBeGreaterThanOrEqual(0.93)
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
  ])('takes less than two seconds of CPU time for a long answer of %s', (_name, text) => {
    const events = numbered([message('user', 'go'), message('assistant', text)])
    expect(cpuMs(() => verifyEvents(events))).toBeLessThan(2000)
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

  it('checks a session of 1,000 events in less than 50 ms of CPU time', () => {
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
    const times = Array.from({ length: 20 }, () => cpuMs(() => verifyEvents(events)))
    expect(Math.min(...times)).toBeLessThan(50)
  })
})
