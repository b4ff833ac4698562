// What an event of the trace counts as. One action of the agent is one call. The rest of a protocol,
// calls inside a traced call, and calls of the agent's own machinery are counted apart.
import type { EvidenceFolder } from '../artifact/artifact.ts'
import { readBegins } from './begins.ts'
import { visitCalls } from './calls.ts'
import type { CallFacts } from './facts.ts'

export type CallKind = 'call' | 'nested' | 'protocol' | 'ignored'

/** An event is nested only if the trace knows its parent: a made-up parent hides no call. */
export function kindOf(facts: CallFacts, parents: ReadonlySet<string>): CallKind {
  if (isProtocolEvent(facts)) return 'protocol'
  if (facts.isIgnored) return 'ignored'
  const isNested = facts.parentId !== '' && facts.parentId !== facts.id
  return isNested && parents.has(facts.parentId) ? 'nested' : 'call'
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
    return namesParent || kindOf(facts, noParents) !== 'call'
  })
  if (action !== undefined || !namesParents) return action !== undefined
  // Every other event names a parent, which may follow it in the trace.
  const parents = parentIdsOf(from)
  return visitCalls(from, (facts) => kindOf(facts, parents) !== 'call') !== undefined
}

const noParents: ReadonlySet<string> = new Set()

/** The ids that a nested call may name. */
export function parentIdsOf(from: EvidenceFolder): ReadonlySet<string> {
  const ids = new Set<string>(readBegins(from).keys())
  visitCalls(from, ({ id }) => {
    if (id !== '') ids.add(id)
    return true
  })
  return ids
}
