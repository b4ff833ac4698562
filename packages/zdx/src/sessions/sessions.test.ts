import { describe, expect, it } from 'vitest'
import { sessionTable } from './sessions.ts'

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
