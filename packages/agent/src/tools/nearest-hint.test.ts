import { describe, expect, it } from 'vitest'
import { nearestHint } from './nearest-hint.ts'

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `const value${index} = compute(${index})`)

describe('the nearest hint', () => {
  it('names the line that differs only in spaces and case', () => {
    const text = 'one\n\tTwo  words\nthree\n'
    expect(nearestHint(text, 'two words')).toBe(
      'The nearest text begins at line 2; line 2 differs: ' +
        `the file has "\\tTwo  words", 'old' has "two words".`,
    )
  })

  it('names no line if none shares a word', () => {
    expect(nearestHint('alpha\nbeta\n', 'gamma')).toContain('No line resembles it')
  })

  it('searches a long file completely and a very long file in part', () => {
    const lines = numbered(90_000)
    const piece = ['const value80000 = compute( 80000 )', 'nothing like it', 'at all'].join('\n')
    expect(nearestHint(lines.join('\n'), piece)).toContain('line 80001;')
    const beyond = [...numbered(100_000).fill(''), 'needle here'].join('\n')
    expect(nearestHint(beyond, 'needle there')).toContain('No line resembles it')
  })

  it('shows only the start of a long line', () => {
    const hint = nearestHint(`needle ${'x'.repeat(1_000_000)}`, 'needle y')
    expect(hint).toContain('line 1 differs')
    expect(hint.length).toBeLessThan(500)
  })
})
