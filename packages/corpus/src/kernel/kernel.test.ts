import { execFileSync } from 'node:child_process'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { repository } from '../../../../test/support/paths.ts'
import { countText } from '../text/count.ts'
import { checksumAt, checksumOf } from '../index/snapshot/checksum.ts'
import { createKernel, kernelModule } from './kernel.ts'
import type { Kernel } from './kernel.ts'
import { createSharedMemory, reserve } from './shared-memory.ts'
import type { WasmMemory } from '../wasm/wasm.ts'

/** A small alphabet, so that needles, line ends and trigrams coincide often. */
const text = fc
  .array(fc.constantFrom(...'aAbB.\n\r\n', 'é', '\u0000', 'z'), { maxLength: 90 })
  .map((parts) => Buffer.from(parts.join('')))

interface Bench {
  kernel: Kernel
  at: number
  scratch: number
}

function bench(form: 'best' | 'scalar'): Bench {
  const memory = createSharedMemory(1 << 24) as WasmMemory
  const at = reserve(memory, 1 << 16) as number
  const scratch = reserve(memory, 1 << 18) as number
  return { kernel: createKernel(memory, kernelModule(form)), at, scratch }
}

function put({ kernel, at }: Bench, bytes: Buffer): number {
  // The old contents of the memory must not matter.
  kernel.bytes().fill(0x61, at, at + bytes.length + 64)
  bytes.copy(kernel.bytes(), at)
  return at + bytes.length
}

/** Writes the needle and its masks to the start of the scratch memory. */
function putNeedle({ kernel, scratch }: Bench, needle: string, fold: boolean): number {
  const bytes = Buffer.from(fold ? needle.toLowerCase() : needle)
  const masks = bytes.map((byte) => (fold && byte >= 0x61 && byte <= 0x7a ? 0x20 : 0))
  Buffer.concat([bytes, masks]).copy(kernel.bytes(), scratch)
  return bytes.length
}

