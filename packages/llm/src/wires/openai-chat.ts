// OpenAI's Chat Completions, the wire format that most other servers imitate.
import type { Wire } from '../wire.ts'
import { createChatDecoder } from './openai-chat-decode.ts'
import { encodeChat } from './openai-chat-encode.ts'

export const openaiChat: Wire = {
  path: () => '/chat/completions',
  headers: (key): Record<string, string> =>
    key === undefined ? {} : { authorization: `Bearer ${key}` },
  encode: encodeChat,
  createDecoder: createChatDecoder,
}
