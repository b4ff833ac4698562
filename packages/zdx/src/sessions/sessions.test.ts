import { describe, expect, it } from 'vitest'
import { sessionTable } from './sessions.ts'
import { statsTable } from './stats.ts'

describe('sessionTable', () => {
  const session = (id: string, title: string) => ({
    ...{ id, title, modifiedMs: Date.UTC(2026, 0, 2, 3, 4), bytes: 1 },
    ...{ root: '/home/me/shop', model: 'm', tokens: 12 },
  })

  const rest = '000-4000-8000-000000000000'

  it('fits the terminal and shortens UUIDs to prefixes that stay unique', () => {
    const sessions = [
      session(`01234567-8${rest}`, 'fix the price of the third item'),
      session(`01234567-9${rest}`, 'x'),
    ]
    expect(sessionTable(sessions, false, 61)).toEqual([
      'id          changed           model  tokens  title',
      '01234567-8  2026-01-02 03:04  m          12  fix the price o…',
      '01234567-9  2026-01-02 03:04  m          12  x',
    ])
  })

  it('cuts long titles and models, and never the time', () => {
    const sessions = [
      { ...session(`01234567-8${rest}`, 'fix the price of the third item'), model: 'm'.repeat(30) },
    ]
    expect(sessionTable(sessions, true, 70)?.[1]).toBe(
      '01234567  2026-01-02 03:04  shop     mmmmmmmmmm…      12  fix the pr…',
    )
  })

  it('shows names that a user chose whole', () => {
    const sessions = [session('refactor-auth', 'x'), session(`01234567-8${rest}`, 'y')]
    expect(sessionTable(sessions, false, 80)?.slice(1)).toEqual([
      'refactor-auth  2026-01-02 03:04  m          12  x',
      '01234567       2026-01-02 03:04  m          12  y',
    ])
  })

  it('names the project by its folder, and gives up where not even short columns fit', () => {
    const sessions = [session(`01234567-8${rest}`, 'x')]
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
