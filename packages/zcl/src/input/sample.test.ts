import { expect, test } from 'vitest'
import { sampleMissions } from './sample.ts'

test('sampleMissions draws the same missions for the same seed, in their order', () => {
  const rows = Array.from({ length: 50 }, (_, index) => ({ missionId: `m${index}`, prompt: 'p' }))
  const suite = { suiteId: 's', missions: rows }
  const ids = (size: number, seed: number) =>
    sampleMissions(suite, size, seed).missions.map(({ missionId }) => missionId)
  expect(ids(5, 7)).toHaveLength(5)
  expect(ids(5, 7)).toEqual(ids(5, 7))
  expect(ids(5, 7)).not.toEqual(ids(5, 8))
  expect(ids(60, 1)).toHaveLength(50)
  const order = rows.map(({ missionId }) => missionId)
  expect(ids(20, 3)).toEqual(order.filter((id) => ids(20, 3).includes(id)))
})
