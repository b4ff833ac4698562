// Streams one answer of the model: server-sent events in the form of OpenAI's API.
import { RequestError, send } from './api.ts'

interface StreamEvent {
  error?: { message: string }
  choices?: { delta?: { content?: string } }[]
}

/** Calls `onText` with each piece of the answer. Rejects when the server reports an error. */
export async function streamAnswer(
  message: string,
  channel: string,
  signal: AbortSignal,
  onText: (text: string) => void,
): Promise<void> {
  const response = await send('/v1/chat/completions', {
    body: { model: 'zino', stream: true, messages: [{ role: 'user', content: message }] },
    headers: { 'x-zino-channel': encodeURIComponent(channel) },
    signal,
  })
  if (response.body === null) return
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let held = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const lines = (held + value).split('\n')
    held = lines.pop() ?? ''
    for (const line of lines) readLine(line, onText)
  }
}

function readLine(line: string, onText: (text: string) => void): void {
  if (!line.startsWith('data: ') || line === 'data: [DONE]') return
  const { error, choices } = JSON.parse(line.slice('data: '.length)) as StreamEvent
  if (error !== undefined) throw new RequestError(502, error.message)
  const text = choices?.[0]?.delta?.content ?? ''
  if (text !== '') onText(text)
}
