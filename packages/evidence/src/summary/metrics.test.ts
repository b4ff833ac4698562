import { expect, test } from 'vitest'
import { emptyFacts, factsFromRecord } from '../events/facts.ts'
import { MetricsPass } from './metrics.ts'

type Event = Record<string, unknown>

function passOver(events: readonly Event[]): MetricsPass {
  const pass = new MetricsPass()
  const facts = emptyFacts()
  for (const [index, event] of events.entries()) {
    facts.line = index + 1
    factsFromRecord({ tool: 'cli', op: 'exec', input: { argv: ['a'] }, ...event }, facts)
    pass.add(facts)
  }
  return pass
}

const ok = { result: { ok: true, durationMs: 1 } }
const failed = { result: { ok: false, code: 'ZCL_E_TOOL_FAILED', durationMs: 1 } }

test.each([
  [[failed, failed, ok], 2],
  [[ok, ok, failed], 0],
  [[failed, ok, failed, ok], 2],
  [[ok], 0],
])(
  'MetricsPass counts a call as a retry if the previous call of its signature failed (case %#)',
  (events, n) => {
    expect(passOver(events).metrics().retriesTotal).toBe(n)
  },
)

test('MetricsPass distinguishes signatures by input, but not by the order of its keys', () => {
  const events = [
    { ...failed, tool: 'mcp', input: { b: 1, a: { d: 1, c: 2 } } },
    { ...ok, tool: 'mcp', input: { a: { c: 2, d: 1 }, b: 1 } },
    { ...ok, tool: 'mcp', input: { a: { c: 2, d: 1 }, b: 2 } },
  ]
  const pass = passOver(events)
  expect(pass.metrics().retriesTotal).toBe(1)
  expect(pass.signals().distinctCommandSignatures).toBe(2)
})

test('MetricsPass distinguishes long inputs without storing them', () => {
  const long = (end: string) => ({ ...failed, input: { argv: ['tool', 'x'.repeat(5000) + end] } })
  const pass = passOver([long('a'), long('a'), long('b')])
  expect(pass.metrics().retriesTotal).toBe(1)
  expect(pass.signals()).toMatchObject({ distinctCommandSignatures: 2, commandNamesSeen: ['tool'] })
})

test('MetricsPass counts failures by code, with ZCL_E_TOOL_FAILED for an empty code', () => {
  const { failuresTotal, failuresByCode, timeoutsTotal } = passOver([
    { result: { ok: false, code: 'ZCL_E_TIMEOUT' } },
    { result: { ok: false } },
    { result: { ok: false, code: '' } },
    { result: { ok: true, code: 'ZCL_E_TIMEOUT' } },
  ]).metrics()
  expect(failuresTotal).toBe(3)
  expect(failuresByCode).toEqual({ ZCL_E_TIMEOUT: 1, ZCL_E_TOOL_FAILED: 2 })
  expect(timeoutsTotal).toBe(1)
})

test('MetricsPass counts calls by tool and operation with sorted keys, including __proto__', () => {
  const { toolCallsByTool, toolCallsByOp, latencyMsByOp } = passOver([
    { tool: 'mcp', op: 'tools/call' },
    { tool: 'cli', op: 'exec' },
    { tool: 'http', op: '__proto__' },
    { tool: 'zdx', op: 'exec' },
  ]).metrics()
  expect(Object.keys(toolCallsByTool)).toEqual(['cli', 'http', 'mcp', 'zdx'])
  expect(Object.entries(toolCallsByOp)).toEqual([
    ['__proto__', 1],
    ['exec', 2],
    ['tools/call', 1],
  ])
  expect(latencyMsByOp?.exec?.count).toBe(2)
})

test('MetricsPass computes the wall time of a trace alone from its first start to its last end', () => {
  const at = (ts: string) => ({ ...ok, ts })
  const pass = passOver([
    at('2026-02-15T18:00:05.250Z'),
    at('2026-02-15T19:00:01.000+01:00'),
    at('no time'),
  ])
  expect(pass.metrics().wallTimeMs).toBe(4251)
  expect(pass.latestTs()).toBe('2026-02-15T18:00:05.250Z')
})

test('MetricsPass lists the five slowest calls, the earlier first among equals', () => {
  const events = [3, 9, 9, 1, 7, 9, 2].map((durationMs) => ({ result: { ok: true, durationMs } }))
  const { slowestCalls } = passOver(events).metrics()
  expect(slowestCalls?.map(({ index, durationMs }) => [index, durationMs])).toEqual([
    [1, 9],
    [2, 9],
    [5, 9],
    [4, 7],
    [0, 3],
  ])
})

test.each([
  ['the flags per stream decide', { outTruncated: true, outBytes: 5, outPreview: 'abcde' }, 1, 0],
  [
    'a flag says no',
    { outTruncated: false, errTruncated: true, errBytes: 9, errPreview: 'x' },
    0,
    1,
  ],
  ['without flags a shorter preview of a cut event', { outBytes: 9, outPreview: 'x' }, 1, 0],
  ['without flags an equal preview is whole', { outBytes: 1, outPreview: 'x', errBytes: 5 }, 0, 0],
  ['an empty preview was not cut', { outBytes: 9, outPreview: '' }, 0, 0],
])('MetricsPass counts cut previews per stream: %s', (_, io, out, err) => {
  const metrics = passOver([{ ...ok, io, integrity: { truncated: true } }]).metrics()
  expect(metrics.outPreviewTruncations).toBe(out)
  expect(metrics.errPreviewTruncations).toBe(err)
  expect(metrics.previewTruncations).toBe(out + err)
})

test('MetricsPass suspects no progress after 20 calls with few signatures', () => {
  const calls = (count: number) => Array.from({ length: count }, () => failed)
  expect(passOver(calls(20)).signals()).toMatchObject({
    noProgressSuspected: true,
    repeatMaxStreak: 20,
    failureRateBps: 10_000,
  })
  expect(passOver(calls(19)).signals().noProgressSuspected).toBe(false)
  const [first, ...rest] = calls(3)
  expect(passOver([first ?? ok, ok, ...rest]).signals().failureRateBps).toBe(7500)
})

test('MetricsPass estimates one token per four bytes, rounded up', () => {
  const pass = passOver([{ ...ok, io: { outBytes: 5, errBytes: 2 } }])
  // {"argv":["a"]} has 14 bytes.
  expect(pass.estimateTokens()).toEqual({ inputTokens: 4, outputTokens: 2, totalTokens: 6 })
})

test('MetricsPass treats missing and mistyped fields as 0', () => {
  const metrics = passOver([{ result: 'x', io: [], input: undefined }]).metrics()
  expect(metrics).toMatchObject({ toolCallsTotal: 1, failuresTotal: 0, durationMsTotal: 0 })
})
