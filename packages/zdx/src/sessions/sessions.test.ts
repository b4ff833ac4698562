import { describe, expect, it } from 'vitest'
import { sessionTable } from './sessions.ts'
import { statsTable } from './stats.ts'

describe('sessionTable', () => {
  const session = (id: string, title: string) => ({
    ...{ id, title, modifiedMs: Date.UTC(2026, 0, 2, 3, 4), bytes: 1 },
    ...{ root: '/home/me/shop', model: 'm', tokens: 12 },
  })

  it('fits the terminal and shortens ids to prefixes that stay unique', () => {
    const sessions = [
      session('0123456789-a', 'fix the price of the third item'),
      session('0123456799-b', 'x'),
    ]
    expect(sessionTable(sessions, false, 60)).toEqual([
      'id         changed           model  tokens  title',
      '012345678  2026-01-02 03:04  m          12  fix the price o…',
      '012345679  2026-01-02 03:04  m          12  x',
    ])
  })

  it('names the project by its folder, and gives up where not even short columns fit', () => {
    const sessions = [session('0123456789-a', 'x')]
    expect(sessionTable(sessions, true, 80)?.[1]).toBe(
      '01234567  2026-01-02 03:04  shop     m          12  x',
    )
    expect(sessionTable(sessions, true, 20)).toBeUndefined()
  })
})

describe('statsTable', () => {
  it('cuts the names of models to fit the terminal', () => {
    const totals = {
      answers: 1,
      input: 19,
      cached: 0,
      output: 7,
      ms: 1_800_100,
      cost: 0,
      priced: 0,
    }
    const stats = { sessions: 1, prompts: 1, models: [['script:/tmp/a/long/name.jsonl', totals]] }
    const lines = statsTable(stats as Parameters<typeof statsTable>[0], 70).split('\n')
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(70)
    expect(lines[2]).toMatch(/^script:\S*… +1 +19 +0 +7 +1800\.1 s/)
  })
})
