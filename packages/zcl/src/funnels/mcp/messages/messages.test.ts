import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineReader, type ReadLine } from './messages.ts'

function read(chunks: readonly Buffer[], keepsRaw = false): ReadLine[] {
  const lines: ReadLine[] = []
  const reader = new LineReader((line) => lines.push(line), { keepsRaw })
  for (const chunk of chunks) reader.push(chunk)
  reader.end()
  return lines
}

const large = JSON.stringify({ id: 'big', result: { text: 'ü'.repeat(800_000) } })

describe('lines of an MCP stream', () => {
  it('are the same wherever the stream is split', () => {
    const line = fc.constantFrom('', '{"id":1,"method":"x"}', 'text', '\r', 'ü\t', large)
    const end = fc.constantFrom('\n', '\r\n')
    fc.assert(
      fc.property(
        fc.array(fc.tuple(line, end), { maxLength: 6 }),
        line,
        fc.array(fc.nat(4_000_000), { maxLength: 6 }),
        fc.boolean(),
        (ended, last, cuts, keepsRaw) => {
          const text = ended.map((parts) => parts.join('')).join('') + last
          const bytes = Buffer.from(text)
          const places = cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b)
          const chunks = [0, ...places].map((start, index) =>
            bytes.subarray(start, places[index] ?? bytes.length),
          )
          const lines = read(chunks, keepsRaw)
          const expected = text.split('\n')
          if (expected.at(-1) === '') expected.pop()
          const isEnded = (index: number) => index < expected.length - 1 || text.endsWith('\n')
          const shown = expected.map((each, index) =>
            isEnded(index) ? each.replace(/\r$/, '') : each,
          )
          expect(lines.map(({ bytes: size }) => size)).toEqual(
            shown.map((e) => Buffer.byteLength(e)),
          )
          if (keepsRaw) {
            expect(Buffer.concat(lines.map(({ raw }) => raw as Buffer)).equals(bytes)).toBe(true)
          }
          expect(lines.flatMap(({ messages }) => messages.map(({ kind }) => kind))).toEqual(
            shown.flatMap((each) =>
              each === large ? ['response'] : each.startsWith('{') ? ['request'] : [],
            ),
          )
        },
      ),
      { numRuns: 60 },
    )
  })

  it('keep only the start of a large line', () => {
    const [line] = read([Buffer.from(large), Buffer.from('\n')])
    expect(line?.bytes).toBe(Buffer.byteLength(large))
    expect(line?.head.length).toBeLessThan(32_768)
    expect(line?.raw).toBeUndefined()
  })
})
