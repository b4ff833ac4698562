import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRedactor } from '@zee/core/redact'
import { emptyFacts, factsFromRecord, type CallFacts } from './facts.ts'
import { scanEvent } from './event-scanner.ts'
import { prepareInput, traceEvent } from '../trace/trace.ts'

const identity = {
  runId: '20260215-180012Z-09c5a6',
  suiteId: 'smoke',
  missionId: 'hello',
  attemptId: '001-hello-r1',
}
const redactor = createRedactor()

function scanned(text: string): CallFacts | undefined {
  const bytes = Buffer.from(`xx${text}yy`)
  const facts = emptyFacts()
  return scanEvent(bytes, 2, bytes.length - 2, facts) ? facts : undefined
}

function parsed(text: string): CallFacts {
  const facts = emptyFacts()
  factsFromRecord(JSON.parse(text) as Record<string, unknown>, facts)
  return facts
}

/** The facts without `tsText`, which the scanner sets only if `ts` does not determine it. */
function comparable(facts: CallFacts): object {
  return { ...facts, record: undefined, tsText: undefined }
}

const lines = fc
  .record({
    argv: fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { minLength: 1, maxLength: 5 }),
    other: fc.option(fc.dictionary(fc.string(), fc.jsonValue()), { freq: 3 }),
    ok: fc.boolean(),
    code: fc.option(fc.constantFrom('ZCL_E_TIMEOUT', 'HTTP_500', 'ü"\\')),
    exitCode: fc.option(fc.nat(255)),
    durationMs: fc.nat(100_000),
    out: fc.string({ unit: 'binary', maxLength: 200 }),
    err: fc.string({ maxLength: 40 }),
    extra: fc.nat(3),
    agentId: fc.option(fc.string({ minLength: 1 })),
    at: fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
    signal: fc.option(fc.constant('SIGTERM')),
  })
  .map((made) => {
    const out = Buffer.from(made.out)
    const event = traceEvent(
      made.agentId === null ? identity : { ...identity, agentId: made.agentId },
      {
        tool: made.other === null ? 'cli' : 'mcp',
        op: made.other === null ? 'exec' : 'tools/call',
        startedAt: made.at,
        input: prepareInput(made.other ?? { argv: made.argv }, redactor),
        result: {
          ok: made.ok,
          durationMs: made.durationMs,
          ...(made.code === null ? {} : { code: made.code }),
          ...(made.exitCode === null ? {} : { exitCode: made.exitCode }),
        },
        out: { bytes: out.length + made.extra, head: out },
        err: { bytes: made.err.length, head: Buffer.from(made.err) },
        ...(made.signal === null ? {} : { enrichment: { signal: made.signal } }),
      },
      redactor,
    )
    return event.line('0'.repeat(64))
  })

test('scanEvent finds the same facts as JSON.parse', () => {
  let read = 0
  fc.assert(
    fc.property(lines, (line) => {
      const facts = scanned(line)
      if (facts === undefined) return
      read++
      expect(comparable(facts)).toEqual(comparable(parsed(line)))
    }),
    { numRuns: 500 },
  )
  expect(read).toBeGreaterThan(100)
})

test('scanEvent rejects damaged lines, or finds the facts that JSON.parse finds', () => {
  fc.assert(
    fc.property(lines, fc.nat(), fc.integer({ min: 0, max: 126 }), (line, at, code) => {
      const place = at % line.length
      const damaged = line.slice(0, place) + String.fromCharCode(code) + line.slice(place + 1)
      // Half of a surrogate pair cannot be stored.
      const changed = Buffer.from(damaged).toString()
      const facts = scanned(changed)
      if (facts !== undefined) expect(comparable(facts)).toEqual(comparable(parsed(changed)))
    }),
    { numRuns: 1000 },
  )
})

test.each([
  ['2026-02-30T00:00:00.000Z', false],
  ['2026-13-01T00:00:00.000Z', false],
  ['2026-02-15T24:00:00.000Z', false],
  ['2026-02-15T18:00:60.000Z', false],
  ['2026-02-15T18:00:01.00xZ', false],
  ['2026-02-15T18:00:01.000Z', true],
])('scanEvent accepts the time %s: %s', (ts, expected) => {
  const sound = traceEvent(
    identity,
    {
      tool: 'cli',
      op: 'exec',
      startedAt: new Date(0),
      input: prepareInput({ argv: ['true'] }, redactor),
      result: { ok: true, durationMs: 1 },
      out: { bytes: 0, head: Buffer.alloc(0) },
      err: { bytes: 0, head: Buffer.alloc(0) },
    },
    redactor,
  ).line('0'.repeat(64))
  const facts = scanned(sound.replace('1970-01-01T00:00:00.000Z', ts))
  expect(facts !== undefined).toBe(expected)
  if (facts !== undefined) expect(facts.ts).toBe(Date.parse(ts))
})
