import { displayWidth } from '@zee/core/styled-text'
import { describe, expect, it } from 'vitest'
import { fitTable } from './fit-table.ts'

const names = ['id', 'input', 'ok']
const rows = [
  ['001', 'a long cell that does not fit into a narrow terminal', 'true'],
  ['002', '日本語の長いテキストは幅が二倍です', 'false'],
]

describe('fitTable', () => {
  it('keeps short columns whole and cuts long ones to the width of the terminal', () => {
    const { head, lines } = fitTable(names, rows, 30)
    expect(head).toEqual(['id   input               ok'])
    expect(lines[0]).toBe('001  a long cell that …  true')
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(30)
  })

  it('cuts nothing without a width', () => {
    const { lines } = fitTable(names, rows, Number.POSITIVE_INFINITY)
    expect(lines[0]).toContain('narrow terminal  true')
  })

  it('prints each row as a list if there are too many columns', () => {
    const many = Array.from({ length: 12 }, (_, index) => `column${index}`)
    const { head, lines } = fitTable(many, [many, many], 40, 5)
    expect(head).toEqual([])
    expect(lines.slice(0, 2)).toEqual(['row 5', '  column0   column0'])
    expect(lines).toContain('row 6')
  })

  it('removes control characters and line breaks from cells', () => {
    expect(fitTable(['a'], [['x\u001b[2J\ny']], 80).lines).toEqual(['x[2J y'])
  })
})
