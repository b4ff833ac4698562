import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Envelope } from './envelope.ts'
import { failure, success, toolResultPart } from './envelope.ts'

const sent = (envelope: Envelope) => toolResultPart('a', envelope).content
const parsed = (envelope: Envelope) => JSON.parse(sent(envelope)) as Envelope

describe('the tool result for a model', () => {
  it('is the complete envelope up to 64 KiB', () => {
    const envelope = success({ stdout: 'x'.repeat(60_000), exit_code: 0 })
    expect(sent(envelope)).toBe(JSON.stringify(envelope))
  })

  it('is an envelope with the first and the last 32 KiB of a larger one and a mark between', () => {
    const stdout = `BEGIN${'x'.repeat(300_000)}END`
    const content = sent(success({ stdout, stderr: 'note', exit_code: 3, timed_out: false }))
    expect(Buffer.byteLength(content)).toBeLessThan(64 * 1024 + 60)
    expect(Buffer.byteLength(content)).toBeGreaterThan(64 * 1024 - 60)
    const { data } = JSON.parse(content) as { data: Record<string, string> }
    expect(data).toMatchObject({ stderr: 'note', exit_code: 3, timed_out: false })
    expect(data.stdout).toMatch(/^BEGINx+\n\[\.\.\. \d+ bytes left out \.\.\.\]\nx+END$/)
  })

  it('divides the limit among long texts', () => {
    const { data } = JSON.parse(
      sent(success({ stdout: 'o'.repeat(500_000), stderr: 'e'.repeat(90_000) })),
    ) as { data: Record<string, string> }
    expect(data.stdout?.length).toBeGreaterThan(32_000)
    expect(data.stderr?.length).toBeGreaterThan(32_000)
  })

  it('is a complete result of read, even if JSON escapes double its size', () => {
    const envelope = success({ path: '/f', content: '\n'.repeat(51_200), truncated: true })
    expect(sent(envelope)).toBe(JSON.stringify(envelope))
  })

  it('is cut to the limit even if JSON needs several bytes per character', () => {
    const content = sent(success({ stdout: '\u0001'.repeat(400_000) }))
    expect(Buffer.byteLength(content)).toBeLessThan(64 * 1024 + 60)
    expect(JSON.parse(content)).toMatchObject({ ok: true })
  })

  it('is cut as JSON text if it consists of many small values', () => {
    const rows = Array.from({ length: 50_000 }, (_, index) => index)
    const content = sent(success({ rows }))
    expect(Buffer.byteLength(content)).toBeLessThan(64 * 1024 + 60)
    expect(content).toMatch(/^\{"ok":true,"data":\{"json":"/)
  })

  it('keeps the code of an error whose message is cut', () => {
    const { error } = parsed(failure('mcp_tool_error', 'm'.repeat(900_000))) as {
      error: Record<string, string>
    }
    expect(error.code).toBe('mcp_tool_error')
    expect(error.message?.length).toBeLessThan(66_000)
  })

  it('is an envelope within the limit for random texts', () => {
    const text = fc
      .tuple(fc.constantFrom('a', '"', '\n', '\u0002', 'é', '🦀', '\ud800'), fc.nat(90_000))
      .map(([character, count]) => character.repeat(count))
    fc.assert(
      fc.property(text, text, (stdout, stderr) => {
        const content = sent(success({ stdout, stderr }))
        expect(JSON.parse(content)).toHaveProperty('data.stdout')
        expect(Buffer.byteLength(content)).toBeLessThan(51 * 1024 * 6 + 1024)
      }),
      { numRuns: 60 },
    )
  })
})
