// Loopback servers that refuse what real vendors refuse, in the words of their APIs. Each check returns the
// refusal of a request, or undefined.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { onLoopback } from './loopback.ts'

export interface StrictBody {
  model?: string
  messages?: { role: string; content: unknown }[]
  temperature?: number
  top_p?: number
  max_tokens?: number
  max_completion_tokens?: number
  stream?: boolean
  [field: string]: unknown
}

export type Refused = { status: number; json: object } | undefined
export type Check = (body: StrictBody, headers: IncomingHttpHeaders) => Refused

const pairText =
  '`temperature` and `top_p` cannot both be specified for this model. Please use only one.'
const prefillText =
  'This model does not support assistant message prefill. The conversation must end with a user message.'

const refused = (message: string, param: string | null = null, code: string | null = null) => ({
  status: 400,
  json: { error: { message, type: 'invalid_request_error', param, code } },
})
const endsWithAssistant = (body: StrictBody) => body.messages?.at(-1)?.role === 'assistant'

export const strictChecks = {
  anthropic: (body: StrictBody, headers: IncomingHttpHeaders): Refused => {
    const invalid = (message: string) => ({
      status: 400,
      json: { type: 'error', error: { type: 'invalid_request_error', message } },
    })
    if (headers['anthropic-version'] !== '2023-06-01') return invalid('anthropic-version: required')
    if (!Number.isInteger(body.max_tokens)) return invalid('max_tokens: Field required')
    if (body.temperature !== undefined && body.top_p !== undefined) return invalid(pairText)
    return endsWithAssistant(body) ? invalid(prefillText) : undefined
  },
  gpt5: ({ temperature, top_p, max_tokens }: StrictBody): Refused => {
    if (temperature !== undefined && temperature !== 1) {
      const text = `Unsupported value: 'temperature' does not support ${temperature} with this model. Only the default (1) value is supported.`
      return refused(text, 'temperature', 'unsupported_value')
    }
    if (top_p !== undefined) {
      const text = "Unsupported parameter: 'top_p' is not supported with this model."
      return refused(text, 'top_p', 'unsupported_parameter')
    }
    if (max_tokens === undefined) return undefined
    const text =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    return refused(text, 'max_tokens', 'unsupported_parameter')
  },
  pair: (body: StrictBody): Refused =>
    body.temperature !== undefined && body.top_p !== undefined ? refused(pairText) : undefined,
  prefill: (body: StrictBody): Refused =>
    endsWithAssistant(body) ? refused(prefillText) : undefined,
  mistral: (body: StrictBody): Refused => {
    if (!endsWithAssistant(body)) return undefined
    const message =
      'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant'
    return {
      status: 400,
      json: { object: 'error', message, type: 'invalid_request_message_order' },
    }
  },
  /** A gateway wraps the words of the vendor. */
  routed:
    (check: Check): Check =>
    (body, headers) => {
      const refusal = check(body, headers)
      if (refusal === undefined) return undefined
      const metadata = { raw: JSON.stringify(refusal.json), provider_name: 'Anthropic' }
      const error = { message: 'Provider returned error', code: 400, metadata }
      return { status: 400, json: { error } }
    },
}

export interface StrictModel {
  /** Without `/v1`. */
  url: string
  requests: StrictBody[]
  refusals: number
  close(): Promise<void>
}

/** Answers `ok`, or what `answer` returns, to requests that pass the checks. */
export async function strictModel(
  wire: 'chat' | 'anthropic',
  checks: readonly Check[],
  answer: (body: StrictBody) => string = () => 'ok',
): Promise<StrictModel> {
  const requests: StrictBody[] = []
  const { url, close } = await onLoopback((incoming, text, response) => {
    const body = JSON.parse(text || '{}') as StrictBody
    requests.push(body)
    const refusal = checks.map((check) => check(body, incoming.headers)).find(Boolean)
    if (refusal === undefined) respond(response, wire, answer(body))
    else {
      model.refusals += 1
      response.writeHead(refusal.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(refusal.json))
    }
  })
  const model: StrictModel = { url, requests, refusals: 0, close }
  return model
}

function respond(response: ServerResponse, wire: 'chat' | 'anthropic', content: string): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const body =
    wire === 'chat'
      ? { choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }] }
      : {
          ...{ id: 'msg_1', type: 'message', role: 'assistant', stop_reason: 'end_turn' },
          content: [{ type: 'text', text: content }],
          usage: { input_tokens: 1, output_tokens: 1 },
        }
  response.end(JSON.stringify(body))
}
