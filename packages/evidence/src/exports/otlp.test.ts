import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import {
  callRecord,
  exportAttempt,
  exportSource,
  start,
  startMs,
  textOf,
} from '../../test/export-source.ts'
import { otlpText } from './otlp.ts'
import type { ExportAttempt } from './source.ts'

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Record<string, unknown> }[]
  status: { code?: number; message?: string }
}

async function spansOf(...attempts: ExportAttempt[]): Promise<Span[]> {
  const text = await textOf(otlpText(exportSource(...attempts), { version: '1.2.3' }))
  const { resourceSpans } = JSON.parse(text) as {
    resourceSpans: { scopeSpans: { spans: Span[] }[] }[]
  }
  return resourceSpans[0]?.scopeSpans[0]?.spans ?? []
}

/** The attributes as `key: type value`. */
const attributesOf = (span: Span | undefined): Record<string, string> =>
  Object.fromEntries(
    (span?.attributes ?? []).map(({ key, value }) => {
      const [[type, of] = ['', '']] = Object.entries(value)
      return [key, `${type} ${String(of)}`]
    }),
  )

const idOf = (text: string, digits: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, digits)
const nano = (ms: number): string => `${startMs + ms}000000`

it('an export without attempts names the service, the version and the conventions', async () => {
  const text = await textOf(otlpText(exportSource(), { version: '1.2.3' }))
  const schemaUrl = 'https://opentelemetry.io/schemas/1.40.0'
  const string = (key: string, stringValue: string) => ({ key, value: { stringValue } })
  expect(JSON.parse(text)).toEqual({
    resourceSpans: [
      {
        resource: {
          attributes: [string('service.name', 'zcl'), string('service.version', '1.2.3')],
        },
        scopeSpans: [
          {
            scope: {
              name: 'zcl',
              version: '1.2.3',
              attributes: [
                string('zcl.semantic_conventions', '1.40.0, gen_ai and mcp in development'),
              ],
            },
            spans: [],
            schemaUrl,
          },
        ],
        schemaUrl,
      },
    ],
  })
  expect(text.endsWith('\n')).toBe(true)
})

it('an attempt is a trace of its calls, with derived ids and times', async () => {
  const failed = { ok: false, code: 'E', durationMs: 500, exitCode: 2 }
  const later = { ts: '2026-01-02T03:04:15Z', input: { argv: [5] }, result: failed }
  const attempt = exportAttempt({}, [callRecord({}), callRecord(later)])
  const [first, second, root] = await spansOf(attempt)
  const ids = { traceId: idOf('r/001-m-r1', 32), parentSpanId: idOf('r/001-m-r1 root', 16) }
  expect(first).toMatchObject({
    ...ids,
    spanId: idOf('r/001-m-r1 0', 16),
    name: 'execute_tool ls',
    kind: 1,
    startTimeUnixNano: nano(0),
    endTimeUnixNano: nano(1000),
    status: { code: 1 },
  })
  expect(second).toMatchObject({
    ...ids,
    spanId: idOf('r/001-m-r1 1', 16),
    name: 'execute_tool exec',
    startTimeUnixNano: nano(10_000),
    endTimeUnixNano: nano(10_500),
    status: { code: 2, message: 'E' },
  })
  expect(root).toMatchObject({
    traceId: ids.traceId,
    spanId: ids.parentSpanId,
    name: 'invoke_agent m',
    kind: 1,
    startTimeUnixNano: nano(0),
    endTimeUnixNano: nano(10_500),
    status: {},
  })
  expect(root).not.toHaveProperty('parentSpanId')
})

it('the spans of several attempts are one list', async () => {
  const spans = await spansOf(
    exportAttempt({}, [callRecord({})]),
    exportAttempt({ attemptId: '002-m-r1' }),
  )
  expect(spans.map(({ name }) => name)).toEqual([
    'execute_tool ls',
    'invoke_agent m',
    'invoke_agent m',
  ])
})

it('the span of an attempt reaches to its feedback, and has a length of 0 without times', async () => {
  const feedback = { ok: true, createdAt: '2026-01-02T03:04:20Z' }
  const early = callRecord({ ts: '2026-01-02T03:04:00Z' })
  const [, root] = await spansOf(exportAttempt({ feedback }, [early]))
  expect([root?.startTimeUnixNano, root?.endTimeUnixNano]).toEqual([nano(-5000), nano(15_000)])
  expect(root?.status).toEqual({ code: 1 })
  const [only] = await spansOf(exportAttempt({ attempt: {}, feedback: { ok: false } }))
  expect([only?.startTimeUnixNano, only?.endTimeUnixNano]).toEqual(['0000000', '0000000'])
  expect(only?.status).toEqual({ code: 2 })
  const [begun] = await spansOf(exportAttempt())
  expect([begun?.startTimeUnixNano, begun?.endTimeUnixNano]).toEqual([nano(0), nano(0)])
  const [timeless] = await spansOf(exportAttempt({}, [callRecord({ ts: 'soon' })]))
  expect([timeless?.startTimeUnixNano, timeless?.endTimeUnixNano]).toEqual([nano(0), nano(1000)])
})

