// Sends a request to a model on a loopback server and collects its events.
import { createModel, type ModelOptions } from '../src/models/models.ts'
import type { Model, ModelEvent, ModelRequest } from '../src/request/request.ts'
import { fixture } from './decoding.ts'
import { sse, type TestServer } from './server.ts'

export const testKey = 'sk-test-0123456789'

export function anthropic(server: TestServer, more: Partial<ModelOptions> = {}): Model {
  const environment = { ANTHROPIC_API_KEY: testKey, ANTHROPIC_BASE_URL: server.url }
  return createModel({ provider: 'anthropic', environment, sleep: async () => {}, ...more })
}

export const request: ModelRequest = {
  model: 'claude-haiku-4-5',
  maxTokens: 64,
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
}

export interface Outcome {
  events: ModelEvent[]
  text: string
  error: unknown
}

export async function ask(
  model: Model,
  more: Partial<ModelRequest> = {},
  signal?: AbortSignal,
): Promise<Outcome> {
  const outcome: Outcome = { events: [], text: '', error: undefined }
  try {
    for await (const event of model.stream({ ...request, ...more }, signal)) {
      outcome.events.push(event)
      if (event.type === 'text') outcome.text += event.text
    }
  } catch (error) {
    outcome.error = error
  }
  return outcome
}

/** The text of the response `hello`. */
export const helloText = 'Grüße an 世界🌍!\n'
export const hello = sse(fixture('anthropic-text.sse'))
