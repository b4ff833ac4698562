import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBudget, parseBudget } from './budget.ts'

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

describe('a line budget', () => {
  it('is never exceeded by any sequence of reads', () => {
    const number = fc.oneof(fc.nat(500), fc.constant(undefined), fc.nat(500).map(String))
    const read = fc.oneof(
      fc.record({ start_line: number, end_line: number, max_lines: number }),
      fc.record({ start_char: fc.nat(500), max_lines: number }),
      fc.record({ end_byte: fc.nat(500), max_lines: number }),
    )
    fc.assert(
      fc.property(fc.nat(1000), fc.array(fc.array(read)), (lines, requests) => {
        const budget = createBudget({ lines })
        let returned = 0
        for (const reads of requests) {
          const admitted = budget.admit('read_many', { reads })
          if ('refusal' in admitted) continue
          const lineCounts = (admitted.args.reads as Record<string, unknown>[]).map(linesRead)
          const count = lineCounts.reduce((sum, each) => sum + each, 0)
          returned += count
          budget.charge('read_many', { reads }, { metrics: { lines_returned: count } })
        }
        expect(returned).toBeLessThanOrEqual(lines)
        expect(budget.left()).toEqual({ lines: lines - returned })
      }),
    )
  })
})

/** The number of lines that the engine returns from an endless file. */
function linesRead(read: Record<string, unknown>): number {
  if ('start_char' in read || 'end_byte' in read) return Number(read.max_lines ?? 100_000)
  const start = Math.max(1, Number(read.start_line ?? 1))
  const end = Math.max(start, Number(read.end_line ?? start))
  return Math.min(end - start + 1, Number(read.max_lines ?? 400))
}
