import { afterAll, describe, expect, it } from 'vitest'
import { removeLogs, sourceOf } from '../../test/imported-log.ts'
import { readOtlp } from './otlp.ts'
import { decodeTraces } from './otlp-protobuf.ts'

afterAll(removeLogs)

type Part = Buffer | string | bigint | number

function varint(value: bigint): Buffer {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, value)
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  return Buffer.from([...bytes, Number(rest)])
}

/** A field: bytes and texts with their length, a bigint as a varint, a number as a double. */
function field(number: number, value: Part): Buffer {
  if (typeof value === 'bigint') return Buffer.concat([varint(BigInt(number * 8)), varint(value)])
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(8)
    bytes.writeDoubleLE(value)
    return Buffer.concat([varint(BigInt(number * 8 + 1)), bytes])
  }
  const bytes = Buffer.from(value as string)
  return Buffer.concat([varint(BigInt(number * 8 + 2)), varint(BigInt(bytes.length)), bytes])
}

function fixed64(number: number, value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return Buffer.concat([varint(BigInt(number * 8 + 1)), bytes])
}

const message = (...fields: Buffer[]) => Buffer.concat(fields)
const attribute = (key: string, value: Buffer) => field(9, message(field(1, key), field(2, value)))
const text = (value: string) => field(1, value)
const traceId = Buffer.from('0102030405060708090a0b0c0d0e0f10', 'hex')

function spanOf(name: string, ...more: Buffer[]): Buffer {
  return message(
    field(1, traceId),
    field(2, Buffer.from(name.padEnd(8).slice(0, 8))),
    field(5, name),
    fixed64(7, 1_775_037_600_000_000_000n),
    fixed64(8, 1_775_037_602_000_000_000n),
    ...more,
  )
}

/** ResourceSpans with a resource and a schema, as the collector sends them. */
const traces = (...spans: Buffer[]) => {
  const scope = message(field(1, field(1, 'lib')), ...spans.map((span) => field(2, span)))
  return field(1, message(field(1, Buffer.alloc(0)), field(2, scope), field(3, 'schema')))
}

const call = spanOf(
  'execute_tool ls',
  field(4, Buffer.from('parent--')),
  attribute('gen_ai.operation.name', text('execute_tool')),
  attribute('gen_ai.tool.name', text('ls')),
  field(15, message(field(2, 'lost'), field(3, 2n))),
)
const longField = 'a field is longer than its message'
const framed = (...messages: Buffer[]) =>
  Buffer.concat(
    messages.flatMap((each) => {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(each.length)
      return [length, each]
    }),
  )

let count = 0

function read(bytes: Buffer) {
  const source = sourceOf(`otlp-${count++}.pb`, '')
  Object.defineProperty(source, 'bytes', { value: () => bytes })
  return readOtlp(source)
}

