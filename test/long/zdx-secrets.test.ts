// 10,000 generated secrets: none is in a request, a session, an event, an export or a diff of zdx.
import { expect, it } from 'vitest'
import { checkCorpus } from '../contract/zdx/secrets/check-corpus.ts'

const cases = Number(process.env.ZEE_ROUNDS ?? 10_000)
const firstSeed = Number(process.env.ZEE_SEED ?? 1000)

it(`zdx shows none of ${cases} generated secrets`, async () => {
  let checked = 0
  for (let seed = firstSeed; checked < cases; seed++) checked += await checkCorpus(seed)
  expect(checked).toBeGreaterThanOrEqual(cases)
})
