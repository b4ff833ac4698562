import { isAscii } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bruteForceLines } from '../../../test/support/brute-force.ts'
import { lineTexts, regularPatterns } from '../../../test/support/patterns.ts'
import { fixedBytes } from './fixed-bytes.ts'
import type { FixedBytes } from './fixed-bytes.ts'
import { parseRegex } from '../parse/parse.ts'

function isIn(line: Buffer, { bytes, masks }: FixedBytes): boolean {
  for (let from = 0; from + bytes.length <= line.length; from++) {
    if (bytes.every((byte, at) => ((line[from + at] as number) | (masks[at] as number)) === byte)) {
      return true
    }
  }
  return false
}

const shown = (pattern: string, ignoreCase = false): string | undefined => {
  const found = fixedBytes(parseRegex(pattern, { ignoreCase }))
  if (found === undefined) return undefined
  return Array.from(found.bytes, (byte, at) => {
    const mask = found.masks[at] as number
    return mask === 0 ? String.fromCharCode(byte) : mask === 0xff ? '?' : '~'
  }).join('')
}

describe('fixedBytes', () => {
  it('returns the bytes that every match has at the same distances', () => {
    expect(shown('[0-9]{4}-[0-9]{2}-[0-9]{2}T')).toBe('~~~~-~~-~~T')
    expect(shown('\\w{3}_\\w{2}_x')).toBe('_??_x')
    expect(shown('(?:ab)c.d$')).toBe('abc?d')
    expect(shown('x+(y|z)abc')).toBe('abc')
    expect(shown('kmalloc', true)).toBe('~~~~~~~')
  })

  it('returns undefined for patterns without fixed bytes', () => {
    for (const pattern of ['\\w+', '.*', 'a*', '(a|b)', '[^x]{9}', '']) {
      expect(shown(pattern), pattern).toBe(undefined)
    }
  })

  it('returns bytes that occur on every matching ASCII line', () => {
    fc.assert(
      fc.property(
        regularPatterns,
        fc.array(lineTexts, { maxLength: 8 }),
        fc.boolean(),
        (pattern, lines, ignoreCase) => {
          const regex = parseRegex(pattern, { ignoreCase })
          const fixed = fixedBytes(regex)
          if (fixed === undefined) return
          for (const line of lines
            .map((text) => Buffer.from(text))
            .filter((text) => isAscii(text))) {
            if (bruteForceLines(regex, line).length > 0) expect(isIn(line, fixed)).toBe(true)
          }
        },
      ),
      { numRuns: 3000 },
    )
  })
})
