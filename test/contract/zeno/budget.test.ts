// `zeno serve --budget`: the server enforces limits on operations, lines and hits.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Json, Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'

let box: Sandbox
beforeEach(() => {
  box = createSandbox({ 'a.txt': 'hit\n'.repeat(100), 'b.txt': 'hit\n'.repeat(100) })
})
afterEach(() => box.remove())

const server = (budget: string) => box.server(['--budget', budget])

const nineReads = Array.from({ length: 9 }, () => ({ path: 'a.txt' }))

/** The number of hits or lines of an answer. */
function amountIn({ hits, head, tail, metrics }: Json & { metrics: Json }): number {
  if (Array.isArray(hits)) return hits.length
  const slices = [head, tail].filter((each) => each !== undefined) as Record<string, number>[]
  const peeked = slices.map(({ start_line = 1, end_line = 0 }) => end_line - start_line + 1)
  return Number(metrics.lines_returned ?? peeked.reduce((sum, each) => sum + each, 0))
}

describe('zeno serve --budget', () => {
  it('reports the remaining budget in the metrics of every answer', async () => {
    const client = server('ops=3,lines=50,hits=10')
    const { metrics } = await client.ok('read_file', { path: 'a.txt', end_line: 20 })
    expect(metrics.budget_left).toEqual({ ops: 2, lines: 30, hits: 10 })
    const grep = await client.ok('grep', { pattern: 'hit', max_hits: 4 })
    expect(grep.metrics.budget_left).toEqual({ ops: 1, lines: 30, hits: 6 })
    const only = await server('ops=3').ok('stat', { path: '.' })
    expect(only.metrics.budget_left).toEqual({ ops: 2 })
    expect((await box.server().ok('stat', { path: '.' })).metrics).not.toHaveProperty('budget_left')
  })

  it('refuses requests with a clear error when the operations are spent', async () => {
    const client = server('ops=2')
    await client.ok('stat', { path: '.' })
    await client.ask('read_file', { path: 'nowhere' })
    const reply = await client.ask('stat', { path: '.' })
    expect(reply).toMatchObject({
      ok: false,
      error: { message: 'budget spent: ops (2 of 2 used)', budget_left: { ops: 0 } },
    })
  })

  it('does not count invalid requests and unknown operations', async () => {
    const client = server('ops=1')
    await client.ask('nope', {})
    client.write('{bad\n')
    await client.next()
    await client.ok('stat', { path: '.' })
  })

  it.each(['char', 'byte'])('limits the lines of %s ranges', async (unit) => {
    const whole = { path: 'a.txt', [`start_${unit}`]: 0 }
    const cut = await server('lines=30').ok('read_file', whole)
    expect(cut).toMatchObject({ text: 'hit\n'.repeat(30), truncated: true })
    expect(cut.metrics).toMatchObject({ lines_returned: 30, budget_left: { lines: 0 } })
    const many = await server('lines=30').ok('read_many', { reads: [whole, whole] })
    expect(many.metrics).toMatchObject({ lines_returned: 30, budget_left: { lines: 0 } })
  })

  it.each([
    ['hits=7', 'grep', { pattern: 'hit', max_chars: 100 }, 'hits'],
    ['lines=7', 'read_file', { path: 'a.txt', end_line: 9, max_chars: 12 }, 'lines'],
    ['lines=7', 'read_file', { path: 'a.txt', start_char: 0, max_chars: 12 }, 'lines'],
    ['lines=7', 'peek', { path: 'a.txt', max_chars: 12 }, 'lines'],
    ['lines=7', 'read_many', { reads: nineReads, max_chars: 500 }, 'lines'],
  ] as [string, string, Json, string][])(
    '--budget %s holds over all pages of %s %j',
    async (...row) => {
      const [budget, op, args, kind] = row
      const client = server(budget)
      let page = await client.ok(op, args)
      let spent = amountIn(page)
      let pages = 1
      // A request between two pages is charged once.
      if (kind === 'hits')
        spent += amountIn(await client.ok('grep', { pattern: 'hit', max_hits: 1 }))
      for (; page.next_cursor !== undefined && spent < 7; pages++) {
        const max_chars = pages === 1 ? args.max_chars : 10_000
        page = await client.ok(op, { ...args, max_chars, cursor: page.next_cursor })
        spent += amountIn(page)
      }
      expect(pages).toBeGreaterThan(1)
      expect(spent).toBe(7)
      expect(page.metrics.budget_left).toEqual({ [kind]: 0 })
    },
  )

  it('caps the last read to the remaining lines and refuses the next', async () => {
    const client = server('lines=30')
    await client.ok('read_file', { path: 'a.txt', end_line: 20 })
    const cut = await client.ok('read_file', { path: 'a.txt', end_line: 20 })
    expect(cut).toMatchObject({ end_line: 10, truncated: true })
    expect(cut.metrics.budget_left).toEqual({ lines: 0 })
    for (const [op, args] of [
      ['read_file', { path: 'a.txt' }],
      ['peek', { path: 'a.txt' }],
      ['read_many', { reads: [{ path: 'a.txt' }] }],
    ] as [string, Json][]) {
      expect(await client.fails(op, args)).toBe('budget spent: lines (30 of 30 used)')
    }
    await client.ok('stat', { path: '.' })
  })

  it('counts the lines of both ends of peek and of every read of read_many', async () => {
    const peeked = await server('lines=70').ok('peek', { path: 'a.txt' })
    expect(peeked).toMatchObject({
      head: { end_line: 60 },
      tail: { start_line: 91, end_line: 100 },
    })
    expect(peeked.metrics.budget_left).toEqual({ lines: 0 })
    const reads = Array.from({ length: 4 }, () => ({ path: 'a.txt', end_line: 20 }))
    const many = await server('lines=50').ok('read_many', { reads })
    expect(many.metrics).toMatchObject({ lines_returned: 50, budget_left: { lines: 0 } })
  })

  it('cannot be bypassed with unusual numbers in a read', async () => {
    for (const max of ['1_000', '1000', 1000.5, 1e9, null]) {
      const args = { path: 'a.txt', end_line: 90, max_lines: max }
      expect((await server('lines=5').ok('read_file', args)).end_line).toBe(5)
    }
  })

  it('caps the last grep to the remaining hits and refuses the next', async () => {
    const client = server('hits=150')
    expect((await client.ok('grep', { pattern: 'hit', max_hits: 100 })).hits).toHaveLength(100)
    const cut = await client.ok('grep', { pattern: 'hit' })
    expect(cut.hits).toHaveLength(50)
    expect(cut.truncated).toBe(true)
    expect(await client.fails('grep', { pattern: 'hit' })).toBe(
      'budget spent: hits (150 of 150 used)',
    )
  })

  it('refuses every request with ops=0', async () => {
    expect(await server('ops=0').fails('stat', { path: '.' })).toBe(
      'budget spent: ops (0 of 0 used)',
    )
  })
})
