// Limits of one answer, so that a misbehaving provider can neither exhaust memory nor hold a turn for ever.
import { maxTimerMs } from '@zee/core/clock'
import type { ModelEvent } from '@zee/llm'
import { ModelError } from '@zee/llm'
import type { Turn } from './options.ts'

const maxTextLength = 16 * 1024 * 1024
const maxCallLength = 8 * 1024 * 1024
const maxCalls = 128

/** Returns a function that throws once the events exceed a limit of an answer. */
export function answerLimits(): (event: ModelEvent) => void {
  let textLength = 0
  let calls = 0
  const callLengths = new Map<string, number>()
  return (event) => {
    if (event.type === 'text' || event.type === 'thinking') {
      textLength += event.text.length
      if (textLength > maxTextLength) throw limitError('has more than 16 MiB of text')
    } else if (event.type === 'tool_call_args') {
      const length = (callLengths.get(event.id) ?? 0) + event.json.length
      callLengths.set(event.id, length)
      if (length > maxCallLength) throw limitError('has a tool call of more than 8 MiB')
    } else if (event.type === 'tool_call_start' && ++calls > maxCalls) {
      throw limitError(`has more than ${maxCalls} tool calls`)
    }
  }
}

/** A signal that fires with the turn's signal, and with an error when the answer takes too long. */
export function startAnswerDeadline({ signal, answerTimeoutMs }: Turn): {
  signal: AbortSignal
  clear(): void
} {
  if (answerTimeoutMs === undefined || answerTimeoutMs > maxTimerMs) {
    return { signal, clear: () => {} }
  }
  const deadline = new AbortController()
  const fail = (): void => {
    const what = `took more than ${answerTimeoutMs / 1000} seconds (answer_timeout_secs)`
    deadline.abort(limitError(what, 'timeout'))
  }
  const timer = setTimeout(fail, answerTimeoutMs)
  return {
    signal: AbortSignal.any([signal, deadline.signal]),
    clear: () => clearTimeout(timer),
  }
}

function limitError(what: string, kind: 'api_error' | 'timeout' = 'api_error'): ModelError {
  return new ModelError(kind, `the answer was stopped: it ${what}`)
}
