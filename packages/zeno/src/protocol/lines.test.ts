import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RequestLine } from './lines.ts'
import { requestLines } from './lines.ts'

async function linesOf(chunks: readonly Buffer[], maxBytes = 1000): Promise<RequestLine[]> {
  const found: RequestLine[] = []
  for await (const line of requestLines(toStream(chunks), maxBytes)) found.push(line)
  return found
}

async function* toStream(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort(
    (a, b) => a - b,
  )
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
}

describe('requestLines', () => {
  it('returns the same lines wherever the input is split into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'binary' })),
        fc.array(fc.nat()),
        async (texts, places) => {
          const bytes = Buffer.from(texts.join('\n'))
          const expected = bytes.toString('latin1').split('\n')
          if (expected.at(-1) === '') expected.pop()
          const lines = await linesOf(cut(bytes, places), 1_000_000)
          const got = lines.map((line) => ('bytes' in line ? line.bytes.toString('latin1') : ''))
          expect(got).toEqual(expected)
        },
      ),
    )
  })

  it('reports the length of an oversized line and continues with the next line', async () => {
    const chunks = ['ab', 'cdefgh', 'ijk', '\nxy\n', '12345678\n', 'z'].map((text) =>
      Buffer.from(text),
    )
    expect(await linesOf(chunks, 5)).toEqual([
      { tooLong: 11 },
      { bytes: Buffer.from('xy') },
      { tooLong: 8 },
      { bytes: Buffer.from('z') },
    ])
  })
})
