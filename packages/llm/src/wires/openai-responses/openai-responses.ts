// OpenAI's Responses API, used without server-side state.
import type { Wire } from '../wire.ts'
import { createResponsesDecoder } from './decode.ts'
import { encodeResponses } from './encode.ts'

export const openaiResponses: Wire = {
  path: () => '/responses',
  modelsPath: '/models',
  headers: (key): Record<string, string> =>
    key === undefined ? {} : { authorization: `Bearer ${key}` },
  encode: encodeResponses,
  createDecoder: createResponsesDecoder,
}
