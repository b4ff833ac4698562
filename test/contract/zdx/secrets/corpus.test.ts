import { expect, it } from 'vitest'
import { checkCorpus } from './check-corpus.ts'

it('no secret of the corpus is in a request, a session, an event, an export or a diff', async () => {
  expect(await checkCorpus(1)).toBeGreaterThan(220)
})
