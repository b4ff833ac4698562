import { expect, it } from 'vitest'
import type { TurnFacts } from '../data/data.ts'
import { countEntries, filteredTurns } from './filter.ts'

const tool = (title: string, more: object) => ({
  ...{ type: 'tool' as const, name: 'bash', title, input: { text: '{}' }, ok: true },
  ...more,
})
const turns: TurnFacts[] = [
  { entries: [{ type: 'prompt', text: 'Fix it' }, tool('npm test', { exit: 1 })] },
  { entries: [{ type: 'prompt', text: 'And now?' }, tool('ls', {}), tool('cat x', { ok: false })] },
]

it('keeps all turns without a text and a filter', () => {
  expect(countEntries(filteredTurns(turns, ' ', 'all'))).toBe(5)
})

it('finds failed calls, commands with another exit code than 0 included', () => {
  const found = filteredTurns(turns, '', 'failed')
  expect(found.map(({ number, turn }) => [number, turn.entries.length])).toEqual([
    [1, 1],
    [2, 1],
  ])
})

it('finds text in prompts and calls without regard to case, and numbers turns as before', () => {
  expect(filteredTurns(turns, 'AND NOW', 'all')).toMatchObject([{ number: 2 }])
  expect(countEntries(filteredTurns(turns, 'cat x', 'failed'))).toBe(1)
})
