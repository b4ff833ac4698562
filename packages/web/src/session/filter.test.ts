import { expect, it } from 'vitest'
import type { ToolFacts, TurnFacts } from '../data/data.ts'
import { countEntries, filteredTurns, type Filter } from './filter.ts'

const tool = (number: number, title: string, more: Partial<ToolFacts>): ToolFacts => ({
  ...{ type: 'tool', name: 'bash', number, title, ok: true },
  ...more,
})
const first = tool(0, 'npm test', { exit: 1 })
const turns: TurnFacts[] = [
  { entries: [{ type: 'prompt', text: 'Fix it' }, first] },
  {
    entries: [
      { type: 'prompt', text: 'And now?' },
      tool(1, 'ls', {}),
      tool(2, 'cat x', { ok: false }),
    ],
  },
]
const texts = (call: ToolFacts) => ({
  input: { text: '{}' },
  result: { text: `Result ${call.number}` },
})
const filtered = (query: string, filter: Filter) => filteredTurns(turns, query, filter, texts)

it('keeps all turns without a text and a filter', () => {
  expect(countEntries(filtered(' ', 'all'))).toBe(5)
})

it('finds failed calls, commands with another exit code than 0 included', () => {
  const found = filtered('', 'failed')
  expect(found.map(({ entries }) => entries.map(({ place }) => place))).toEqual([['1.1'], ['2.2']])
})

it('finds text in prompts and calls without regard to case, and numbers turns as before', () => {
  expect(filtered('AND NOW', 'all')).toMatchObject([{ number: 2 }])
  expect(countEntries(filtered('cat x', 'failed'))).toBe(1)
})

it('finds text in results once their part of the page is loaded', () => {
  const fresh: TurnFacts[] = structuredClone(turns)
  expect(filteredTurns(fresh, 'result 1', 'all', () => undefined)).toEqual([])
  expect(filteredTurns(fresh, 'result 1', 'all', texts)).toMatchObject([
    { number: 2, entries: [{ place: '2.1' }] },
  ])
})
