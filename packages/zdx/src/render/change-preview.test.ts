import { coloursFor } from '@zee/core/colour'
import { describe, expect, it } from 'vitest'
import { changePreview } from './change-preview.ts'

const plain = coloursFor({ isTTY: false }, {})
const preview = (name: string, input: Record<string, unknown>) =>
  changePreview({ type: 'tool_requested', id: 't', name, input }, plain)

describe('the preview of a change', () => {
  it('shows the differing lines of an edit', () => {
    expect(preview('edit', { path: 'f', old: 'a\nb\nc', new: 'a\nB\nB2\nc' })).toBe(
      '  f\n  - b\n  + B\n  + B2\n',
    )
  })

  it('shows the beginning of what is written and says how much more there is', () => {
    const content = Array.from({ length: 12 }, (_, index) => `line ${index}`).join('\n')
    const lines = preview('write', { path: 'f', content }).split('\n')
    expect(lines).toHaveLength(11)
    expect(lines[9]).toBe('  + … 4 more lines')
    expect(preview('write', { path: 'f', content: '' })).toBe('  f\n')
  })

  it('is safe to show: no control characters, no endless line', () => {
    const shown = preview('write', { path: 'f\u001b[2J', content: `\u001b[31m${'x'.repeat(500)}` })
    expect(shown).not.toContain('\u001b')
    expect(shown.split('\n')[1]?.length).toBeLessThan(180)
  })

  it('is empty for calls that change nothing, or whose input is broken', () => {
    expect(preview('read', { path: 'f' })).toBe('')
    expect(preview('edit', { path: 'f', old: 1 })).toBe('')
  })
})
