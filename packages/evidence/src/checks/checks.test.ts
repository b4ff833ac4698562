import { describe, expect, test } from 'vitest'
import { emptyFacts, factsFromRecord } from '../events/facts.ts'
import { checkExpectations } from './checks.ts'
import { resolvePointer } from '../json/json.ts'
import { MetricsPass } from '../summary/metrics.ts'
import type { FeedbackFile } from '../schema/schema.ts'
import type { Expectations } from '../suite/suite.ts'

function feedbackWith(over: Partial<FeedbackFile>): FeedbackFile {
  return { ok: true, ...over } as FeedbackFile
}

function traceOf(calls: { argv: string[]; ok?: boolean; code?: string }[]): MetricsPass {
  const pass = new MetricsPass()
  const facts = emptyFacts()
  for (const { argv, ok = true, code } of calls) {
    factsFromRecord({ tool: 'cli', op: 'exec', input: { argv }, result: { ok, code } }, facts)
    pass.add(facts)
  }
  return pass
}

function codesOf(
  expects: Expectations | undefined,
  feedback: FeedbackFile | undefined,
  trace?: MetricsPass,
): string[] {
  return checkExpectations(expects, { feedback, trace }).failures.map(({ code }) =>
    code.replace('ZCL_E_EXPECT_', ''),
  )
}

test('checkExpectations passes without evaluation if the mission has no expectations', () => {
  const nothing = { feedback: undefined, trace: undefined }
  expect(checkExpectations(undefined, nothing)).toEqual({
    evaluated: false,
    ok: true,
    failures: [],
  })
  expect(checkExpectations({}, nothing)).toMatchObject({ evaluated: true, ok: true })
})

test('checkExpectations compares the outcome', () => {
  expect(codesOf({ ok: true }, feedbackWith({}))).toEqual([])
  expect(codesOf({ ok: true }, feedbackWith({ ok: false }))).toEqual(['OK'])
  expect(codesOf({ ok: false }, undefined)).toEqual(['OK'])
})

describe('checkExpectations of results', () => {
  test.each<[Expectations['result'], Partial<FeedbackFile>, string[]]>([
    [{ type: 'string' }, { result: '' }, []],
    [{ type: 'string' }, { resultJson: {} }, ['RESULT_TYPE']],
    [{ type: 'json' }, { result: '{}' }, ['RESULT_TYPE']],
    [{ type: 'json' }, { resultJson: null }, []],
    [{ type: 'string', equals: 'a' }, { result: 'a' }, []],
    [{ type: 'string', equals: 'a' }, { result: 'b' }, ['RESULT_EQUALS']],
    [{ type: 'json', equals: { b: 1, a: 2 } }, { resultJson: { a: 2, b: 1 } }, []],
    [{ type: 'json', equals: { a: 1 } }, { resultJson: { a: 2 } }, ['RESULT_EQUALS']],
    [{ type: 'string', pattern: '^HEL' }, { result: 'HELLO' }, []],
    [{ type: 'string', pattern: '^HEL' }, { result: 'hello' }, ['RESULT_PATTERN']],
    [{ type: 'string', pattern: '(' }, { result: 'x' }, ['PATTERN_INVALID']],
    [{ type: 'json', pattern: '"a":1' }, { resultJson: { a: 1 } }, []],
    [{ type: 'json', requiredJsonPointers: ['/a/0'] }, { resultJson: { a: [1] } }, []],
    [
      { type: 'json', requiredJsonPointers: ['/a/1', '/b'] },
      { resultJson: { a: [1] } },
      ['RESULT_JSON_POINTER', 'RESULT_JSON_POINTER'],
    ],
  ])('checks %j against %j', (result, feedback, codes) => {
    expect(codesOf({ result }, feedbackWith(feedback))).toEqual(codes)
  })
})

