// Rows of a timeline.
import { expect, it } from 'vitest'
import type { CallFacts, NoteFacts } from '../../data/data.ts'
import { timelineRows } from './call-tree.ts'

const call = (line: number, at: number, parent?: number): CallFacts => ({
  ...{ line, at, ms: 1, tool: 'cli', op: 'exec', title: `call ${line}`, parent },
})
const note = (text: string, afterCalls?: number): NoteFacts => ({
  ...{ at: '', kind: 'assistant', text, tags: [], afterCalls },
})
const describeRow = (row: ReturnType<typeof timelineRows>[number]) =>
  'words' in row ? row.words.text : `${'  '.repeat(row.depth)}${row.call.line}`

it('puts nested calls below their parent, whose line comes later in the trace', () => {
  const calls = [call(1, 20, 3), call(2, 30, 3), call(3, 10), call(4, 40), call(5, 50, 9)]
  expect(timelineRows(calls, []).map(describeRow)).toEqual(['3', '  1', '  2', '4', '5'])
})

it('puts words between the calls, and words without a place at the end', () => {
  const words = ['first', 'between', 'last', 'unknown'].map((text, number) => ({
    words: note(text, [0, 1, 2, undefined][number]),
    number,
  }))
  expect(timelineRows([call(1, 0), call(2, 1)], words).map(describeRow)).toEqual([
    ...['first', '1', 'between', '2', 'last', 'unknown'],
  ])
})

it('keeps a chain of parents that is deeper than the page shows', () => {
  const calls = Array.from({ length: 20 }, (_, index) => call(index + 1, index, index))
  expect(timelineRows(calls, [])).toHaveLength(20)
})
