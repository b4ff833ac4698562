// Asks the user of an editor before a tool runs that may change something, when the settings say so.
// Looking at things is never asked for; what was allowed for good stays allowed in the session.
import type { AgentContext, PermissionOption } from '@agentclientprotocol/sdk'
import type { CallOutcome } from '@zee/agent'
import { failure } from '@zee/agent'
import type { RequestedTool } from './tool-call.ts'
import { proposedDiff, toolCallOf } from './tool-call.ts'

export interface AskedEditor {
  sessionId: string
  editor: AgentContext
  signal: AbortSignal
}

const readingTools = new Set(['read', 'search'])

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

  async around(
    call: RequestedTool,
    asked: AskedEditor,
    run: () => Promise<CallOutcome>,
  ): Promise<CallOutcome> {
    const isFree = this.#policy === 'allow' || readingTools.has(call.name)
    if (isFree || this.#allowed.has(call.name)) return run()
    const answer = await this.#ask(call, asked)
    if (asked.signal.aborted) return { result: failure('cancelled', 'Interrupted by the user') }
    if (answer === 'always') this.#allowed.add(call.name)
    if (answer === 'allow' || answer === 'always') return run()
    return { result: failure('denied', `The user did not allow ${call.name}`) }
  }

  /** The option that was chosen; an editor that cannot ask has chosen none. */
  async #ask(call: RequestedTool, { sessionId, editor, signal }: AskedEditor): Promise<string> {
    const diff = proposedDiff(call, this.#root)
    const content = diff === undefined ? {} : { content: [{ type: 'diff' as const, ...diff }] }
    try {
      const { outcome } = await editor.request(
        'session/request_permission',
        { sessionId, toolCall: { ...toolCallOf(call, this.#root), ...content }, options },
        { cancellationSignal: signal },
      )
      return outcome.outcome === 'selected' ? outcome.optionId : 'cancelled'
    } catch {
      return 'cancelled'
    }
  }
}
