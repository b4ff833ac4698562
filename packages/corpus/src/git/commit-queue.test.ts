import { expect, test } from 'vitest'
import { CommitQueue } from './commit-queue.ts'
import type { Commit } from './commits.ts'

const commit = (name: string, time: number): Commit =>
  ({ name, committer: { name: '', email: '', time, zone: '+0000' } }) as Commit

/** Names in the order in which the queue returns them. */
function ordered(times: readonly number[]): string {
  const queue = new CommitQueue()
  times.forEach((time, at) => queue.add(commit(`${at}`, time)))
  const names: string[] = []
  for (let next = queue.take(); next !== undefined; next = queue.take()) names.push(next.name)
  return names.join(' ')
}

test.each([
  [[], ''],
  [[5], '0'],
  [[1, 2], '1 0'],
  [[2, 1], '0 1'],
  [[3, 3, 3, 3], '0 1 2 3'],
  [[1, 3, 2, 3, 1], '1 3 2 0 4'],
  [[1, 2, 3, 4, 5, 6, 7, 8, 9], '8 7 6 5 4 3 2 1 0'],
  [[5, 1, 4, 2, 3, 9, 8, 7, 6], '5 6 7 8 0 2 4 3 1'],
  [[2, 2, 1, 1, 2, 2, 1, 1, 3], '8 0 1 4 5 2 3 6 7'],
])('a queue of commits with the times %j returns %j', (times, names) => {
  expect(ordered(times)).toBe(names)
})

test('a queue takes commits between its answers', () => {
  const queue = new CommitQueue()
  for (const time of [5, 3, 1]) queue.add(commit(`t${time}`, time))
  expect(queue.take()?.name).toBe('t5')
  queue.add(commit('t4', 4))
  queue.add(commit('second t3', 3))
  expect(Array.from({ length: 5 }, () => queue.take()?.name)).toEqual([
    ...['t4', 't3', 'second t3', 't1', undefined],
  ])
})
