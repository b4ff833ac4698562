// `--verbose`: the input and the result of a tool call, redacted and bounded.
import type { AgentEvent } from '@zee/agent'
import { cutToBytes } from '@zee/core/bounded'
import { terminalSafeText } from '@zee/core/colour'
import { oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { createRedactor } from '@zee/core/redact'

const maxBytes = 2048

/** A hidden value; the rules would take what follows it for an assigned secret. */
const placeholder = /(⟦secret:[^⟧]*⟧)/

/** The text for an event that has an input or a result; empty for others. */
export function openDetails(host: Host): (event: AgentEvent) => string {
  const redactor = createRedactor({ environment: host.env })
  const safe = terminalSafeText(host.stderr)
  const redacted = (text: string) =>
    text
      .split(placeholder)
      .map((piece, index) => (index % 2 === 1 ? piece : redactor.text(piece).text))
      .join('')
  const line = (label: string, value: unknown) => {
    const { text, truncated, bytes } = cutToBytes(redacted(JSON.stringify(value) ?? ''), maxBytes)
    return `  ${oneLine(label)}: ${safe(text)}${truncated ? ` … (${bytes} bytes)` : ''}\n`
  }
  return (event) => {
    if (event.type === 'tool_requested') return line(`${event.name} input`, event.input)
    return event.type === 'tool_finished' ? line('result', event.result) : ''
  }
}