it.each<[object, string, number, Record<string, string | undefined>]>([
  [
    {},
    'execute_tool ls',
    1,
    {
      'gen_ai.operation.name': 'stringValue execute_tool',
      'gen_ai.tool.name': 'stringValue ls',
      'process.exit.code': 'intValue 0',
      'error.type': undefined,
      'zcl.tool': 'stringValue cli',
      'zcl.op': 'stringValue exec',
      'zcl.event.index': 'intValue 0',
      'zcl.io.out_bytes': 'intValue 3',
      'zcl.io.err_bytes': 'intValue 0',
      'zcl.input': 'stringValue {"argv":["/bin/ls","-l"]}',
    },
  ],
  [
    {
      tool: 'mcp',
      op: 'tools/call',
      input: { method: 'tools/call', id: 7, params: { name: 'read' } },
      result: { ok: false, durationMs: 1 },
    },
    'tools/call read',
    3,
    {
      'gen_ai.operation.name': 'stringValue execute_tool',
      'gen_ai.tool.name': 'stringValue read',
      'mcp.method.name': 'stringValue tools/call',
      'jsonrpc.request.id': 'stringValue 7',
      'network.transport': 'stringValue pipe',
      'error.type': 'stringValue _OTHER',
    },
  ],
  [
    { tool: 'mcp', op: 'ping', input: { params: { name: 5 } } },
    'ping',
    3,
    {
      'gen_ai.operation.name': undefined,
      'gen_ai.tool.name': undefined,
      'mcp.method.name': undefined,
      'jsonrpc.request.id': undefined,
    },
  ],
  [
    {
      tool: 'http',
      op: 'request',
      input: { method: 'GET', url: 'http://a.test/' },
      enrichment: { http: { status: 404 } },
      result: { ok: false, code: 'HTTP_404', durationMs: 1 },
    },
    'GET',
    3,
    {
      'http.request.method': 'stringValue GET',
      'url.full': 'stringValue http://a.test/',
      'http.response.status_code': 'intValue 404',
      'error.type': 'stringValue HTTP_404',
    },
  ],
  [
    { tool: 'http', op: 'request', input: {}, enrichment: { http: { status: 1.5 } } },
    'request',
    3,
    { 'http.request.method': 'stringValue ', 'http.response.status_code': undefined },
  ],
  [
    { tool: 'zdx', op: 'read', input: {} },
    'execute_tool zdx read',
    3,
    {
      'gen_ai.operation.name': 'stringValue execute_tool',
      'gen_ai.tool.name': 'stringValue read',
    },
  ],
])('the call %j has the name %j, the kind %i and the attributes %j', async (more, ...expected) => {
  const [span] = await spansOf(exportAttempt({}, [callRecord(more as Record<string, unknown>)]))
  const [name, kind, attributes] = expected
  expect([span?.name, span?.kind]).toEqual([name, kind])
  const found = attributesOf(span)
  for (const [key, value] of Object.entries(attributes)) expect(found[key], key).toBe(value)
})

it('the span of an attempt has its ids, its numbers and its messages', async () => {
  const said = (role: 'system' | 'user' | 'assistant', text: string, kind = 'text' as const) => ({
    ...{ ts: start, role, kind, text },
  })
  const messages = [
    said('user', 'go'),
    { ...said('assistant', 'Hm'), kind: 'thinking' as const },
    said('assistant', 'Yes'),
    said('system', 'note'),
  ]
  const runnerMetrics = {
    model: 'x',
    modelProvider: 'p',
    inputTokens: 5,
    outputTokens: 1.5,
    cacheWriteTokens: 2,
  }
  const [root] = await spansOf(
    exportAttempt({ messages, runnerMetrics, feedback: { ok: false, createdAt: start } }),
  )
  expect(attributesOf(root)).toEqual({
    'gen_ai.operation.name': 'stringValue invoke_agent',
    'gen_ai.request.model': 'stringValue x',
    'gen_ai.provider.name': 'stringValue p',
    'gen_ai.usage.input_tokens': 'intValue 7',
    'gen_ai.usage.cache_creation.input_tokens': 'intValue 2',
    'gen_ai.input.messages':
      'stringValue [{"role":"user","parts":[{"type":"text","content":"go"}]},{"role":"system","parts":[{"type":"text","content":"note"}]}]',
    'gen_ai.output.messages':
      'stringValue [{"role":"assistant","parts":[{"type":"reasoning","content":"Hm"}]},{"role":"assistant","parts":[{"type":"text","content":"Yes"}]}]',
    'zcl.run.id': 'stringValue r',
    'zcl.suite.id': 'stringValue s',
    'zcl.mission.id': 'stringValue m',
    'zcl.attempt.id': 'stringValue 001-m-r1',
    'zcl.attempt.mode': 'stringValue ci',
    'zcl.attempt.ok': 'boolValue false',
    'zcl.attempt.outcome': 'stringValue failed',
  })
})
