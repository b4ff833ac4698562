import { expect, it } from 'vitest'
import { corpusSeed } from '../../../support/secret-corpus.ts'
import { checkCorpus } from './check-corpus.ts'

it('no secret of the corpus is in a request, a session, an event, an export or a diff', async () => {
  expect(await checkCorpus(corpusSeed(1))).toBeGreaterThan(220)
})
