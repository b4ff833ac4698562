// The script model finds its position by counting assistant turns. zino's prompts also contain turns of
// other conversations (examples, memories, history). This wrapper gives earlier assistant turns the
// role system: the screenplay starts again with each user message and can still quote them.
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