function linesOf(bytes: Buffer): string[] {
  const lines = bytes.toString('latin1').split(/\r\n|\n|\r/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

describe('the committed kernel', () => {
  it('equals the compiled sources', () => {
    const script = path.join(repository, 'build/kernel.mjs')
    execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' })
  }, 60_000)
})

describe.each(['best', 'scalar'] as const)('the kernel, %s', (form) => {
  const at = bench(form)
  const { kernel, scratch } = at

  it('finds the lines that contain a needle, with their numbers and offsets', () => {
    const needles = fc.array(fc.constantFrom(...'abA.é'), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(text, needles, fc.boolean(), fc.nat(5), (bytes, parts, fold, limit) => {
        const needle = parts.join('')
        const length = putNeedle(at, needle, fold)
        const end = put(at, bytes)
        const out = scratch + 1024
        const rare = length >> 1
        const count = kernel.findLines(
          ...([at.at, end, scratch, length, rare, 0, at.at, 1, out, limit] as const),
        )
        const words = new Uint32Array(kernel.memory.buffer, out, count * 4)
        const fit = (line: string): string =>
          fold ? line.replace(/[A-Z]/g, (one) => one.toLowerCase()) : line
        const wanted = Buffer.from(fold ? needle.toLowerCase() : needle).toString('latin1')
        const expected = linesOf(bytes)
          .map((line, index) => ({ line: index + 1, text: line, at: fit(line).indexOf(wanted) }))
          .filter((one) => one.at !== -1)
          .slice(0, limit)
        const found = Array.from({ length: count }, (_, index) => {
          const [line, start, stop, match] = words.subarray(index * 4, index * 4 + 4)
          const own = bytes.toString('latin1', start, stop)
          return { line, text: own, at: (match as number) - (start as number) }
        })
        expect(found).toEqual(expected)
      }),
      { numRuns: 2000 },
    )
  })

  it('counts the same line ends and characters as countText', () => {
    fc.assert(
      fc.property(text, (bytes) => {
        kernel.countText(at.at, put(at, bytes), scratch)
        const [feeds, returns, pairs, continuations, beyond] = new Uint32Array(
          kernel.memory.buffer,
          scratch,
          5,
        ) as unknown as [number, number, number, number, number]
        const plain = countText(bytes)
        expect(feeds + returns - pairs).toBe(plain.lineEnds)
        expect(bytes.length - continuations - pairs).toBe(plain.chars)
        expect(beyond === 1).toBe(bytes.some((byte) => byte >= 0x80))
      }),
      { numRuns: 2000 },
    )
  })

  it('lower-cases ASCII letters and detects ASCII texts without a CR', () => {
    const ascii = fc.array(fc.integer({ min: 0, max: 0x7f }), { maxLength: 80 })
    const plain = ascii.map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 0x0d)))
    fc.assert(
      fc.property(fc.oneof(text, plain), (bytes) => {
        const isPlain = kernel.lowerCase(at.at, put(at, bytes), scratch)
        expect(isPlain === 1).toBe(!bytes.some((byte) => byte >= 0x80 || byte === 0x0d))
        const lower = kernel.bytes().toString('latin1', scratch, scratch + bytes.length)
        expect(lower).toBe(lowered(bytes))
      }),
      { numRuns: 2000 },
    )
  })

  it('never filters out a text that contains the trigrams, and clears replaced columns', () => {
    const [map, lower, block, hashes, row] = [0, 1 << 16, 1 << 17, 3 << 16, (3 << 16) + 4096].map(
      (offset) => scratch + offset,
    ) as [number, number, number, number, number]
    const texts = fc.array(text, { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(texts, fc.integer({ min: 6, max: 9 }), fc.nat(80), (all, size, from) => {
        kernel.bytes().fill(0, block, block + 16 * (1 << size))
        const mark = (bytes: Buffer): void => {
          kernel.lowerCase(at.at, put(at, bytes), lower)
          kernel.markTrigrams(lower, lower + bytes.length, map, size + 2)
          kernel.halveMap(map, size + 2)
          kernel.halveMap(map, size + 1)
        }
        for (const [index, bytes] of all.entries()) {
          mark(bytes)
          kernel.putColumn(block, 16, index * 9, size, map)
        }
        const sample = (all[0] as Buffer)
          .toString('latin1')
          .toLowerCase()
          .slice(from, from + 6)
        const trigrams = Array.from({ length: Math.max(0, sample.length - 2) }, (_, index) =>
          kernel.trigramHash(
            Buffer.from(sample.slice(index, index + 3), 'latin1').readUIntLE(0, 3),
          ),
        )
        new Uint32Array(kernel.memory.buffer, hashes, trigrams.length).set(trigrams)
        const filter = (): Buffer => {
          kernel.filterBlock(block, 16, hashes, trigrams.length, 18 - size, row)
          return kernel.bytes().subarray(row, row + 16)
        }
        const bits = Buffer.from(filter())
        for (const [index, bytes] of all.entries()) {
          const holds = lowered(bytes).includes(sample)
          const bit = ((bits[(index * 9) >> 3] as number) >> ((index * 9) & 7)) & 1
          if (holds) expect(bit).toBe(1)
        }
        mark(Buffer.alloc(0))
        kernel.putColumn(block, 16, 0, size, map)
        if (trigrams.length > 0) expect((filter()[0] as number) & 1).toBe(0)
      }),
      { numRuns: 500 },
    )
  })

  it('computes the same checksum as JavaScript', () => {
    const words = fc.array(fc.integer({ min: 0, max: 2 ** 32 - 1 }), { maxLength: 60 })
    fc.assert(
      fc.property(words, (all) => {
        const whole = Int32Array.from([...all, ...Array.from({ length: -all.length & 3 }, () => 7)])
        new Int32Array(kernel.memory.buffer, scratch, whole.length).set(whole)
        expect(checksumAt(kernel, scratch, whole.byteLength, scratch + 4096)).toBe(
          checksumOf(whole),
        )
      }),
      { numRuns: 300 },
    )
  })

  it('writes gathered texts to the same cells as single texts', () => {
    const [map, lower, group, single, gathered] = [0, 1 << 12, 1 << 13, 1 << 14, 1 << 15].map(
      (offset) => scratch + offset,
    ) as [number, number, number, number, number]
    const [size, rowBytes] = [6, 16]
    kernel.bytes().fill(0, group, group + (1 << size))
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), fc.nat(15), (all, cell) => {
        kernel.bytes().fill(0, single, gathered + (rowBytes << size))
        for (const [bit, bytes] of all.entries()) {
          kernel.lowerCase(at.at, put(at, bytes), lower)
          kernel.markTrigrams(lower, lower + bytes.length, map, size)
          kernel.putColumn(single, rowBytes, cell * 8 + bit, size, map)
          kernel.addToGroup(group, map, size, bit)
        }
        kernel.writeGroup(gathered + cell, rowBytes, size, group)
        const rows = (from: number): Buffer =>
          kernel.bytes().subarray(from, from + (rowBytes << size))
        expect(rows(gathered)).toEqual(rows(single))
      }),
      { numRuns: 300 },
    )
  })
})

function lowered(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/[A-Z]/g, (one) => one.toLowerCase())
}
