import { expect, test } from 'vitest'
import { defaultBlindTerms, harnessTermsIn } from './blind.ts'

test('the default terms are those of the harness', () => {
  expect(defaultBlindTerms).toEqual([
    'zcl',
    'zcl feedback',
    'feedback.json',
    'tool.calls.jsonl',
    'funnel',
    'attempt start',
    'attempt finish',
    'suite run',
    'trace',
  ])
})

test.each<[string, readonly string[] | undefined, string[]]>([
  ['', undefined, []],
  ['Trace it with zcl', undefined, ['trace', 'zcl']],
  ['traces', undefined, ['trace']],
  ['tracess', undefined, []],
  ['trace_', undefined, []],
  ['trace1', undefined, []],
  ['traceé', undefined, []],
  ['retrace', undefined, []],
  ['_trace', undefined, []],
  ['retrace the trace', undefined, ['trace']],
  ['traced trace', undefined, ['trace']],
  ['(trace)', undefined, ['trace']],
  ['trace', [' ', ' TRACE ', 'trace', ''], ['trace']],
  ['b a', ['b', 'a', 'c'], ['a', 'b']],
  ['traces1', undefined, []],
  ['trace,s', undefined, ['trace']],
])('the terms in %j of %j are %j', (prompt, terms, found) => {
  expect(harnessTermsIn(prompt, terms)).toEqual(found)
})
