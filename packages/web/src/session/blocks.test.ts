import { expect, it } from 'vitest'
import type { EntryFacts, Usage } from '../data/data.ts'
import { estimateHeight, turnBlocks } from './blocks.ts'

const prompt: EntryFacts = { type: 'prompt', text: 'Do it.' }
const call = (number: number): EntryFacts => ({ type: 'tool', name: 'bash', title: 'ls', number })
const usage: Usage = { input: 1, cached: 0, output: 1, ms: 1, models: ['script:play'] }
const placed = (...entries: EntryFacts[]) =>
  entries.map((entry, index) => ({ place: `1.${index}`, entry }))

it('a long turn becomes blocks in order; the last one has its usage', () => {
  const entries = placed(prompt, ...Array.from({ length: 24 }, (_, number) => call(number)))
  const blocks = turnBlocks([
    { number: 3, entries, usage },
    { number: 4, entries: placed(prompt) },
  ])
  expect(blocks.flatMap((block) => block.entries)).toEqual([...entries, ...placed(prompt)])
  expect(blocks.map(({ turn, isFirst, isLast }) => [turn, isFirst, isLast])).toEqual([
    [3, true, false],
    [3, false, false],
    [3, false, true],
    [4, true, true],
  ])
  expect(blocks.map((block) => block.usage)).toEqual([undefined, undefined, usage, undefined])
})

it('a turn without entries is one block', () => {
  expect(turnBlocks([{ number: 1, entries: [], usage }])).toHaveLength(1)
})

it('a block is estimated higher the more it holds', () => {
  const height = (...entries: EntryFacts[]) =>
    estimateHeight({ turn: 1, entries: placed(...entries), isFirst: false, isLast: false })
  expect(height(prompt, call(1))).toBeGreaterThan(height(call(1)))
  expect(height(call(1), call(2))).toBe(2 * height(call(1)))
})
