// Reads the complete body of a response as text.
import { httpStatusError, tooLargeError } from '../errors/errors.ts'
import { maxErrorBody, readBounded } from './body.ts'
import type { HttpResponse } from './transport.ts'

/** Throws a `ModelError` for an error status and for a body that is cut short or too large. */
export async function readResponseText(response: HttpResponse, maxBytes: number): Promise<string> {
  const { status, body } = response
  if (!isSuccess(status)) {
    throw httpStatusError(status, (await readBounded(body, maxErrorBody)).toString('utf8'))
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw tooLargeError(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299
}
