import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseBudget } from './budget.ts'
import { createBudget } from './enforcement.ts'

describe('parseBudget', () => {
  it('accepts each of ops, lines and hits at most once', () => {
    expect(parseBudget('ops=30,lines=2000,hits=200')).toEqual({ ops: 30, lines: 2000, hits: 200 })
    expect(parseBudget(' hits=0 ')).toEqual({ hits: 0 })
  })

  it.each([
    '',
    'ops',
    'ops=',
    'ops=-1',
    'ops=1.5',
    'ops=x',
    'ops=1,',
    'ops=1,ops=1',
    'op=1',
    'ops=1;hits=2',
  ])('rejects %j', (text) => expect(() => parseBudget(text)).toThrow(/is not a budget/))
})

describe('a budget', () => {
  it('of lines passes what is left to read_many, which counts the lines of each read', () => {
    const budget = createBudget({ lines: 10 })
    const args = { reads: [{ path: 'a' }] }
    expect(budget.admit('read_many', args)).toEqual({ args: { ...args, max_total_lines: 10 } })
    budget.charge('read_many', args, { metrics: { lines_returned: 7 } })
    expect(budget.admit('read_many', args)).toMatchObject({ args: { max_total_lines: 3 } })
    expect(budget.left()).toEqual({ lines: 3 })
  })

  it('of lines is never exceeded by any sequence of line reads', () => {
    const number = fc.oneof(fc.nat(500), fc.constant(undefined), fc.nat(500).map(String))
    const read = fc.record({ start_line: number, end_line: number, max_lines: number })
    fc.assert(
      fc.property(fc.nat(1000), fc.array(read), (lines, requests) => {
        const budget = createBudget({ lines })
        let returned = 0
        for (const request of requests) {
          const admitted = budget.admit('read_file', request)
          if ('refusal' in admitted) continue
          const count = linesRead(admitted.args)
          returned += count
          budget.charge('read_file', request, { metrics: { lines_returned: count } })
        }
        expect(returned).toBeLessThanOrEqual(lines)
        expect(budget.left()).toEqual({ lines: lines - returned })
      }),
    )
  })

  it('of characters counts every text of a result, and caps the next request to the rest', () => {
    const budget = createBudget({ chars: 100, tokens: 50 })
    budget.charge('grep', {}, { hits: [{ text: 'x'.repeat(60), context: [{ text: 'yy' }] }] })
    expect(budget.left()).toEqual({ chars: 38, tokens: 34 })
    expect(budget.admit('grep', {})).toEqual({ args: { max_text_chars: 38 } })
    expect(budget.admit('read_file', { max_chars: 5 })).toEqual({ args: { max_chars: 5 } })
    budget.charge('read_file', {}, { text: 'z'.repeat(38) })
    expect(budget.admit('peek', {})).toEqual({ refusal: 'budget spent: chars (100 of 100 used)' })
    expect(budget.admit('stat', {})).toEqual({ args: {} })
  })

  it('of tokens is four characters each', () => {
    const budget = createBudget({ tokens: 10 })
    expect(budget.admit('read_file', {})).toEqual({ args: { max_chars: 40 } })
    budget.charge('read_file', {}, { text: 'x'.repeat(5) })
    expect(budget.left()).toEqual({ tokens: 8 })
    expect(budget.admit('read_many', {})).toEqual({ args: { max_text_chars: 35 } })
  })
})

/** The number of lines that the engine returns from an endless file. */
function linesRead(read: Record<string, unknown>): number {
  const start = Math.max(1, Number(read.start_line ?? 1))
  const end = Math.max(start, Number(read.end_line ?? start))
  return Math.min(end - start + 1, Number(read.max_lines ?? 400))
}
