import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { secretSamples, seededRandom } from '../../../../../test/support/secret-corpus.ts'
import { append, history, start, store } from '../../../test/mem.ts'

const samples = secretSamples(seededRandom(7))
const words = samples.map(({ text }) => text).join('\n\n')

function stored(data: string): string {
  const names = readdirSync(data, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => /\.(?:jsonl?|txt|wal)$/.test(name))
    .map((name) => readFileSync(path.join(data, name), 'utf8'))
    .join('\n')
}

it('stores no secret of the corpus with mem.redact', async () => {
  const { ask, data, stop } = await start({ redact: true })
  expect(await ask(append('c', words))).toMatchObject({ type: 'ok' })
  expect(await ask(store(words, 'tag'))).toMatchObject({ type: 'ok' })
  expect(await ask({ type: 'set_soft', content: words })).toMatchObject({ type: 'ok' })
  expect(await ask(store('plain', words))).toMatchObject({ type: 'ok' })
  expect(await ask({ type: 'forget_hard', id: 0, reason: words })).toMatchObject({ type: 'ok' })
  await stop()
  const text = stored(data)
  expect(text).toContain('[REDACTED:')
  const inClear = samples.filter(({ value }) =>
    value.split(/\n|\\n/).some((line) => text.includes(line)),
  )
  expect(inClear.map(({ format }) => format)).toEqual([])
})

it("keeps the user's own words without mem.redact", async () => {
  const { ask } = await start()
  await ask(append('c', words))
  const { messages } = await ask(history('c'))
  expect(messages).toMatchObject([{ content: words }])
})
