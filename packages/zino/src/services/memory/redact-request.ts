// With `mem.redact`, replaces secrets in the texts of a request before mem stores them.
import { createRedactor } from '@zee/core/redact'
import type { ServiceContext } from '../../service/service.ts'
import type { Message } from '../../wire/wire.ts'

export type RedactRequest = (message: Message) => Message

/** Fields that hold words of the user or the model. */
const textFields = ['messages', 'content', 'reason', 'tag'] as const

/** Requests that store their texts. */
const storing = new Set([
  'append_history',
  'store_hard',
  'edit_memory',
  'set_soft',
  'forget',
  'forget_hard',
])

export function requestRedactor({ config, env }: ServiceContext): RedactRequest {
  if (!config.mem.redact) return (message) => message
  const redactor = createRedactor({ environment: { ...env, ZINO_API_KEY: config.api.key } })
  return (message) => {
    if (!storing.has(String(message.type))) return message
    const redacted: Message = { ...message }
    for (const name of textFields) {
      if (message[name] !== undefined) redacted[name] = redactor.value(message[name]).value
    }
    return redacted
  }
}