describe('decodeTraces', () => {
  it('gives the fields of a span in the form of JSON', () => {
    const values = [
      attribute('text', text('hi')),
      attribute('yes', field(2, 1n)),
      attribute('negative', field(3, -5n)),
      attribute('half', field(4, 0.5)),
      attribute('list', field(5, message(field(1, text('a')), field(1, field(3, 2n))))),
      attribute('map', field(6, field(1, message(field(1, 'k'), field(2, text('v')))))),
      attribute('bytes', field(7, Buffer.from('xyz'))),
    ]
    const event = field(11, message(fixed64(1, 1n), field(2, 'exception')))
    const decoded = decodeTraces(traces(spanOf('work', ...values, event, field(99, 'unknown'))))
    expect(decoded).toEqual({
      resourceSpans: [
        {
          scopeSpans: [
            {
              spans: [
                {
                  traceId: traceId.toString('hex'),
                  spanId: Buffer.from('work    ').toString('hex'),
                  name: 'work',
                  startTimeUnixNano: '1775037600000000000',
                  endTimeUnixNano: '1775037602000000000',
                  attributes: [
                    { key: 'text', value: { stringValue: 'hi' } },
                    { key: 'yes', value: { boolValue: true } },
                    { key: 'negative', value: { intValue: '-5' } },
                    { key: 'half', value: { doubleValue: 0.5 } },
                    {
                      key: 'list',
                      value: { arrayValue: { values: [{ stringValue: 'a' }, { intValue: '2' }] } },
                    },
                    {
                      key: 'map',
                      value: {
                        kvlistValue: { values: [{ key: 'k', value: { stringValue: 'v' } }] },
                      },
                    },
                    { key: 'bytes', value: { bytesValue: 'eHl6' } },
                  ],
                  events: [{ name: 'exception' }],
                },
              ],
            },
          ],
        },
      ],
    })
  })

  it('refuses every message that is cut off within a field', () => {
    const whole = traces(call)
    for (let end = 1; end < whole.length; end++) {
      expect(() => decodeTraces(whole.subarray(0, end))).toThrow(Error)
    }
  })

  it.each([
    ['a field without a number', Buffer.from([0x00, 0x00]), /number/],
    ['a group', Buffer.from([0x0b]), /./],
    ['an endless number', Buffer.alloc(11, 0xff), 'a number is cut off'],
    ['a cut number', Buffer.from([0x0a, 0xff]), 'a number is cut off'],
    ['a length above its message', field(1, Buffer.from([0x12, 0x7f])), longField],
    ['a length of 2^40', Buffer.concat([Buffer.from([0x0a]), varint(2n ** 40n)]), longField],
  ])('refuses %s', (_, bytes, message) => {
    expect(() => decodeTraces(bytes)).toThrow(message)
  })

  it('refuses values that nest deeper than 129 lists', () => {
    const nested = (depth: number) => {
      let value = text('x')
      for (let n = 0; n < depth; n++) value = field(5, field(1, value))
      return traces(spanOf('deep', attribute('a', value)))
    }
    expect(decodeTraces(nested(129))).toHaveProperty('resourceSpans')
    for (const depth of [130, 5000]) {
      expect(() => decodeTraces(nested(depth))).toThrow('a message nests too deep')
    }
  })
})

describe('readOtlp', () => {
  it('reads a message of protocol buffers', async () => {
    const { attempts, unmapped } = await read(traces(call))
    expect(unmapped).toEqual({})
    expect(attempts).toMatchObject([
      {
        sourceId: traceId.toString('hex'),
        startedAt: '2026-04-01T10:00:00.000Z',
        endedAt: '2026-04-01T10:00:02.000Z',
        calls: [{ op: 'ls', isError: true, durationMs: 2000 }],
      },
    ])
  })

  it('reads a message whose length is the byte of a brace', async () => {
    const padding = 123 - (traces(spanOf('x')).length - 2)
    const bytes = traces(spanOf('x'.repeat(padding + 1)))
    expect(bytes.subarray(0, 2)).toEqual(Buffer.from('\n{'))
    expect((await read(bytes)).attempts).toHaveLength(1)
  })

  it('reads JSON that starts with a new line', async () => {
    const span = { traceId: 't', spanId: 's', name: 'x' }
    const json = `\n${JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }, null, 1)}`
    expect((await read(Buffer.from(json))).attempts).toMatchObject([{ mission: 'x' }])
  })

  it('reads messages that follow their lengths, and counts damaged ones', async () => {
    const second = traces(spanOf('second'))
    const damaged = Buffer.from([0x0b])
    const bytes = framed(traces(call), damaged, second, second)
    const { attempts, unmapped } = await read(bytes.subarray(0, bytes.length - 1))
    expect(attempts).toMatchObject([{ mission: 'second', calls: [{ op: 'ls' }] }])
    expect(unmapped).toEqual({ 'damaged message': 2 })
  })

  it('refuses other bytes', async () => {
    for (const bytes of [
      Buffer.from([0, 0]),
      Buffer.alloc(9, 1),
      Buffer.from([0x0a, 0xff, 0x01]),
    ]) {
      const refusal = { code: 'ZCL_E_INVALID_JSON' }
      await expect(read(bytes)).rejects.toMatchObject(refusal)
    }
  })
})
