import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import {
  corpusSeed,
  secretSamples,
  seededRandom,
} from '../../../../../test/support/secret-corpus.ts'
import { contextIn } from '../../../test/config.ts'
import { append, history, start, store } from '../../../test/mem.ts'
import { tempFolder } from '../../../test/temp-folder.ts'
import { requestRedactor } from './redact-request.ts'

const samples = secretSamples(seededRandom(corpusSeed(7)))
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

const key = `sk-proj-${'a1B2c3D4'.repeat(12)}`
const redactorOf = (redact: boolean) =>
  requestRedactor(
    contextIn(tempFolder(), { mem: { redact }, api: { key: 'the-key-of-the-user-12345' } }),
  )

it.each(['append_history', 'store_hard', 'edit_memory', 'set_soft', 'forget', 'forget_hard'])(
  'redacts the texts of %s, and no other field',
  (type) => {
    const message = { type, id: key, messages: [{ role: 'user', content: key }], channel_id: key }
    expect(redactorOf(true)({ ...message, content: key, reason: key, tag: key })).toEqual({
      ...message,
      messages: [{ role: 'user', content: '[REDACTED:OPENAI_KEY]' }],
      content: '[REDACTED:OPENAI_KEY]',
      reason: '[REDACTED:OPENAI_KEY]',
      tag: '[REDACTED:OPENAI_KEY]',
    })
    expect(redactorOf(false)({ ...message, content: key })).toEqual({ ...message, content: key })
  },
)

it('redacts the key of the configuration, and leaves requests that store nothing', () => {
  const redact = redactorOf(true)
  expect(redact({ type: 'set_soft', content: 'the-key-of-the-user-12345!' })).toEqual({
    type: 'set_soft',
    content: '[REDACTED:ENV_SECRET]!',
  })
  expect(redact({ type: 'search_hard', content: key })).toEqual({
    type: 'search_hard',
    content: key,
  })
})

it("keeps the user's own words without mem.redact", async () => {
  const { ask } = await start()
  await ask(append('c', words))
  const { messages } = await ask(history('c'))
  expect(messages).toMatchObject([{ content: words }])
})
