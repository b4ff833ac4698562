import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rawPreviews } from './raw-previews.ts'

interface Parts {
  argv: string[]
  out: string | undefined
  err: string | undefined
  exitCode: number | undefined
  redactions: string[]
  isTruncated: boolean
}

const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '"outPreview":"x"',
    '},"io":{"outBytes":1,"errBytes":2,"outPreview":"no',
    '\\',
    '\\"',
    '\\\\"',
    '"',
    '\u2028<',
  ),
)

const calls: fc.Arbitrary<Parts> = fc.record({
  argv: fc.array(texts, { minLength: 1, maxLength: 4 }),
  out: fc.option(texts, { nil: undefined }),
  err: fc.option(texts, { nil: undefined }),
  exitCode: fc.option(fc.integer({ min: 0, max: 255 }), { nil: undefined }),
  redactions: fc.array(fc.constantFrom('jwt', 'openai_key'), { maxLength: 2 }),
  isTruncated: fc.boolean(),
})

function lineOf({ argv, out, err, exitCode, redactions, isTruncated }: Parts, more: object = {}) {
  return JSON.stringify({
    v: 1,
    ts: '2026-01-01T00:00:00.000Z',
    runId: 'r',
    missionId: 'm',
    attemptId: 'a',
    tool: 'cli',
    op: 'exec',
    input: { argv },
    result: { ok: exitCode === 0, exitCode, durationMs: 3 },
    io: { outBytes: 10, errBytes: 20, outPreview: out, errPreview: err },
    redactionsApplied: redactions,
    ...more,
    ...(isTruncated ? { integrity: { truncated: true } } : {}),
    chain: 'f'.repeat(64),
  })
}

describe('rawPreviews', () => {
  it('locates the same previews that parsing the line gives', () => {
    fc.assert(
      fc.property(calls, fc.nat(40), (call, offset) => {
        const line = Buffer.from(' '.repeat(offset) + lineOf(call))
        const raw = rawPreviews(line, offset, line.length)
        expect(raw).toBeDefined()
        const at = (span: { from: number; to: number } | undefined): unknown =>
          span === undefined || span.from === span.to
            ? undefined
            : JSON.parse(line.toString('utf8', span.from, span.to))
        const parsed = JSON.parse(line.toString()) as { io: Record<string, unknown> }
        expect(at(raw?.out)).toEqual(parsed.io.outPreview)
        expect(at(raw?.err)).toEqual(parsed.io.errPreview)
        expect(raw).toMatchObject({
          head: { tool: 'cli', input: { argv: call.argv }, result: { durationMs: 3 } },
          outBytes: 10,
          errBytes: 20,
          isTruncated: call.isTruncated,
          redactions: call.redactions,
        })
      }),
    )
  })

  it('returns undefined for lines that the CLI funnel did not write', () => {
    const call = {
      argv: ['a'],
      out: 'o',
      err: undefined,
      exitCode: 0,
      redactions: [],
      isTruncated: false,
    }
    const refuses = (line: string): void => {
      const bytes = Buffer.from(line)
      expect(rawPreviews(bytes, 0, bytes.length)).toBeUndefined()
    }
    refuses(lineOf(call, { enrichment: { io: { outBytes: 1 } } }))
    refuses(lineOf(call).replace('"argv"', '"other"'))
    refuses(lineOf(call).replace('"result":{', '"result":[],"other":{'))
    refuses('{}')
  })
})
