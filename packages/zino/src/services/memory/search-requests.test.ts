import { describe, expect, it } from 'vitest'
import { start, store, user } from '../../../test/mem.ts'
import { timeField } from './search-requests.ts'

interface Result {
  id: unknown
  score: number
  ts: string | null
}

const at = (day: number) => `2026-03-0${day}T10:00:00.000Z`
const appendAt = (channel: string, content: string, day: number, more: object = {}) => ({
  ...{ type: 'append_history', channel_id: channel, ...more },
  messages: [{ ...user(content), ts: at(day) }],
})

/** Three messages in two channels, and two hard memories. */
async function filled() {
  const { ask } = await start()
  await ask(appendAt('a', 'the red boat', 1))
  await ask(appendAt('a', 'the blue boat', 2))
  await ask(appendAt('b', 'the white boat', 3))
  for (const [content, day] of [
    ['my boat is green', 4],
    ['my boat is gone', 5],
  ] as const) {
    await ask({ type: 'store_hard', messages: [{ ...user(content), ts: at(day) }], tag: 'x' })
  }
  const results = async (request: object) => (await ask(request)).results as Result[]
  const ids = async (request: object) => (await results(request)).map(({ id }) => id)
  return { ask, results, ids }
}

describe('search_all', () => {
  it('answers with every field of messages and hard memories', async () => {
    const { ask } = await filled()
    const message = await ask({
      type: 'search_all',
      query: 'white boat',
      scope: 'history',
      top_k: 1,
    })
    expect(message).toEqual({
      type: 'memories',
      results: [
        {
          messages: [user('the white boat')],
          score: expect.any(Number) as number,
          id: 'b:0',
          source: { channel: 'b', position: 0 },
          ...{ channel: 'b', position: 0, role: 'user', ts: at(3), why: ['white', 'boat'] },
        },
      ],
    })
    const hard = await ask({ type: 'search_hard', query: 'green boat', top_k: 1 })
    expect(hard).toEqual({
      type: 'hard_memories',
      results: [
        {
          messages: [user('my boat is green')],
          score: expect.any(Number) as number,
          ...{ id: 0, source: 'hard', tag: 'x', ts: at(4), why: ['green', 'boat'] },
        },
      ],
    })
  })

  it('finds three results by default, and none for a limit that is not above 0', async () => {
    const { ids } = await filled()
    const request = { type: 'search_all', query: 'boat' }
    expect(await ids(request)).toHaveLength(3)
    expect(await ids({ ...request, top_k: 10 })).toHaveLength(5)
    expect(await ids({ ...request, top_k: 1 })).toHaveLength(1)
    expect(await ids({ ...request, top_k: 0 })).toEqual([])
    expect(await ids({ ...request, top_k: -1 })).toEqual([])
  })

  it('searches hard memories, histories or both, and only messages of a channel', async () => {
    const { ids } = await filled()
    const search = async (more: object) =>
      (await ids({ type: 'search_all', query: 'boat', top_k: 10, ...more })).map(String).sort()
    expect(await search({})).toEqual(['0', '1', 'a:0', 'a:1', 'b:0'])
    expect(await search({ scope: 'all' })).toEqual(['0', '1', 'a:0', 'a:1', 'b:0'])
    expect(await search({ scope: 'hard' })).toEqual(['0', '1'])
    expect(await search({ scope: 'history' })).toEqual(['a:0', 'a:1', 'b:0'])
    expect(await search({ channel: 'a' })).toEqual(['a:0', 'a:1'])
    expect(await search({ type: 'search_hard', scope: 'history' })).toEqual(['a:0', 'a:1', 'b:0'])
  })

  it('is limited to times, both ends included', async () => {
    const { ids } = await filled()
    const search = async (more: object) =>
      (await ids({ type: 'search_all', query: 'boat', top_k: 10, ...more })).map(String).sort()
    expect(await search({ since: at(3) })).toEqual(['0', '1', 'b:0'])
    expect(await search({ until: at(3) })).toEqual(['a:0', 'a:1', 'b:0'])
    expect(await search({ since: at(2), until: at(4) })).toEqual(['0', 'a:1', 'b:0'])
    expect(await search({ since: '2026-03-03', until: '2026-03-04' })).toEqual(['0', 'b:0'])
    expect(await search({ at: '2026-03-02' })).toEqual(['a:0', 'a:1'])
    expect(await search({ at: '2026-03-02', until: at(1) })).toEqual(['a:0'])
    expect(await search({ at: at(1), until: '2026-03-02' })).toEqual(['a:0'])
  })

  it('returns only results with the score that is asked for, best first, with four decimals', async () => {
    const { results } = await filled()
    const request = { type: 'search_all', query: 'red boat', top_k: 10 }
    const all = await results(request)
    expect(all[0]).toMatchObject({ id: 'a:0', score: 1 })
    const scores = all.map(({ score }) => score)
    expect(scores.toSorted((one, other) => other - one)).toEqual(scores)
    for (const score of scores) expect(Math.round(score * 10_000) / 10_000).toBe(score)
    const second = scores[1] ?? 0
    expect(second).toBeLessThan(1)
    const atLeast = async (min_score: number) => (await results({ ...request, min_score })).length
    expect(await atLeast(second)).toBe(scores.filter((score) => score >= second).length)
    expect(await atLeast(second + 0.0001)).toBe(1)
  })

  it('leaves out the newest messages of a channel', async () => {
    const { ids } = await filled()
    const search = async (skip_recent: number, recent_channel: string) =>
      (
        await ids({
          type: 'search_all',
          query: 'boat',
          scope: 'history',
          skip_recent,
          recent_channel,
        })
      ).sort()
    expect(await search(0, 'a')).toEqual(['a:0', 'a:1', 'b:0'])
    expect(await search(1, 'a')).toEqual(['a:0', 'b:0'])
    expect(await search(2, 'a')).toEqual(['b:0'])
    expect(await search(9, 'a')).toEqual(['b:0'])
    expect(await search(1, 'b')).toEqual(['a:0', 'a:1'])
    expect(await search(1, '')).toEqual(['a:0', 'a:1', 'b:0'])
    expect(await search(-1, 'a')).toEqual(['a:0', 'a:1', 'b:0'])
  })

  it('fills the results although four messages of the own turn are left out', async () => {
    const { ask, ids } = await filled()
    const messages = ['one', 'two', 'three', 'four'].map((word) => user(`boat boat ${word}`))
    await ask({ type: 'append_history', channel_id: 'a', turn: 'own', messages })
    const request = { type: 'search_all', query: 'boat', scope: 'history', without_turn: 'own' }
    expect((await ids({ ...request, top_k: 3 })).sort()).toEqual(['a:0', 'a:1', 'b:0'])
    expect(await ids({ ...request, top_k: 1 })).toHaveLength(1)
    expect(await ids({ ...request, without_turn: 'other', top_k: 10 })).toHaveLength(7)
  })

  it.each([
    [{ scope: 'soft' }, 'scope must be hard, history or all'],
    [{ since: 'yesterday' }, 'since must be a date or an RFC 3339 time'],
    [{ until: '2026-02-30' }, 'until must be a date or an RFC 3339 time'],
    [{ at: '' }, 'at must be a date or an RFC 3339 time'],
    [{ query: undefined }, 'query is required'],
  ])('refuses %j', async (more, message) => {
    const { ask } = await start()
    expect(await ask({ type: 'search_all', query: 'x', ...more })).toMatchObject({
      type: 'error',
      message,
    })
  })
})

