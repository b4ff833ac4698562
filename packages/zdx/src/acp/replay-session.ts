// A stored session told again to an editor that loads it, event by event.
import type { AgentContext, SessionUpdate } from '@agentclientprotocol/sdk'
import type { SessionEvent, SessionRecord } from '@zee/agent'
import { contentOf, proposedDiff, toolCallOf, type RequestedTool } from './tool-call.ts'

export async function replay(
  events: AsyncIterable<SessionEvent>,
  sessionId: string,
  editor: AgentContext,
  root: string,
): Promise<void> {
  const open = new Map<string, RequestedTool>()
  const tell = (update: SessionUpdate) => editor.notify('session/update', { sessionId, update })
  for await (const { record } of events) {
    const update = updateOf(record, open, root)
    if (update !== undefined) await tell(update)
  }
  for (const toolCallId of open.keys()) {
    await tell({ sessionUpdate: 'tool_call_update', toolCallId, status: 'failed' })
  }
}

function updateOf(
  record: SessionRecord,
  open: Map<string, RequestedTool>,
  root: string,
): SessionUpdate | undefined {
  switch (record.type) {
    case 'message': {
      const who = record.role === 'user' ? 'user_message_chunk' : 'agent_message_chunk'
      return said(who, record.text)
    }
    case 'thinking':
      return said('agent_thought_chunk', record.text)
    case 'tool_use':
      open.set(record.id, record)
      return { sessionUpdate: 'tool_call', ...toolCallOf(record, root) }
    case 'tool_result': {
      const call = open.get(record.tool_use_id)
      if (call === undefined) return undefined
      open.delete(record.tool_use_id)
      return {
        sessionUpdate: 'tool_call_update',
        toolCallId: record.tool_use_id,
        status: record.ok ? 'completed' : 'failed',
        content: contentOf(record.output, proposedDiff(call, root)),
        rawOutput: record.output,
      }
    }
    default:
      return undefined
  }
}

function said(
  sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk',
  text: string,
): SessionUpdate | undefined {
  return text === '' ? undefined : { sessionUpdate, content: { type: 'text', text } }
}
