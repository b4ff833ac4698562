import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { AppendError } from '@zee/core/journal'
import { createRedactor } from '@zee/core/redact'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { Lab } from '../../test/lab.ts'
import { chainStart, lineHash } from '@zee/core/chain'
import { limits } from '../schema/limits.ts'
import { traceEventSchema } from '../schema/schema.ts'
import * as trace from './trace.ts'

const lab = new Lab()
afterAll(() => lab.remove())

const redactor = createRedactor()
const identity = {
  runId: '20260215-180012Z-09c5a6',
  suiteId: 'smoke',
  missionId: 'hello',
  attemptId: '001-hello-r1',
}
const token = `ghp_${'a1B2'.repeat(9)}`

function stream(text: string | Buffer, kept = Number.POSITIVE_INFINITY): trace.ObservedStream {
  const bytes = Buffer.from(text)
  return { bytes: bytes.length, head: bytes.subarray(0, kept) }
}

function eventOf(
  over: Partial<trace.ObservedCall> = {},
  agentId?: string,
): Record<string, unknown> {
  const call: trace.ObservedCall = {
    tool: 'cli',
    op: 'exec',
    startedAt: new Date('2026-02-15T18:00:01.000Z'),
    input: trace.prepareInput({ argv: ['echo', 'x'] }, redactor),
    result: { ok: true, exitCode: 0, durationMs: 1.6 },
    out: trace.noOutput,
    err: trace.noOutput,
    ...over,
  }
  const who = agentId === undefined ? identity : { ...identity, agentId }
  return JSON.parse(trace.traceEvent(who, call, redactor).line(chainStart)) as never
}

test('an event has the keys of the schema in order', () => {
  const event = eventOf(
    {
      out: stream('x'.repeat(20_000)),
      enrichment: { b: 1, a: 2 },
      input: trace.prepareInput({ argv: ['x'.repeat(70_000)] }, redactor),
      result: { ok: false, code: 'ZCL_E_TOOL_FAILED', exitCode: 3, durationMs: 1.6 },
      id: '0123456789abcdef',
      parentId: 'fedcba9876543210',
      isIgnored: true,
    },
    'agent',
  )
  expect(Object.keys(event)).toEqual(Object.keys(traceEventSchema.shape))
  expect(Object.keys(event.io as object)).toEqual([
    'outBytes',
    'errBytes',
    'outPreview',
    'outTruncated',
    'errTruncated',
  ])
  expect(event.result).toEqual({ ok: false, code: 'ZCL_E_TOOL_FAILED', exitCode: 3, durationMs: 2 })
  expect(JSON.stringify(event.enrichment)).toBe('{"a":2,"b":1}')
})

test('an event omits absent fields and writes empty lists', () => {
  const event = eventOf()
  expect(event).not.toHaveProperty('agentId')
  expect(event).not.toHaveProperty('enrichment')
  expect(event).not.toHaveProperty('warnings')
  expect(event.io).toEqual({ outBytes: 0, errBytes: 0 })
  expect(event.redactionsApplied).toEqual([])
  expect(event.integrity).toEqual({ truncated: false })
})

test('prepareInput sorts keys at every depth, including keys that look like numbers', () => {
  const { json } = trace.prepareInput({ z: { b: 1, a: [{ y: 1, x: 2 }] }, 9: 1, 10: 2 }, redactor)
  expect(json).toBe('{"10":2,"9":1,"z":{"a":[{"x":2,"y":1}],"b":1}}')
})

test('an event redacts argv, previews and enrichment, and names each rule once', () => {
  const event = eventOf({
    input: trace.prepareInput({ argv: ['curl', '-H', `Authorization: Bearer ${token}`] }, redactor),
    out: stream(`out ${token}`),
    err: stream(`API_KEY=abcdef123456`),
    enrichment: { error: `https://user:hunter22@host/ ${token}` },
  })
  expect(JSON.stringify(event)).not.toMatch(/a1B2a1B2|abcdef123456|hunter22/)
  const names = event.redactionsApplied as string[]
  expect(names).toEqual([...new Set(names)].sort())
  expect(names).toContain('github_token')
})

test('a preview holds no prefix of a secret that straddles the cap', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -60, max: 60 }),
      fc.integer({ min: 0, max: 3 }),
      (shift, more) => {
        const before = 'x '.repeat(limits.previewBytes)
        const at = limits.previewBytes + shift
        const text = `${before.slice(0, at)} ${token} ${'y '.repeat(more * 20_000)}`
        const preview = trace.previewOf(stream(text, trace.previewCaptureBytes), redactor)
        expect(preview.text).not.toMatch(/ghp_/)
        expect(Buffer.byteLength(preview.text)).toBeLessThanOrEqual(limits.previewBytes)
      },
    ),
  )
})

test('a preview redacts a private key whose end is outside the capture', () => {
  const key = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEpAIBAAKCAQEA'.repeat(4000)}`
  const preview = trace.previewOf(stream(`head\n${key}`, trace.previewCaptureBytes), redactor)
  expect(preview.text).toMatch(/^head\n\[REDACTED:PRIVATE_KEY\]/)
  expect(preview.text).not.toMatch(/MIIE/)
})