it('shows a hit with its lowest score when the rounded score would be 0', async () => {
  const { ask } = await start()
  const words = Array.from({ length: 3000 }, (_, index) => `word${index}`)
  await ask(store('word7'))
  const { results } = await ask({ type: 'search_hard', query: words.join(' ') })
  expect((results as Result[])[0]?.score).toBeGreaterThanOrEqual(0.0001)
})

it('a date stands for its first millisecond, or for its last one', () => {
  const day = { when: '2026-03-01' }
  expect(timeField(day, 'when', 'start')).toBe(Date.parse('2026-03-01T00:00:00.000Z'))
  expect(timeField(day, 'when', 'end')).toBe(Date.parse('2026-03-01T23:59:59.999Z'))
  const moment = { when: '2026-03-01T10:00:00+01:00' }
  for (const edge of ['start', 'end'] as const) {
    expect(timeField(moment, 'when', edge)).toBe(Date.parse('2026-03-01T09:00:00Z'))
    expect(timeField({ when: 5 }, 'when', edge)).toBe(5)
    expect(timeField({}, 'when', edge)).toBeUndefined()
    expect(timeField({ when: null }, 'when', edge)).toBeUndefined()
    expect(() => timeField({ when: Infinity }, 'when', edge)).toThrow()
  }
})
