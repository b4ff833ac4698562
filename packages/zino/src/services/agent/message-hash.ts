// Hashes of messages, so that records show what the model was asked without repeating it.
import { lineHash } from '@zee/core/chain'
import type { RecordedPrompt } from '../../turns/turns.ts'
import type { Message } from '../../wire/wire.ts'

export function hashMessages(messages: readonly object[]): string {
  return lineHash(Buffer.from(JSON.stringify(messages)))
}

export function hashPrompt(messages: readonly Message[]): RecordedPrompt {
  return messages.map(({ role, content }) => ({
    role: String(role),
    sha256: lineHash(Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))),
  }))
}
