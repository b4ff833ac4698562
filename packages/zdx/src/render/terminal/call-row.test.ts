import { displayWidth } from '@zee/core/styled-text'
import { describe, expect, it } from 'vitest'
import { formatCallRow } from './call-row.ts'

const edit = {
  mark: '✗',
  name: 'edit',
  target: 'src/price.mjs',
  outcome: 'old_not_found (nearest: line 3)',
  duration: '(0.02s)',
  minTargetWidth: 60,
}

describe('the row of a tool call', () => {
  it('shows object, outcome and duration', () => {
    expect(formatCallRow({ ...edit, columns: 100 })).toBe(
      '✗ edit src/price.mjs  old_not_found (nearest: line 3)  (0.02s)',
    )
  })

  it('leaves out the detail of the outcome on a narrow terminal', () => {
    const row = formatCallRow({ ...edit, columns: 60 })
    expect(row).toBe('✗ edit src/price.mjs  old_not_found  (0.02s)')
  })

  it('shortens a long command and keeps outcome and duration', () => {
    const bash = { ...edit, name: 'bash', target: 'x '.repeat(80), minTargetWidth: 20 }
    const row = formatCallRow({ ...bash, outcome: 'exit 3', columns: 60 })
    expect(row).toMatch(/^✗ bash x .*…  exit 3  \(0\.02s\)$/)
    expect(displayWidth(row)).toBeLessThan(60)
  })

  it('keeps a path of up to 60 columns whole', () => {
    const target = `${'long-folder/'.repeat(4)}file.ts`
    expect(formatCallRow({ ...edit, target, columns: 60 })).toContain(` ${target}  `)
  })
})
