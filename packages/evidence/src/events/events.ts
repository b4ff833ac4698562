// The events of a trace: complete records, facts of calls, lines and begin lines.

import { asObject, asText } from '../json/json.ts'
import type { StoredEvent } from './trace-events.ts'

export { openCallsOf, readBegins } from './begins.ts'
export { visitCalls } from './calls.ts'
export { scanEvent } from './event-scanner.ts'
export { emptyFacts, factsFromRecord } from './facts.ts'
export type { CallFacts } from './facts.ts'
export { callSpansOf, hasAction, isProtocolEvent, kindOf, noSpans, startedWithin } from './kind.ts'
export type { CallKind, CallSpan, CallSpans } from './kind.ts'
export { isBlank, visitLines } from './lines.ts'
export type { LineVisitor } from './lines.ts'
export { readTraceTail } from './tail.ts'
export { eventsByStart, storedEvent, traceEvents } from './trace-events.ts'
export type { StoredEvent } from './trace-events.ts'

/** How a call is named where it is shown: the tool of an MCP `tools/call`, else its operation. */
export function callName({ tool, op, input }: Pick<StoredEvent, 'tool' | 'op' | 'input'>): string {
  if (tool !== 'mcp' || op !== 'tools/call') return op
  return asText(asObject(input.params).name) || op
}
