// Prepares the input of a proxied call for the trace. A request that is too large loses its parameters
// first, then its id; the method always stays.
import { cutToBytes } from '@zee/core/bounded'
import type { Redactor } from '@zee/core/redact'
import { limits } from '@zee/evidence/limits'
import { prepareInput, storedText, type PreparedInput } from '@zee/evidence/trace'
import type { FunnelInput, HttpInput, RpcRequest } from './call.ts'

const maxMethodBytes = 1024

export function preparedInput(input: FunnelInput, redactor: Redactor): PreparedInput {
  if ('value' in input) return prepareInput(input.value, redactor)
  if ('http' in input) return preparedHttp(input.http, redactor)
  const { request } = input
  const parsed = parsedRequest(request)
  if (parsed !== undefined) {
    const prepared = prepareInput(parsed, redactor)
    if (!prepared.truncated) return prepared
  }
  const method = cutToBytes(request.method, maxMethodBytes).text
  const withId = prepareInput({ id: request.id, method }, redactor)
  const fits = withId.truncated ? prepareInput({ method }, redactor) : withId
  return { ...fits, truncated: true, warnings: [cutRequest] }
}

const cutRequest = {
  code: 'ZCL_W_INPUT_TRUNCATED',
  message: 'the request was too large to be kept whole',
}

/** The body is redacted before it is cut; if escapes make it too large, it is left out. */
function preparedHttp({ method, url, body }: HttpInput, redactor: Redactor): PreparedInput {
  if (body === undefined) return prepareInput({ method, url }, redactor)
  const head = Buffer.from(body.head, 'latin1')
  const { bytes, isWhole } = body
  const stored = storedText({ bytes, head, isWhole }, limits.previewBytes, redactor)
  const prepared = prepareInput({ method, url, body: stored.text }, redactor)
  const fits = prepared.truncated ? prepareInput({ method, url }, redactor) : prepared
  const isCut = stored.truncated || prepared.truncated
  return {
    ...fits,
    truncated: isCut,
    applied: [...fits.applied, ...stored.applied],
    warnings: isCut ? [cutRequest] : [],
  }
}

function parsedRequest({ id, method, text }: RpcRequest): unknown {
  if (text === undefined) return undefined
  const message = JSON.parse(text) as { params?: unknown }
  return message.params === undefined ? { id, method } : { id, method, params: message.params }
}