test('a preview is cut at a character boundary, without replacement characters', () => {
  fc.assert(
    fc.property(fc.nat(8), fc.constantFrom('ü', '€', '𝒳'), (shift, character) => {
      const text = 'a'.repeat(shift) + character.repeat(30_000)
      const preview = trace.previewOf(stream(text, trace.previewCaptureBytes), redactor)
      expect(preview.text).not.toContain('\ufffd')
      expect(text.startsWith(preview.text)).toBe(true)
      expect(preview.truncated).toBe(true)
      expect(Buffer.byteLength(preview.text)).toBeGreaterThan(limits.previewBytes - 4)
    }),
    { numRuns: 20 },
  )
})

test('a preview of exactly the cap is not cut', () => {
  const preview = trace.previewOf(stream('x'.repeat(limits.previewBytes)), redactor)
  expect(preview).toMatchObject({ truncated: false, text: 'x'.repeat(limits.previewBytes) })
})

test.each([
  ['fffe41', '\ufffd\ufffdA'],
  ['e28278', '\ufffd\ufffdx'],
  ['f09f9878', '\ufffd\ufffd\ufffdx'],
  ['c0af', '\ufffd\ufffd'],
  ['eda080', '\ufffd\ufffd\ufffd'],
  ['f4908080', '\ufffd\ufffd\ufffd\ufffd'],
  ['e282', '\ufffd\ufffd'],
  ['41efbfbd80e282ac', 'A\ufffd\ufffd€'],
])('a preview replaces each invalid byte of %s by one replacement character', (hex, text) => {
  expect(trace.previewOf(stream(Buffer.from(hex, 'hex')), redactor).text).toBe(text)
})

test('a preview decodes valid text unchanged and counts every invalid byte once', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.uint8Array(), (text, bytes) => {
      const plain = stream(text.replaceAll(/[^ -~\u00a0-\ud7ff]/gu, '.'))
      expect(trace.previewOf(plain, redactor).text).toBe(Buffer.from(plain.head).toString())
      const odd = trace.previewOf(stream(Buffer.from(bytes)), redactor).text
      const seen = [...odd].map((each) => (each === '\ufffd' ? 1 : Buffer.byteLength(each)))
      if (!Buffer.from(bytes).includes('\ufffd')) {
        expect(seen.reduce((sum, size) => sum + size, 0)).toBe(bytes.length)
      }
    }),
  )
})

test('prepareInput shortens an oversize argv from its end and marks it', () => {
  const argv = ['tool', 'x'.repeat(30_000), 'y'.repeat(30_000), 'z'.repeat(30_000)]
  const input = trace.prepareInput({ argv }, redactor)
  const kept = JSON.parse(input.json) as { argv: string[] }
  expect(kept.argv).toEqual([argv[0], argv[1], argv[2], '[TRUNCATED]'])
  expect(Buffer.byteLength(input.json)).toBeLessThanOrEqual(limits.inputBytes)
  expect(input.warnings).toMatchObject([{ code: 'ZCL_W_INPUT_TRUNCATED' }])
  expect(eventOf({ input })).toMatchObject({ integrity: { truncated: true } })
})

test('prepareInput stores only the mark if the first word of argv is over the cap', () => {
  const input = trace.prepareInput({ argv: ['x'.repeat(70_000)] }, redactor)
  expect(input.json).toBe('{"argv":["[TRUNCATED]"]}')
})

test('prepareInput does not cut an input of exactly the cap', () => {
  const empty = Buffer.byteLength('{"argv":[""]}')
  const input = trace.prepareInput({ argv: ['x'.repeat(limits.inputBytes - empty)] }, redactor)
  expect(input).toMatchObject({ truncated: false, warnings: [] })
})

test('prepareInput replaces other oversize inputs by a note that they were dropped', () => {
  const { json } = trace.prepareInput({ method: 'x', params: 'y'.repeat(70_000) }, redactor)
  expect(JSON.parse(json)).toEqual({ truncated: true, reason: 'input_truncated_to_fit_bounds' })
})

test('prepareInput stores an input without canonical form as text, with a warning', () => {
  for (const odd of [{ a: '\ud800' }, { a: Number.NaN }, undefined]) {
    const input = trace.prepareInput(odd, redactor)
    expect(Object.keys(JSON.parse(input.json) as object)).toEqual(['raw'])
    expect(input.warnings).toMatchObject([{ code: 'ZCL_W_INPUT_NOT_CANONICAL' }])
  }
})

test('members of an enrichment that are undefined are absent', () => {
  const event = eventOf({
    enrichment: { a: 1, b: undefined, http: { status: 200, model: undefined } },
  })
  expect(event.enrichment).toEqual({ a: 1, http: { status: 200 } })
  expect(event).not.toHaveProperty('warnings')
  const none = eventOf({ enrichment: { signal: undefined, error: undefined } })
  expect(none).not.toHaveProperty('enrichment')
  expect(none).not.toHaveProperty('warnings')
})

