import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createKernel, kernelModule } from '../kernel/kernel.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { createSharedMemory, reserve } from '../kernel/shared-memory.ts'
import { HitWriter } from './writer.ts'

const textBytes = 4 << 20

interface Place {
  kernel: Kernel
  writer: HitWriter
  text: number
  words: number
}

function placeOf(form: 'best' | 'scalar'): Place {
  const memory = createSharedMemory(16 << 20)
  if (memory === undefined) throw new Error('no shared memory')
  const kernel = createKernel(memory, kernelModule(form))
  const [text, words] = [reserve(memory, textBytes), reserve(memory, 1 << 20)] as [number, number]
  return { kernel, writer: HitWriter.in(kernel) as HitWriter, text, words }
}

/** Writes every line of a text and returns the JSON and the number of written lines. */
function write(place: Place, path: string, lines: Buffer[], maxLineChars = 1000) {
  const { kernel, writer, text, words } = place
  const numbers: number[] = []
  let at = 0
  for (const [index, line] of lines.entries()) {
    kernel.bytes().set(line, text + at)
    numbers.push(index * 977, at, at + line.length, at)
    at += line.length + 1
  }
  new Uint32Array(kernel.memory.buffer, words, numbers.length).set(numbers)
  const slash = path.lastIndexOf('/') + 1
  expect(writer.startFile(path.slice(0, slash), path.slice(slash))).toBe(true)
  const count = writer.write(text, words, lines.length, maxLineChars)
  const json = writer.take().map((piece) => Buffer.from(piece).toString('latin1'))
  return { count, json: json.join(',') }
}

function expected(path: string, lines: Buffer[]): string {
  const hits = lines.map((text, index) => ({ path, line: index * 977, text: text.toString() }))
  return JSON.stringify(hits).slice(1, -1).replaceAll('\x7f', '\\u007f')
}

const asciiLines = fc.array(
  fc
    .array(fc.oneof(fc.integer({ min: 0, max: 127 }), fc.constantFrom(9, 32, 97)), {
      maxLength: 70,
    })
    .map((bytes) => Buffer.from(bytes)),
  { maxLength: 20 },
)

for (const form of ['best', 'scalar'] as const) {
  const place = placeOf(form)

  it(`the hit writer writes the same JSON as JSON.stringify (${form} kernel)`, () => {
    fc.assert(
      fc.property(asciiLines, (lines) => {
        const written = write(place, 'src/a b.ts', lines)
        expect(written).toEqual({ count: lines.length, json: expected('src/a b.ts', lines) })
      }),
      { numRuns: 500 },
    )
  })

  it(`the hit writer stops at the first line that is too long or not ASCII (${form} kernel)`, () => {
    const lines = ['one', 'two', 'naïve', 'four'].map((text) => Buffer.from(text))
    expect(write(place, 'a', lines)).toEqual({ count: 2, json: expected('a', lines.slice(0, 2)) })
    expect(write(place, 'a', lines, 2)).toEqual({ count: 0, json: '' })
  })

  it(`the hit writer returns hits that exceed its memory in several pieces (${form} kernel)`, () => {
    const lines = Array.from({ length: 2000 }, (_, index) => Buffer.alloc(900, 97 + (index % 26)))
    expect(write(place, 'a', lines)).toEqual({ count: 2000, json: expected('a', lines) })
  })
}

it('the hit writer refuses paths that need escapes in JSON or are not ASCII', () => {
  const { writer } = placeOf('best')
  for (const name of ['a"b', 'a\\b', 'é', 'a\tb', 'x\ufffd']) {
    expect(writer.startFile('', name)).toBe(false)
    expect(writer.startFile(`${name}/`, 'a')).toBe(false)
    expect(writer.startFile('src/', 'a')).toBe(true)
  }
})
