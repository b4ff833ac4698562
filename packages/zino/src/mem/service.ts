// Stand-in until the memory service is written: keeps everything in the process.
import { chatMessagesField, optionalInteger, requestError, stringField } from '../service/fields.ts'
import type { ChatMessage } from '../service/fields.ts'
import type { Service } from '../service/service.ts'
import { handlersOf } from '../service/service.ts'
import type { Message } from '../wire/frame.ts'

export function startMem(): Service {
  const channels = new Map<string, ChatMessage[]>()
  const hard: ChatMessage[][] = []
  let soft = ''
  const channelOf = (message: Message) => {
    const id = message.channel_id
    if (typeof id !== 'string' || id === '') throw requestError('channel_id required')
    return id
  }
  return {
    handlers: handlersOf({
      get_history: (message) => {
        const limit = optionalInteger(message, 'limit') ?? 0
        const all = channels.get(channelOf(message)) ?? []
        return { type: 'history', messages: limit > 0 ? all.slice(-limit) : all }
      },
      append_history: (message) => {
        const id = channelOf(message)
        const added = chatMessagesField(message, 'messages')
        channels.set(id, [...(channels.get(id) ?? []), ...added])
        return { type: 'ok' }
      },
      clear_history: (message) => {
        channels.delete(channelOf(message))
        return { type: 'ok' }
      },
      list_channels: () => ({
        type: 'channels',
        channels: [...channels].map(([id, list]) => ({ channel_id: id, messages: list.length })),
      }),
      store_hard: (message) => {
        hard.push(chatMessagesField(message, 'messages'))
        return { type: 'ok', id: hard.length - 1 }
      },
      search_hard: (message) => {
        const words =
          stringField(message, 'query')
            .toLowerCase()
            .match(/[\p{L}\p{N}]+/gu) ?? []
        const count = optionalInteger(message, 'top_k') ?? 3
        const hits = hard.filter((messages) =>
          messages.some(({ content }) =>
            words.some((word) => content.toLowerCase().includes(word)),
          ),
        )
        const results = hits.slice(0, count).map((messages) => ({ messages, score: 0.5 }))
        return { type: 'hard_memories', results }
      },
      get_soft: () => ({ type: 'soft_memory', content: soft }),
      set_soft: (message) => {
        soft = stringField(message, 'content')
        return { type: 'ok' }
      },
    }),
  }
}
