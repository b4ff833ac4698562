// Replays a stored session to an editor that loads it, event by event.
import type { AgentContext, SessionUpdate } from '@agentclientprotocol/sdk'
import type { SessionEvent, SessionRecord } from '@zee/agent'
import { toContent, proposedDiff, toToolCall, type RequestedTool } from './tool-call.ts'

export async function replaySession(
  events: AsyncIterable<SessionEvent>,
  sessionId: string,
  editor: AgentContext,
  root: string,
): Promise<void> {
  const open = new Map<string, RequestedTool>()
  const send = (update: SessionUpdate) => editor.notify('session/update', { sessionId, update })
  for await (const { record } of events) {
    const update = updateOf(record, open, root)
    if (update !== undefined) await send(update)
  }
  for (const toolCallId of open.keys()) {
    await send({ sessionUpdate: 'tool_call_update', toolCallId, status: 'failed' })
  }
}

function updateOf(
  record: SessionRecord,
  open: Map<string, RequestedTool>,
  root: string,
): SessionUpdate | undefined {
  switch (record.type) {
    case 'message': {
      const kind = record.role === 'user' ? 'user_message_chunk' : 'agent_message_chunk'
      return textChunk(kind, record.text)
    }
    case 'thinking':
      return textChunk('agent_thought_chunk', record.text)
    case 'tool_use':
      open.set(record.id, record)
      return { sessionUpdate: 'tool_call', ...toToolCall(record, root) }
    case 'tool_result': {
      const call = open.get(record.tool_use_id)
      if (call === undefined) return undefined
      open.delete(record.tool_use_id)
      return {
        sessionUpdate: 'tool_call_update',
        toolCallId: record.tool_use_id,
        status: record.ok ? 'completed' : 'failed',
        content: toContent(record.output, proposedDiff(call, root)),
        rawOutput: record.output,
      }
    }
    default:
      return undefined
  }
}

function textChunk(
  sessionUpdate: 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk',
  text: string,
): SessionUpdate | undefined {
  return text === '' ? undefined : { sessionUpdate, content: { type: 'text', text } }
}
