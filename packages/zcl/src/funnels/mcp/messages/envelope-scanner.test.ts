import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EnvelopeScanner } from './envelope-scanner.ts'
import { messagesIn, type RpcMessage } from './rpc-message.ts'

function scan(text: string, cuts: readonly number[] = []): RpcMessage[] {
  const bytes = Buffer.from(text)
  const scanner = new EnvelopeScanner()
  const places = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort(
    (a, b) => a - b,
  )
  let start = 0
  for (const end of places) {
    scanner.push(bytes.subarray(start, end))
    start = end
  }
  return scanner.end()
}

/** Drops the fields that only the parser fills: the request text and the cancelled id. */
function parsed(text: string): RpcMessage[] {
  return messagesIn(text).map((message) => {
    const { text: _text, cancels: _cancels, ...rest } = message as Record<string, unknown>
    return rest as unknown as RpcMessage
  })
}

const id = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, 1, '1', -2.5, true, {}, [1]),
  fc.string(),
  fc.integer(),
)
/** Mixes dense and sparse escapes. */
const longText = fc
  .array(fc.constantFrom('\\', '"', '\n', 'x'.repeat(70), 'ü'), { minLength: 200, maxLength: 600 })
  .map((parts) => parts.join(''))
const result = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, {}, { isError: true }, { isError: 'yes' }, 'text', []),
  fc.record({ content: fc.jsonValue(), isError: fc.boolean() }),
  fc.jsonValue(),
)
const error = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, {}, 'x'),
  fc.record({ code: fc.jsonValue(), message: fc.string(), data: fc.jsonValue() }),
)
const message = fc.record(
  {
    jsonrpc: fc.constant('2.0'),
    id,
    method: fc.oneof(fc.constantFrom<unknown>(undefined, 'tools/call', 7), fc.string()),
    params: fc.oneof(fc.jsonValue(), longText, fc.array(longText, { maxLength: 2 })),
    result,
    error,
    'strange "key" {\\': fc.jsonValue(),
  },
  { requiredKeys: [] },
)
const shuffled = fc.tuple(message, fc.infiniteStream(fc.nat(1000))).map(([value, order]) =>
  Object.fromEntries(
    Object.entries(value)
      .map((entry) => ({ entry, at: order.next().value }))
      .sort((a, b) => a.at - b.at)
      .map(({ entry }) => entry),
  ),
)

describe('the scanner for large MCP messages', () => {
  it('finds the same members as the parser wherever the bytes are split', () => {
    fc.assert(
      fc.property(
        fc.oneof(shuffled, fc.array(fc.oneof(shuffled, fc.constantFrom<unknown>(7, null, 'x')))),
        fc.constantFrom(undefined, 1, '\t'),
        fc.array(fc.nat(5000), { maxLength: 12 }),
        (value, indent, cuts) => {
          const text = JSON.stringify(value, undefined, indent)
          expect(scan(text, cuts)).toEqual(normalised(parsed(text)))
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('uses the later of two members with the same name', () => {
    const text = '{"id":1,"id":"2","result":{"isError":true},"result":{}}'
    expect(scan(text)).toEqual(parsed(text))
  })

  it('finds nothing in truncated, concatenated or invalid JSON', () => {
    for (const text of [
      '{"id":1,"result":{}',
      '{"id":1,"result":{}}{"id":2,"result":{}}',
      'x{}',
      '',
    ]) {
      expect(scan(text)).toEqual([])
    }
  })

  it('keeps the start of an overlong error message', () => {
    const long = '😀\\"\\u00e4'.repeat(5000)
    const [found] = scan(`{"error":{"message":"${long}","code":-1},"id":1}`)
    expect(found).toMatchObject({ kind: 'response', id: 1, error: { code: -1 } })
    const { error: seen } = found as { error: { message: string } }
    expect(JSON.parse(`"${long}"`).startsWith(seen.message)).toBe(true)
    expect(seen.message.length).toBeGreaterThan(1000)
  })
})

/** Removes error codes that are objects or arrays, which the scanner skips. */
function normalised(messages: RpcMessage[]): RpcMessage[] {
  return messages.map((each) => {
    if (each.kind !== 'response' || each.error === undefined) return each
    const { code, message: text } = each.error
    const isScalar = typeof code !== 'object' || code === null
    return { ...each, error: { code: isScalar ? code : undefined, message: text } }
  })
}
