import { expect, test } from 'vitest'
import { emptyFacts, factsFromRecord } from '../events/facts.ts'
import type { CallKind } from '../events/events.ts'
import { argvOf, MetricsPass, sortedCounts } from './metrics.ts'

type Event = Record<string, unknown> & { kind?: CallKind }

function passOver(events: readonly Event[]): MetricsPass {
  const pass = new MetricsPass()
  const facts = emptyFacts()
  for (const [index, { kind = 'call', ...event }] of events.entries()) {
    facts.line = index + 1
    factsFromRecord({ tool: 'cli', op: 'exec', ...event }, facts)
    if (kind === 'call') pass.add(facts)
    else pass.addApart(facts, kind)
  }
  return pass
}

const input = { argv: ['git', 'log'] }
const at = (seconds: number) => `2026-02-15T18:00:0${seconds}.000Z`

test('MetricsPass has all metrics of a trace', () => {
  const pass = passOver([
    { input, ts: at(1), result: { ok: true, durationMs: 10 }, io: { outBytes: 4, errBytes: 3 } },
    {
      input,
      ts: at(2),
      result: { ok: false, code: 'X', durationMs: 30 },
      io: { outTruncated: true },
    },
    {
      input,
      ts: at(3),
      result: { ok: true, durationMs: 20 },
      io: { errTruncated: true, errBytes: 6 },
    },
    {
      tool: 'mcp',
      op: 'tools/call',
      input: { params: { name: 't' } },
      ts: at(4),
      result: { ok: false, code: 'ZCL_E_TIMEOUT', durationMs: 7 },
    },
    {
      kind: 'protocol',
      tool: 'mcp',
      op: 'initialize',
      ts: at(0),
      result: { ok: false, durationMs: 0 },
    },
    {
      kind: 'protocol',
      tool: 'mcp',
      op: 'limit',
      ts: at(5),
      result: { ok: false, durationMs: 500 },
    },
    { kind: 'protocol', tool: 'mcp', op: 'limit', ts: at(5), result: { ok: true, durationMs: 1 } },
    {
      kind: 'nested',
      input: { argv: ['/bin/sh'] },
      ts: at(6),
      result: { ok: false, durationMs: 900 },
    },
    { kind: 'ignored', input: { argv: ['a\\b'] }, result: { ok: false, durationMs: 1 } },
    { kind: 'ignored', tool: 'zdx', input: { argv: ['zdx'] } },
  ])
  expect(pass.metrics()).toEqual({
    toolCallsTotal: 4,
    toolCallsByTool: { cli: 3, mcp: 1 },
    toolCallsByOp: { exec: 3, 'tools/call': 1 },
    failuresTotal: 3,
    failuresByCode: { X: 1, ZCL_E_TIMEOUT: 1, ZCL_E_TOOL_FAILED: 1 },
    timeoutsTotal: 1,
    retriesTotal: 1,
    wallTimeMs: 6900,
    durationMsTotal: 67,
    durationMsMin: 7,
    durationMsMax: 30,
    durationMsAvg: 16,
    durationMsP50: 15,
    durationMsP95: 29,
    latencyMsByOp: {
      exec: { count: 3, total: 60, min: 10, max: 30, avg: 20, p50: 20, p95: 29 },
      'tools/call': { count: 1, total: 7, min: 7, max: 7, avg: 7, p50: 7, p95: 7 },
    },
    slowestCalls: [
      { index: 1, tool: 'cli', op: 'exec', durationMs: 30, ok: false, code: 'X' },
      { index: 2, tool: 'cli', op: 'exec', durationMs: 20, ok: true },
      { index: 0, tool: 'cli', op: 'exec', durationMs: 10, ok: true },
      { index: 3, tool: 'mcp', op: 'tools/call', durationMs: 7, ok: false, code: 'ZCL_E_TIMEOUT' },
    ],
    outBytesTotal: 4,
    errBytesTotal: 9,
    outPreviewTruncations: 1,
    errPreviewTruncations: 1,
    previewTruncations: 2,
    nestedCallsTotal: 1,
    protocolEventsTotal: 3,
    protocolEventsByOp: { initialize: 1, limit: 2 },
    ignoredCallsTotal: 2,
    openCallsTotal: 0,
  })
  expect(pass.metrics({ wallTimeMs: 5, openCalls: 2 }).openCallsTotal).toEqual(2)
  expect(pass.signals()).toEqual({
    repeatMaxStreak: 3,
    distinctCommandSignatures: 2,
    failureRateBps: 7500,
    noProgressSuspected: false,
    commandNamesSeen: ['git'],
  })
  expect([pass.total, pass.failures, pass.timeouts]).toEqual([4, 3, 1])
  expect(
    [pass.firstStartMs(), pass.lastStartMs(), pass.lastEndMs()].map((ms) =>
      new Date(ms ?? 0).toISOString(),
    ),
  ).toEqual(['2026-02-15T18:00:00.000Z', '2026-02-15T18:00:06.000Z', '2026-02-15T18:00:06.900Z'])
  expect(pass.latestTs()).toEqual('2026-02-15T18:00:06.000Z')
  expect([...pass.commandLines()]).toEqual([['git', 'log']])
  expect([...pass.mcpToolsSeen()]).toEqual(['t'])
  expect(pass.estimateTokens()).toEqual({ inputTokens: 23, outputTokens: 4, totalTokens: 27 })
  const names = ['git', 'sh', '/bin/sh', 'h', 'a\\b', 'zdx', 'log']
  expect(names.filter((name) => pass.hasProgram(name))).toEqual(['git', 'sh', '/bin/sh', 'a\\b'])
})

