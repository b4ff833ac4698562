// Sends the events of a turn to the editor as session updates, in order.
import type {
  AgentContext,
  PromptResponse,
  SessionUpdate,
  StopReason,
} from '@agentclientprotocol/sdk'
import { RequestError } from '@agentclientprotocol/sdk'
import type { AgentEvent, TurnEnd } from '@zee/agent'
import type { FileChanges } from './file-changes.ts'
import { toContent, toToolCall } from './tool-call.ts'

export interface TurnView {
  sessionId: string
  editor: AgentContext
  root: string
  changes: FileChanges
  /** Whether the editor shows notices; if not, they go to `warn`. */
  canShowNotices: boolean
  warn(text: string): void
}

const stopReasons: Readonly<Record<Exclude<TurnEnd, 'error'>, StopReason>> = {
  done: 'end_turn',
  max_tokens: 'max_tokens',
  refusal: 'refusal',
  interrupted: 'cancelled',
  other: 'end_turn',
}

/** Throws a request error when the turn fails; the session stays usable. */
export async function showTurn(
  events: AsyncIterable<AgentEvent>,
  view: TurnView,
): Promise<PromptResponse> {
  let end: TurnEnd = 'done'
  let failure = ''
  for await (const event of events) {
    if (event.type === 'turn_end') end = event.reason
    if (event.type === 'error') failure = event.message
    if (event.type === 'notice' && !view.canShowNotices) view.warn(event.text)
    const update = updateOf(event, view)
    if (update !== undefined) await sendUpdate(view, update)
  }
  if (end === 'error') throw RequestError.internalError(undefined, failure)
  return { stopReason: stopReasons[end] }
}

async function sendUpdate({ sessionId, editor }: TurnView, update: SessionUpdate): Promise<void> {
  try {
    await editor.notify('session/update', { sessionId, update })
  } catch {
    // The connection is closed, which has aborted the turn; the session still records its end.
  }
}

function updateOf(event: AgentEvent, view: TurnView): SessionUpdate | undefined {
  switch (event.type) {
    case 'notice':
      if (!view.canShowNotices) return undefined
      return { sessionUpdate: 'notice', severity: 'warning', title: event.text }
    case 'assistant_delta':
      return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: event.text } }
    case 'thinking_delta':
      return { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: event.text } }
    case 'tool_requested':
      return { sessionUpdate: 'tool_call', ...toToolCall(event, view.root) }
    case 'tool_started':
      return { sessionUpdate: 'tool_call_update', toolCallId: event.id, status: 'in_progress' }
    case 'tool_finished':
      return {
        sessionUpdate: 'tool_call_update',
        toolCallId: event.id,
        status: event.result.ok ? 'completed' : 'failed',
        content: toContent(event.result, view.changes.diffFor(event.id)),
        rawOutput: event.result,
      }
    default:
      return undefined
  }
}
