// One JSON question and its JSON answer, over the same transport as everything else.
import { parseError } from '../errors/errors.ts'
import { endpointUrl } from './endpoint-url.ts'
import type { Environment } from './proxy.ts'
import { readResponseText } from './read-response.ts'

export interface JsonPost {
  base: URL
  /** Below the base. */
  path: string
  body: object
  environment: Environment
  signal: AbortSignal
}

const maxAnswerBytes = 1024 * 1024

/** Throws a `ModelError` for a status other than success and for an answer that is no JSON. */
export async function postJson({
  base,
  path,
  body,
  environment,
  signal,
}: JsonPost): Promise<unknown> {
  const { createTransport } = await import('./http-transport.ts')
  const transport = createTransport({ environment })
  try {
    const response = await transport.send({
      method: 'POST',
      url: endpointUrl(base, path),
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      signal,
    })
    const text = await readResponseText(response, maxAnswerBytes)
    try {
      return JSON.parse(text) as unknown
    } catch {
      // Without the text: it may hold what the question was for, such as a key.
      throw parseError('The answer is not JSON', '')
    }
  } finally {
    transport.close()
  }
}
