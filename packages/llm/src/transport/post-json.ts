// Posts one JSON document and returns the JSON response.
import { parseError } from '../errors/errors.ts'
import { endpointUrl } from './endpoint-url.ts'
import type { Environment } from './proxy.ts'
import { readResponseText } from './read-response.ts'

export interface JsonPost {
  base: URL
  /** Relative to the base URL. */
  path: string
  body: object
  environment: Environment
  signal: AbortSignal
}

const maxAnswerBytes = 1024 * 1024

/** Throws a `ModelError` for an error status and for a response that is not JSON. */
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
      // The text is not attached: the response may contain a key.
      throw parseError('The answer is not JSON', '')
    }
  } finally {
    transport.close()
  }
}
