import { fixedClock } from '@zee/core/clock'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { Screen } from './screen.ts'

function openScreen(size: { columns?: number; rows?: number; reflows?: boolean } = {}) {
  const { columns = 20, rows = 10, reflows = false } = size
  const out = Object.assign(new PassThrough(), { isTTY: true, columns, rows })
  const stream = out as unknown as NodeJS.WriteStream
  const screen = new Screen(stream, fixedClock('2026-01-01T00:00:00Z'), reflows)
  return { screen, out, written: () => String(out.read() ?? '') }
}

describe('Screen', () => {
  it('prints text above the region and draws the region again', () => {
    const { screen, written } = openScreen()
    screen.setPart('editor', () => ({ rows: ['you> a'], cursor: { row: 0, column: 6 } }))
    screen.draw()
    expect(written()).toBe('you> a\r\u001b[6C')
    screen.print('answer\n')
    screen.draw()
    expect(written()).toBe('\r\u001b[Janswer\nyou> a\r\u001b[6C')
  })

  it('writes nothing when nothing has changed', () => {
    const { screen, written } = openScreen()
    screen.setPart('status', () => ({ rows: ['x'] }))
    screen.draw()
    written()
    screen.draw()
    expect(written()).toBe('')
  })

  it('moves up over all rows of the region before it erases them', () => {
    const { screen, written } = openScreen()
    screen.setPart('status', () => ({ rows: ['one', 'two'] }))
    screen.setPart('editor', () => ({ rows: ['you> '], cursor: { row: 0, column: 5 } }))
    screen.draw()
    written()
    screen.clear()
    expect(written()).toBe('\r\u001b[2A\u001b[J')
  })

  it('shows the last rows of a region that is higher than the terminal', () => {
    const { screen, written } = openScreen({ rows: 3 })
    screen.setPart('answer', () => ({ rows: ['1', '2', '3', '4'] }))
    screen.draw()
    expect(written()).toBe('3\r\n4\r\u001b[1C')
  })

  it('after a resize counts the rows that a terminal has wrapped anew', () => {
    const { screen, out, written } = openScreen({ reflows: true })
    screen.setPart('editor', () => ({ rows: ['x'.repeat(18)], cursor: { row: 0, column: 18 } }))
    screen.draw()
    written()
    out.columns = 10
    out.emit('resize')
    expect(written()).toMatch(/^\r\u001b\[1A\u001b\[J/)
  })

  it('draws nothing while another program has the terminal', () => {
    const { screen, written } = openScreen()
    screen.pause()
    screen.print('later\n')
    screen.draw()
    expect(written()).toBe('')
    screen.resume()
    expect(written()).toBe('later\n')
  })
})
