// What an event of the trace counts as. One action of the agent is one call. The rest of a protocol,
// calls inside a traced call, and calls of the agent's own machinery are counted apart.
import { closeSync, readSync } from 'node:fs'
import { openArtifact, type EvidenceFolder } from '../artifact/artifact.ts'
import { artifactName } from '../layout/layout.ts'
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

/** The ids that a nested call may name; empty if no event of the trace names a parent. */
export function parentIdsOf(from: EvidenceFolder): ReadonlySet<string> {
  const ids = new Set<string>()
  if (!namesParents(from)) return ids
  for (const id of readBegins(from).keys()) ids.add(id)
  visitCalls(from, ({ id }) => {
    if (id !== '') ids.add(id)
    return true
  })
  return ids
}

const parentKey = Buffer.from('"parentId"')
const blockBytes = 1024 * 1024

/** Searches the raw bytes, which costs a fraction of reading the events. */
function namesParents(from: EvidenceFolder): boolean {
  const opened = openArtifact(from, artifactName.trace)
  if (opened.failure !== undefined) return false
  const block = Buffer.allocUnsafe(Math.min(blockBytes, opened.size) + parentKey.length)
  let kept = 0
  try {
    for (;;) {
      const got = readSync(opened.descriptor, block, kept, block.length - kept, null)
      if (got === 0) return false
      const filled = kept + got
      if (block.subarray(0, filled).includes(parentKey)) return true
      kept = Math.min(parentKey.length - 1, filled)
      block.copyWithin(0, filled - kept, filled)
    }
  } finally {
    closeSync(opened.descriptor)
  }
}
