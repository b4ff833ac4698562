// What an event of the trace counts as. One action of the agent is one call. The rest of a protocol,
// calls inside a traced call, and calls of the agent's own machinery are counted apart.
import type { EvidenceFolder } from '../artifact/artifact.ts'
import { readBegins } from './begins.ts'
import { visitCalls } from './calls.ts'
import type { CallFacts } from './facts.ts'

export type CallKind = 'call' | 'nested' | 'protocol' | 'ignored'

/** When a call ran, in milliseconds since the epoch, and the line of its event. */
export interface CallSpan {
  from: number
  to: number
  line: number
}

/** The calls of a trace that others may name as their parent, by id. */
export type CallSpans = ReadonlyMap<string, CallSpan>

export function kindOf(facts: CallFacts, parents: CallSpans): CallKind {
  if (isProtocolEvent(facts)) return 'protocol'
  if (facts.isIgnored) return 'ignored'
  if (facts.parentId === '' || facts.parentId === facts.id) return 'call'
  return startedWithin(facts, parents.get(facts.parentId)) ? 'nested' : 'call'
}

/** Times are written in whole milliseconds, each rounded by itself. */
const roundingMs = 2

/**
 * Whether a call started while its parent ran: neither a made-up parent nor one that has ended hides a
 * call. A part whose event precedes that of its parent ended before it. The duration of a parent leaves
 * out the write of its begin line, so that it alone would be too short.
 */
export function startedWithin(
  part: { ts: number; line: number },
  parent: CallSpan | undefined,
): boolean {
  if (parent === undefined || !(part.ts >= parent.from - roundingMs)) return false
  return part.line < parent.line || part.ts <= parent.to + roundingMs
}

/** Of an MCP session, only `tools/call` is an action of the agent. */
export function isProtocolEvent({ tool, op }: { tool: string; op: string }): boolean {
  return tool === 'mcp' && op !== 'tools/call'
}

/** Whether the trace has an action of the agent; reads up to the first one. */
export function hasAction(from: EvidenceFolder): boolean {
  let namesParents = false
  const action = visitCalls(from, (facts) => {
    const namesParent = facts.parentId !== ''
    namesParents ||= namesParent
    return namesParent || kindOf(facts, noSpans) !== 'call'
  })
  if (action !== undefined || !namesParents) return action !== undefined
  // Every other event names a parent, which may follow it in the trace.
  const parents = callSpansOf(from)
  return visitCalls(from, (facts) => kindOf(facts, parents) !== 'call') !== undefined
}

/** For a first pass, in which every event counts by itself. */
export const noSpans: CallSpans = new Map()

export function callSpansOf(from: EvidenceFolder): CallSpans {
  const spans = new Map<string, CallSpan>()
  for (const [id, { ts }] of readBegins(from)) {
    spans.set(id, { from: ts, to: Infinity, line: Infinity })
  }
  visitCalls(from, ({ id, ts, durationMs, line }) => {
    if (id !== '') spans.set(id, { from: ts, to: ts + durationMs, line })
    return true
  })
  return spans
}