test('an event drops oversize enrichment with a warning', () => {
  const event = eventOf({ enrichment: { x: 'y'.repeat(70_000) } })
  expect(event).not.toHaveProperty('enrichment')
  expect(event.warnings).toMatchObject([{ code: 'ZCL_W_ENRICHMENT_TRUNCATED' }])
})

test('redactionNames are sorted, unique and bounded', () => {
  const many = Array.from({ length: 100 }, (_, index) => `rule-${index}`)
  const names = trace.redactionNames(many, many, ['x'.repeat(200)])
  expect(names).toHaveLength(64)
  expect(names).toEqual([...new Set(names)].sort())
  expect(trace.redactionNames(['x'.repeat(200)])[0]).toHaveLength(64)
})

test('each appended line carries the hash of the previous line, also of the torn line of another writer', async () => {
  const attempt = lab.attempt()
  const event = trace.traceEvent(identity, plainCall(), redactor)
  const file = attempt.file('tool.calls.jsonl')
  await trace.appendTraceEvent(attempt.folder, event)
  await trace.appendTraceEvent(attempt.folder, event)
  writeFileSync(file, `${readFileSync(file, 'utf8')}{"torn`)
  await trace.appendTraceEvent(attempt.folder, event)
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const chains = lines.map((line, index) =>
    index === 2 ? undefined : (JSON.parse(line) as { chain: string }).chain,
  )
  const hashes = lines.map((line) => lineHash(Buffer.from(line)))
  expect(chains).toEqual([chainStart, hashes[0], undefined, hashes[2]])
})

test.each(['a part of its own line', 'zeros'])(
  'an append cuts off %s that a crash left',
  async (kind) => {
    const attempt = lab.attempt({}, kind === 'zeros' ? '010-hello-r1' : '011-hello-r1')
    const file = attempt.file('tool.calls.jsonl')
    const event = trace.traceEvent(identity, plainCall(), redactor)
    await trace.appendTraceEvent(attempt.folder, event)
    const [first = ''] = readFileSync(file, 'utf8').split('\n')
    appendFileSync(file, kind === 'zeros' ? Buffer.alloc(40) : first.slice(0, 120))
    await trace.appendTraceEvent(attempt.folder, event)
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    expect(lines).toEqual([first, event.line(lineHash(Buffer.from(first)))])
  },
)

function plainCall(): Parameters<typeof trace.traceEvent>[1] {
  return {
    tool: 'cli',
    op: 'exec',
    startedAt: new Date(0),
    input: trace.prepareInput({ argv: ['x'] }, redactor),
    result: { ok: true, durationMs: 1 },
    out: trace.noOutput,
    err: trace.noOutput,
  }
}

test('an append follows lines that were appended after it was prepared', async () => {
  const attempt = lab.attempt({}, '003-hello-r1')
  const file = attempt.file('tool.calls.jsonl')
  const line = (chain: string) => `${JSON.stringify({ ...eventOf(), chain })}\n`
  const call = { tool: 'cli', op: 'exec', startedAt: new Date(0) }
  const observed = {
    ...call,
    input: trace.prepareInput({ argv: ['x'] }, redactor),
    result: { ok: true, durationMs: 1 },
    out: trace.noOutput,
    err: trace.noOutput,
  }
  const event = trace.traceEvent(identity, observed, redactor)
  for (const meanwhile of [line('a'), '', `${line('b')}${line('c')}`]) {
    trace.prepareTraceAppend(attempt.folder)
    appendFileSync(file, meanwhile)
    const before = readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? ''
    await trace.appendTraceEvent(attempt.folder, event)
    const last = readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? ''
    expect((JSON.parse(last) as { chain: string }).chain).toBe(lineHash(Buffer.from(before)))
  }
})

test('prepareTraceAppend ignores faults that checkTraceWritable reports', async () => {
  const attempt = lab.attempt({}, '004-hello-r1')
  mkdirSync(attempt.file('tool.calls.jsonl'))
  trace.prepareTraceAppend(attempt.folder)
  trace.prepareTraceAppend(`${attempt.folder}/nowhere`)
  expect(() => trace.checkTraceWritable(attempt.folder)).toThrowError(
    expect.objectContaining({ code: 'ZCL_E_IO' }),
  )
})

test('requireRegularStream and checkTraceWritable refuse a symlink', () => {
  const attempt = lab.attempt({}, '002-hello-r1')
  symlinkSync('/tmp', attempt.file('tool.calls.jsonl'))
  for (const check of [trace.requireRegularStream, trace.checkTraceWritable]) {
    expect(() => check(attempt.folder, 'tool.calls.jsonl')).toThrowError(
      expect.objectContaining({ code: 'ZCL_E_CONTAINMENT' }),
    )
  }
})

test('a failure to record says whether the action may be recorded', () => {
  const cause = new Error('the disk is full')
  expect(trace.recordingFailure(new AppendError(cause, 0, false))).toMatch(
    /^the action was not recorded: .*the disk is full/,
  )
  expect(trace.recordingFailure(new AppendError(cause, 1, true))).toMatch(
    /^the action may not be recorded: /,
  )
  expect(trace.recordingFailure(cause)).toBe('the action was not recorded: the disk is full')
})
