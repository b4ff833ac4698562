// The Anthropic Messages API.
import type { Wire } from '../wire.ts'
import { createAnthropicDecoder } from './decode.ts'
import { encodeAnthropic } from './encode.ts'

export const anthropicMessages: Wire = {
  path: () => '/v1/messages',
  modelsPath: '/v1/models?limit=1000',
  headers: (key) => ({
    'anthropic-version': '2023-06-01',
    ...(key === undefined ? {} : { 'x-api-key': key }),
  }),
  encode: encodeAnthropic,
  createDecoder: createAnthropicDecoder,
}
