// The renderer of an editor: the events of a turn as updates of its session, in their order.
import type {
  AgentContext,
  PromptResponse,
  SessionUpdate,
  StopReason,
} from '@agentclientprotocol/sdk'
import { RequestError } from '@agentclientprotocol/sdk'
import type { AgentEvent, TurnEnd } from '@zee/agent'
import type { FileChanges } from './file-changes.ts'
import { contentOf, toolCallOf } from './tool-call.ts'

export interface TurnView {
  sessionId: string
  editor: AgentContext
  root: string
  changes: FileChanges
  /** Whether the editor shows notices; otherwise they are warned of elsewhere. */
  tellsNotices: boolean
  warn(text: string): void
}

const stopReasons: Readonly<Record<Exclude<TurnEnd, 'error'>, StopReason>> = {
  done: 'end_turn',
  max_tokens: 'max_tokens',
  refusal: 'refusal',
  interrupted: 'cancelled',
  other: 'end_turn',
}

/** A turn that fails is an error of the request; the session goes on. */
export async function showTurn(
  events: AsyncIterable<AgentEvent>,
  view: TurnView,
): Promise<PromptResponse> {
  let end: TurnEnd = 'done'
  let failure = ''
  for await (const event of events) {
    if (event.type === 'turn_end') end = event.reason
    if (event.type === 'error') failure = event.message
    if (event.type === 'notice' && !view.tellsNotices) view.warn(event.text)
    const update = updateOf(event, view)
    if (update !== undefined) await tell(view, update)
  }
  if (end === 'error') throw RequestError.internalError(undefined, failure)
  return { stopReason: stopReasons[end] }
}

/** An editor that has left ends the turn; the session still hears how. */
async function tell({ sessionId, editor }: TurnView, update: SessionUpdate): Promise<void> {
  try {
    await editor.notify('session/update', { sessionId, update })
  } catch {
    // The connection is closed, and its end has stopped the turn already.
  }
}

function updateOf(event: AgentEvent, view: TurnView): SessionUpdate | undefined {
  switch (event.type) {
    case 'notice':
      if (!view.tellsNotices) return undefined
      return { sessionUpdate: 'notice', severity: 'warning', title: event.text }
    case 'assistant_delta':
      return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: event.text } }
    case 'thinking_delta':
      return { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: event.text } }
    case 'tool_requested':
      return { sessionUpdate: 'tool_call', ...toolCallOf(event, view.root) }
    case 'tool_started':
      return { sessionUpdate: 'tool_call_update', toolCallId: event.id, status: 'in_progress' }
    case 'tool_finished':
      return {
        sessionUpdate: 'tool_call_update',
        toolCallId: event.id,
        status: event.result.ok ? 'completed' : 'failed',
        content: contentOf(event.result, view.changes.of(event.id)),
        rawOutput: event.result,
      }
    default:
      return undefined
  }
}
