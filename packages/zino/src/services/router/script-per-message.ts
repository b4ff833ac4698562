// A screenplay counts the assistant's turns to know where it stands. What zino sends also holds turns
// of other conversations (examples, memories, history), so the play begins anew with each message of
// the user; earlier turns stay there to be quoted, but count no more.
import type { Message, Model } from '@zee/llm'

export function restartScriptPerMessage(model: Model): Model {
  return {
    provider: model.provider,
    check: () => model.check(),
    stream: (request, signal) =>
      model.stream({ ...request, messages: hideEarlierTurns(request.messages) }, signal),
    close: () => model.close(),
  }
}

function hideEarlierTurns(messages: readonly Message[]): Message[] {
  const start = messages.findLastIndex(({ role }) => role === 'user')
  return messages.map((message, index) =>
    message.role === 'assistant' && index < start ? { ...message, role: 'system' } : message,
  )
}
