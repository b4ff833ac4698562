// Prepares the input of a proxied call for the trace. A request that is too large loses its parameters
// first, then its id; the method always stays.
import { cutToBytes } from '@zee/core/bounded'
import type { Redactor } from '@zee/core/redact'
import { prepareInput, type PreparedInput } from '@zee/evidence/trace'
import type { FunnelInput, RpcRequest } from './call.ts'

const maxMethodBytes = 1024

export function preparedInput(input: FunnelInput, redactor: Redactor): PreparedInput {
  if ('value' in input) return prepareInput(input.value, redactor)
  const { request } = input
  const parsed = parsedRequest(request)
  if (parsed !== undefined) {
    const prepared = prepareInput(parsed, redactor)
    if (!prepared.truncated) return prepared
  }
  const method = cutToBytes(request.method, maxMethodBytes).text
  const withId = prepareInput({ id: request.id, method }, redactor)
  const fits = withId.truncated ? prepareInput({ method }, redactor) : withId
  return {
    ...fits,
    truncated: true,
    warnings: [
      { code: 'ZCL_W_INPUT_TRUNCATED', message: 'the request was too large to be kept whole' },
    ],
  }
}

function parsedRequest({ id, method, text }: RpcRequest): unknown {
  if (text === undefined) return undefined
  const message = JSON.parse(text) as { params?: unknown }
  return message.params === undefined ? { id, method } : { id, method, params: message.params }
}
