// OpenAI's Chat Completions, the wire format of most other servers.
import type { Wire } from '../wire.ts'
import { createChatDecoder } from './decode.ts'
import { encodeChat } from './encode.ts'

export const openaiChat: Wire = {
  path: () => '/chat/completions',
  modelsPath: '/models',
  headers: (key): Record<string, string> =>
    key === undefined ? {} : { authorization: `Bearer ${key}` },
  encode: encodeChat,
  createDecoder: createChatDecoder,
}
