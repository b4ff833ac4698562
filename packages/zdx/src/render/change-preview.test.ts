import { coloursFor } from '@zee/core/colour'
import { describe, expect, it } from 'vitest'
import { changePreview } from './change-preview.ts'

const plain = coloursFor({ isTTY: false }, {})
const preview = (name: string, input: Record<string, unknown>) =>
  changePreview({ type: 'tool_requested', id: 't', name, input }, plain)

describe('changePreview', () => {
  it('shows the differing lines of an edit', () => {
    expect(preview('edit', { path: 'f', old: 'a\nb\nc', new: 'a\nB\nB2\nc' })).toBe(
      '  f\n  - b\n  + B\n  + B2\n',
    )
  })

  it('shows the first lines of a write and counts the rest', () => {
    const content = Array.from({ length: 12 }, (_, index) => `line ${index}`).join('\n')
    const lines = preview('write', { path: 'f', content }).split('\n')
    expect(lines).toHaveLength(11)
    expect(lines[9]).toBe('  + … 4 more lines')
    expect(preview('write', { path: 'f', content: '' })).toBe('  f\n')
  })

  it('removes control characters and cuts long lines', () => {
    const shown = preview('write', { path: 'f\u001b[2J', content: `\u001b[31m${'x'.repeat(500)}` })
    expect(shown).not.toContain('\u001b')
    expect(shown.split('\n')[1]?.length).toBeLessThan(180)
  })

  it('is empty for calls that change nothing and for invalid input', () => {
    expect(preview('read', { path: 'f' })).toBe('')
    expect(preview('edit', { path: 'f', old: 1 })).toBe('')
  })
})
