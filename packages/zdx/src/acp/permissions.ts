// With `permission = "ask"`, asks the editor's user before a tool runs. Read-only tools are never asked
// for; "always allow" holds for the rest of the session.
import type { AgentContext, PermissionOption } from '@agentclientprotocol/sdk'
import type { CallOutcome } from '@zee/agent'
import { failure } from '@zee/agent'
import type { RequestedTool } from './tool-call.ts'
import { proposedDiff, toToolCall } from './tool-call.ts'

/** The prompt request that a tool call belongs to. */
export interface EditorTurn {
  sessionId: string
  editor: AgentContext
  signal: AbortSignal
}

const readOnlyTools = new Set(['read', 'search'])

const options: PermissionOption[] = [
  { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
  { optionId: 'always', name: 'Always allow in this session', kind: 'allow_always' },
  { optionId: 'reject', name: 'Do not allow', kind: 'reject_once' },
]

export class Permissions {
  readonly #policy: 'allow' | 'ask'
  readonly #root: string
  readonly #allowed = new Set<string>()

  constructor(policy: 'allow' | 'ask', root: string) {
    this.#policy = policy
    this.#root = root
  }

  /** Runs the call if the policy or the user allows it; otherwise returns a `denied` result. */
  async runIfAllowed(
    call: RequestedTool,
    turn: EditorTurn,
    run: () => Promise<CallOutcome>,
  ): Promise<CallOutcome> {
    const needsNoAnswer = this.#policy === 'allow' || readOnlyTools.has(call.name)
    if (needsNoAnswer || this.#allowed.has(call.name)) return run()
    const answer = await this.#ask(call, turn)
    if (turn.signal.aborted) return { result: failure('cancelled', 'Interrupted by the user') }
    if (answer === 'always') this.#allowed.add(call.name)
    if (answer === 'allow' || answer === 'always') return run()
    return { result: failure('denied', `The user did not allow ${call.name}`) }
  }

  /** The id of the chosen option; `cancelled` when the editor cannot ask. */
  async #ask(call: RequestedTool, { sessionId, editor, signal }: EditorTurn): Promise<string> {
    const diff = proposedDiff(call, this.#root)
    const content = diff === undefined ? undefined : [{ type: 'diff' as const, ...diff }]
    try {
      const { outcome } = await editor.request(
        'session/request_permission',
        { sessionId, toolCall: { ...toToolCall(call, this.#root), content }, options },
        { cancellationSignal: signal },
      )
      return outcome.outcome === 'selected' ? outcome.optionId : 'cancelled'
    } catch {
      return 'cancelled'
    }
  }
}