test('MetricsPass has no times and no rates without calls', () => {
  const pass = new MetricsPass()
  const { wallTimeMs, openCallsTotal, slowestCalls } = pass.metrics()
  expect([wallTimeMs, openCallsTotal, slowestCalls]).toEqual([0, 0, []])
  expect([pass.firstStartMs(), pass.lastStartMs(), pass.lastEndMs(), pass.latestTs()]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  expect(pass.signals()).toEqual({
    repeatMaxStreak: 0,
    distinctCommandSignatures: 0,
    failureRateBps: 0,
    noProgressSuspected: false,
    commandNamesSeen: [],
  })
})

test.each([
  ['timeout', 1],
  ['idle-timeout', 1],
  ['limit', 1],
  ['spawn', 0],
])('MetricsPass counts a session that ends with %s as %i failures', (op, count) => {
  const end = { kind: 'protocol', tool: 'mcp', op, result: { ok: false, code: 'X' } } as const
  expect(passOver([end]).metrics()).toMatchObject({
    failuresTotal: count,
    failuresByCode: count === 0 ? {} : { X: 1 },
    protocolEventsByOp: { [op]: 1 },
    toolCallsTotal: 0,
  })
})

/** Calls of as many commands in turn; the last one fills a streak. */
function noProgress(total: number, distinct: number, streak: number): boolean {
  const events = Array.from({ length: total }, (_, index) => {
    const isOfStreak = index >= total - streak
    return { input: { argv: [isOfStreak ? '0' : String(1 + (index % (distinct - 1)))] } }
  })
  const signals = passOver(events).signals()
  expect(signals.repeatMaxStreak).toBe(streak)
  expect(signals.distinctCommandSignatures).toBe(distinct)
  return signals.noProgressSuspected
}

test.each([
  [20, 3, 10, true],
  [19, 3, 10, false],
  [20, 4, 10, false],
  [20, 3, 9, false],
])(
  'MetricsPass sees %i calls of %i signatures with a streak of %i: no progress is %s',
  (total, distinct, streak, isIt) => {
    expect(noProgress(total, distinct, streak)).toBe(isIt)
  },
)

test.each([
  ['the JSON-RPC id', { id: 1, method: 'm' }, { id: 2, method: 'm' }, 1],
  ['_meta', { params: { a: 1, _meta: { t: 1 } } }, { params: { a: 1, _meta: { t: 2 } } }, 1],
  ['parameters', { params: { a: 1 } }, { params: { a: 2 } }, 2],
  ['parameters in a list', { params: [1] }, { params: [2] }, 2],
  ['the method', { method: 'm' }, { method: 'n' }, 2],
  ['no input', undefined, undefined, 1],
  ['an input that is no object', [1], [2], 1],
])('MetricsPass tells MCP calls apart by %s', (_, one, other, count) => {
  const events = [one, other].map((each) => ({ tool: 'mcp', op: 'tools/call', input: each }))
  expect(passOver(events).signals().distinctCommandSignatures).toBe(count)
})

test.each([
  ['mcp', 'tools/call', { params: { name: 't' } }, ['t']],
  ['mcp', 'tools/list', { params: { name: 't' } }, []],
  ['cli', 'tools/call', { params: { name: 't' } }, []],
  ['mcp', 'tools/call', { params: { name: 5 } }, []],
  ['mcp', 'tools/call', undefined, []],
])('MetricsPass sees in %s %s with %j the tools %j', (tool, op, value, names) => {
  expect([...passOver([{ tool, op, input: value }]).mcpToolsSeen()]).toEqual(names)
})

test.each([
  ['cli', 'exec', { argv: ['a', 5, 'b'] }, ['a', 'b']],
  ['cli', 'exec', { argv: 'a' }, undefined],
  ['cli', 'exec', undefined, undefined],
  ['cli', 'other', { argv: ['a'] }, undefined],
  ['zdx', 'exec', { argv: ['a'] }, undefined],
  ['cli', 'exec', { argv: ['a', 'x'.repeat(239)] }, ['a', 'x'.repeat(239)]],
  ['cli', 'exec', { argv: ['a', 'x'.repeat(240)] }, ['a']],
])('MetricsPass keeps of %s %s with %j the command line %j', (tool, op, value, argv) => {
  const facts = emptyFacts()
  factsFromRecord({ tool, op, input: value }, facts)
  expect(argvOf(new MetricsPass().add(facts))).toEqual(argv)
})

test('MetricsPass names each program once, in order, and also after quoted arguments', () => {
  const commands = [['git', 'a'], ['git', 'b'], ['gits'], ['a"b', 'c'], ['awk'], ['git'], []]
  const pass = passOver(commands.map((argv) => ({ input: { argv } })))
  expect(pass.signals().commandNamesSeen).toEqual(['a"b', 'awk', 'git', 'gits'])
})

test('MetricsPass lists at most five slow calls with their codes', () => {
  const events = [1, 2, 3, 4, 5, 5].map((durationMs, index) => ({
    input,
    result: { ok: index !== 5, code: index === 5 ? 'X' : '', durationMs },
  }))
  const slow = (index: number, durationMs: number, over: object = {}) => ({
    index,
    tool: 'cli',
    op: 'exec',
    durationMs,
    ok: true,
    code: undefined,
    ...over,
  })
  expect(passOver(events).metrics().slowestCalls).toEqual([
    slow(4, 5),
    slow(5, 5, { ok: false, code: 'X' }),
    slow(3, 4),
    slow(2, 3),
    slow(1, 2),
  ])
})

test.each([
  ['2026-02-15T18:00:01.123456Z', '2026-02-15T18:00:01.123456Z'],
  ['2026-02-15T18:00:01Z', '2026-02-15T18:00:01Z'],
])('MetricsPass has the latest time %s as it is written', (ts, text) => {
  const events = [{ ts }, { ts: '2026-02-15T18:00:01.000Z' }, { ts: '2026-02-15T17:00:00.000Z' }]
  expect(passOver(events).latestTs()).toBe(text)
})

test('sortedCounts sorts by name', () => {
  const counts = new Map([
    ['b', 1],
    ['a', 2],
    ['c', 3],
    ['B', 4],
  ])
  expect(JSON.stringify(sortedCounts(counts))).toBe('{"B":4,"a":2,"b":1,"c":3}')
})
