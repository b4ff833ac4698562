// Asks the user of the editor before a tool runs. Which calls need an answer is decided by the
// permissions of the conversation.
import type { AgentContext, PermissionOption } from '@agentclientprotocol/sdk'
import type { Answer, Question } from '../guard/guard.ts'
import { proposedDiff, toToolCall } from './tool-call.ts'

/** The prompt request that a tool call belongs to. */
export interface EditorTurn {
  sessionId: string
  editor: AgentContext
  signal: AbortSignal
}

const options: PermissionOption[] = [
  { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
  { optionId: 'always', name: 'Always allow in this session', kind: 'allow_always' },
  { optionId: 'reject', name: 'Do not allow', kind: 'reject_once' },
]

/** The answer of the editor's user; `no` when the editor cannot ask. */
export async function askEditor(
  { call }: Question,
  { sessionId, editor, signal }: EditorTurn,
  root: string,
): Promise<Answer | undefined> {
  const diff = proposedDiff(call, root)
  const content = diff === undefined ? undefined : [{ type: 'diff' as const, ...diff }]
  try {
    const { outcome } = await editor.request(
      'session/request_permission',
      { sessionId, toolCall: { ...toToolCall(call, root), content }, options },
      { cancellationSignal: signal },
    )
    if (signal.aborted) return undefined
    const chosen = outcome.outcome === 'selected' ? outcome.optionId : 'reject'
    return chosen === 'allow' ? 'yes' : chosen === 'always' ? 'always' : 'no'
  } catch {
    return signal.aborted ? undefined : 'no'
  }
}
