// Applies each diff to the old text and compares the result with the new text.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unifiedDiff } from './diff.ts'

/** Applies a diff of `unifiedDiff`. */
function apply(before: string, diff: string): string {
  const old = before === '' ? [] : before.replace(/\n$/, '').split('\n')
  const result: string[] = []
  let at = 0
  let endsBare = before !== '' && !before.endsWith('\n')
  const lines = diff.split('\n').slice(2, -1)
  lines.forEach((line, index) => {
    const range = /^@@ -(\d+)(?:,(\d+))? \+/.exec(line)
    if (range !== null) {
      const start = Number(range[1]) - (range[2] === '0' ? 0 : 1)
      while (at < start) result.push(old[at++] ?? '')
    } else if (line.startsWith(' ')) {
      expect(old[at++]).toBe(line.slice(1))
      result.push(line.slice(1))
    } else if (line.startsWith('-')) {
      expect(old[at++]).toBe(line.slice(1))
    } else if (line.startsWith('+')) {
      result.push(line.slice(1))
    } else if (line.startsWith('\\')) {
      endsBare = !lines[index - 1]?.startsWith('-')
      return
    }
    if (at >= old.length && /^[ +]/.test(line)) endsBare = false
  })
  while (at < old.length) result.push(old[at++] ?? '')
  return result.length === 0 ? '' : `${result.join('\n')}${endsBare ? '' : '\n'}`
}

describe('a unified diff', () => {
  it('is empty for equal texts', () => {
    expect(unifiedDiff('f', 'a\nb\n', 'a\nb\n')).toBe('')
  })

  it('shows three context lines around a change', () => {
    const lines = Array.from({ length: 9 }, (_, index) => `line ${index + 1}`)
    const before = `${lines.join('\n')}\n`
    expect(unifiedDiff('f.txt', before, before.replace('line 5', 'five'))).toBe(
      [
        '--- a/f.txt',
        '+++ b/f.txt',
        '@@ -2,7 +2,7 @@',
        ' line 2',
        ' line 3',
        ' line 4',
        '-line 5',
        '+five',
        ' line 6',
        ' line 7',
        ' line 8',
        '',
      ].join('\n'),
    )
  })

  it('marks a new file, a deleted file and a missing newline at the end', () => {
    expect(unifiedDiff('f', null, 'x\n')).toBe('--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n')
    expect(unifiedDiff('f', 'x\n', null)).toBe('--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n')
    expect(unifiedDiff('f', 'x\n', 'x')).toContain('\\ No newline at end of file')
  })

  it('yields the new text when applied to the old text', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 25 })
      .map((lines) => lines.map((line) => `${line}\n`).join(''))
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== after)
        expect(apply(before, unifiedDiff('f', before, after))).toBe(after)
      }),
    )
  })

  it('is fast for large texts with nothing in common', () => {
    const before = Array.from({ length: 20_000 }, (_, index) => `old ${index}\n`).join('')
    const after = Array.from({ length: 20_000 }, (_, index) => `new ${index}\n`).join('')
    expect(unifiedDiff('f', before, after).split('\n')).toHaveLength(40_004)
  })
})

it('every hunk has the line numbers of both texts', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `${index + 1}\n`)
  const changed = lines.with(4, 'five\nmore\n').with(29, 'thirty\n')
  const hunks = unifiedDiff('f', lines.join(''), changed.join('')).match(/^@@.*@@$/gm)
  expect(hunks).toEqual(['@@ -2,7 +2,8 @@', '@@ -27,7 +28,7 @@'])
})
