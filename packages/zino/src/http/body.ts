// Reads the JSON object of a request.
import { isObject } from '@zee/core/json'
import { readBody } from '@zee/core/http-guard'
import type { Message } from '../wire/wire.ts'
import { badRequest, refused } from './reply.ts'
import type { Call } from './routes.ts'

const maxBytes = 8 * 1024 * 1024

/** Throws for a body that is too large, too slow or no JSON object. */
export async function readJson({ request }: Call): Promise<Message> {
  const { bytes, refusal } = await readBody(request, { maxBytes })
  if (refusal !== undefined) throw refused(refusal)
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw badRequest('the body is not JSON in UTF-8')
  }
  if (!isObject(value)) throw badRequest('the body must be a JSON object')
  return value as Message
}
