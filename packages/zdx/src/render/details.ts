// `--verbose`: the input and the result of a tool call, redacted and bounded.
import type { AgentEvent } from '@zee/agent'
import { createRedactor } from '@zee/core/redact'
import type { Host } from '@zee/core/exit'

const maxBytes = 2048

/** The text for an event that has an input or a result; empty for others. */
export function openDetails(env: Host['env']): (event: AgentEvent) => string {
  const redactor = createRedactor({ environment: env })
  const line = (label: string, value: unknown) => {
    const { text, truncated, bytes } = redactor.cut(
      JSON.stringify(redactor.value(value).value) ?? '',
      maxBytes,
    )
    return `  ${label}: ${text}${truncated ? ` … (${bytes} bytes)` : ''}\n`
  }
  return (event) => {
    if (event.type === 'tool_requested') return line(`${event.name} input`, event.input)
    return event.type === 'tool_finished' ? line('result', event.result) : ''
  }
}
