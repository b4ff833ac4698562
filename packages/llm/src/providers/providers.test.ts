import { expect, it } from 'vitest'
import { ask, testKey } from '../../test/ask.ts'
import { closeAfterEach } from '../../test/closing.ts'
import { json, startServer } from '../../test/server.ts'
import { createModel } from '../models/models.ts'
import { providers } from './providers.ts'

const keep = closeAfterEach()

/** The fields of a thinking request beside model and messages. */
async function fieldsSentTo(name: string): Promise<Record<string, unknown>> {
  const row = providers.find((each) => each.name === name)
  const server = keep(await startServer(json(400, {})))
  const environment = {
    [row?.keyVariable ?? '']: testKey,
    [row?.baseUrlVariable ?? '']: server.url,
  }
  await ask(keep(createModel({ provider: name, environment })), { model: 'm', thinking: 'low' })
  const {
    model: _model,
    messages: _messages,
    ...fields
  } = JSON.parse(server.requests[0]?.body ?? '') as Record<string, unknown>
  return fields
}

const usageAtEnd = { stream_options: { include_usage: true }, stream: true }

it.each([
  ['openai', { max_completion_tokens: 64 + 2048, reasoning_effort: 'low', ...usageAtEnd }],
  ['openrouter', { max_tokens: 64 + 2048, reasoning: { effort: 'low' }, ...usageAtEnd }],
  ['ollama', { max_tokens: 64 + 2048, reasoning_effort: 'low', ...usageAtEnd }],
  ['lmstudio', { max_tokens: 64, ...usageAtEnd }],
  ['llamacpp', { max_tokens: 64, ...usageAtEnd }],
])('a request to %s has the fields that its endpoint knows', async (name, fields) => {
  expect(await fieldsSentTo(name)).toEqual(fields)
})

const namesOf = (isChosen: (row: (typeof providers)[number]) => boolean | undefined): string[] =>
  providers.filter(isChosen).map(({ name }) => name)

it('the table knows which endpoints take one sampling parameter, and which end with the user', () => {
  expect(namesOf(({ quirks }) => quirks?.oneSamplingParameter)).toEqual(['anthropic'])
  expect(namesOf(({ quirks }) => quirks?.endsWithUser)).toEqual([
    'anthropic',
    'openai-responses',
    'gemini',
  ])
})

it('the table knows which providers are local, and which work without a key', () => {
  const local = ['ollama', 'lmstudio', 'llamacpp']
  expect(namesOf((row) => row.local)).toEqual([...local, 'script'])
  expect(namesOf((row) => row.keyOptional)).toEqual(local)
})