describe('checkExpectations of traces', () => {
  const trace = traceOf([
    { argv: ['/usr/bin/git', 'status'] },
    { argv: ['npm', 'test'], ok: false, code: 'ZCL_E_TIMEOUT' },
    { argv: ['npm', 'test'], ok: false },
  ])

  test.each<[Expectations['trace'], string[]]>([
    [{ maxToolCallsTotal: 3, maxFailuresTotal: 2, maxTimeoutsTotal: 1, maxRepeatStreak: 2 }, []],
    [{ maxToolCallsTotal: 2 }, ['MAX_TOOL_CALLS']],
    [{ maxFailuresTotal: 1 }, ['MAX_FAILURES']],
    [{ maxRepeatStreak: 1 }, ['MAX_REPEAT_STREAK']],
    [{ maxToolCallsTotal: 0, maxTimeoutsTotal: 0 }, ['MAX_TOOL_CALLS', 'MAX_TIMEOUTS']],
    [{}, []],
    [{ requireCommandPrefix: ['git status', 'npm'] }, []],
    [{ requireCommandPrefix: ['git push'] }, ['REQUIRED_COMMAND']],
  ])('checks %j', (expected, codes) => {
    expect(codesOf({ trace: expected }, undefined, trace)).toEqual(codes)
  })

  test('fails without a trace, unless no call is allowed', () => {
    expect(codesOf({ trace: { maxToolCallsTotal: 5 } }, undefined)).toEqual(['TRACE_MISSING'])
    expect(codesOf({ trace: { maxToolCallsTotal: 0 } }, undefined)).toEqual([])
  })
})

describe('checkExpectations of meaning', () => {
  const result = { title: 'Hello', url: 'TODO', list: [], deep: { a: '' } }
  test.each<[Expectations['semantic'], string[]]>([
    [{ requiredJsonPointers: ['/url'], nonEmptyJsonPointers: ['/title'] }, []],
    [{ requiredJsonPointers: ['/nope'] }, ['SEMANTIC_POINTER']],
    [{ nonEmptyJsonPointers: ['/list', '/deep'] }, ['SEMANTIC_POINTER', 'SEMANTIC_POINTER']],
    [{ nonEmptyJsonPointers: ['/url'], placeholderValues: ['todo'] }, ['SEMANTIC_POINTER']],
    [{ minMeaningfulFields: 2 }, []],
    [{ minMeaningfulFields: 2, placeholderValues: [' Todo '] }, ['SEMANTIC_MEANINGFUL']],
    [{ requireToolOps: ['exec'], requireCommandPrefix: ['git'] }, []],
    [{ requireToolOps: ['tools/call'], requireMCPTool: ['x'] }, ['SEMANTIC_TOOL', 'SEMANTIC_TOOL']],
  ])('checks %j', (semantic, codes) => {
    const feedback = feedbackWith({ resultJson: result })
    expect(codesOf({ semantic }, feedback, traceOf([{ argv: ['git'] }]))).toEqual(codes)
  })

  test('parses a text result that contains JSON', () => {
    const feedback = feedbackWith({ result: JSON.stringify(result) })
    expect(codesOf({ semantic: { nonEmptyJsonPointers: ['/title'] } }, feedback)).toEqual([])
  })
})

test('resolvePointer follows RFC 6901', () => {
  const value = { '': 1, 'a/b': 2, 'm~n': 3, list: ['x'], nothing: null }
  expect(resolvePointer(value, '')).toBe(value)
  expect(resolvePointer(value, '/')).toBe(1)
  expect(resolvePointer(value, '/a~1b')).toBe(2)
  expect(resolvePointer(value, '/m~0n')).toBe(3)
  expect(resolvePointer(value, '/list/0')).toBe('x')
  expect(resolvePointer(value, '/nothing')).toBeNull()
  for (const pointer of ['/list/00', '/list/-', '/list/length', '/constructor', '/list/0/x']) {
    expect(resolvePointer(value, pointer)).toBeUndefined()
  }
})
