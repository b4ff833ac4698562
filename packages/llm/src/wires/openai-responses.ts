// OpenAI's Responses API, used without server-side state.
import type { Wire } from '../wire.ts'
import { createResponsesDecoder } from './openai-responses-decode.ts'
import { encodeResponses } from './openai-responses-encode.ts'

export const openaiResponses: Wire = {
  path: () => '/responses',
  headers: (key): Record<string, string> =>
    key === undefined ? {} : { authorization: `Bearer ${key}` },
  encode: encodeResponses,
  createDecoder: createResponsesDecoder,
}
