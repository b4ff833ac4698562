import { describe, expect, it } from 'vitest'
import { LiveLines } from './live-lines.ts'

function terminal(rows = 24) {
  const written: string[] = []
  const stream = {
    isTTY: true as const,
    columns: 30,
    rows,
    write: (text: string) => written.push(text) > 0,
  }
  return { written, live: new LiveLines(stream as unknown as NodeJS.WriteStream) }
}

describe('LiveLines', () => {
  it('moves up by the number of lines it drew before and erases them', () => {
    const { written, live } = terminal()
    live.show(['one', 'two', 'three'])
    live.show(['four'])
    live.clear()
    live.clear()
    expect(written).toEqual([
      'one\ntwo\nthree',
      '\r\u001b[K\u001b[A\u001b[K\u001b[A\u001b[Kfour',
      '\r\u001b[K',
    ])
  })

  it('cuts lines at the width and the list at the height of the terminal', () => {
    const { written, live } = terminal(5)
    live.show(['x'.repeat(40), 'b\u001b[2J\n', 'c', 'd', 'e'])
    expect(written).toEqual([`${'x'.repeat(28)}…\nb[2J \n... and 3 more`])
  })

  it('writes nothing without a terminal', () => {
    const stream = { isTTY: false, write: () => expect.unreachable() }
    new LiveLines(stream as unknown as NodeJS.WriteStream).show(['x'])
  })
})
