// The hooks of a conversation: which commands run for an event, their input, and the effect of their output.
import type { CallGuard, EndDecision, Envelope, TurnEnd } from '@zee/agent'
import { failure } from '@zee/agent'
import type { HookContext, HookEvent, HookOutcome } from '@zee/agent/hooks'
import { runHooks } from '@zee/agent/hooks'
import { matchesHook, objectOf } from '@zee/agent/permissions'
import { ZeeError } from '@zee/core/errors'
import type { ToolCallPart } from '@zee/llm'
import type { ZdxConfig } from '../settings/settings.ts'

export interface HookPlace extends Omit<HookContext, 'signal'> {
  home: string | undefined
  /** Undefined if the session is not saved. */
  session: string | undefined
}

export interface ConversationHooks extends CallGuard {
  /** Context of `turn_end` for the next prompt; each text is returned once. */
  takeContext(): string[]
  turnEnd(reason: TurnEnd, signal: AbortSignal): Promise<EndDecision>
  /** Throws `hook_blocked` if a hook blocks the session. */
  sessionStart(
    info: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<Pick<HookOutcome, 'context' | 'notices'>>
}

type Hook = NonNullable<ZdxConfig['hooks']>[number]

export function conversationHooks(hooks: readonly Hook[], place: HookPlace): ConversationHooks {
  const { root, session } = place
  /** Context of `before_tool`, until the result of its call takes it to the model. */
  const pending = new Map<string, string[]>()
  const forNextPrompt: string[] = []
  const run = (
    event: HookEvent,
    payload: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
    call?: ToolCallPart,
  ): Promise<HookOutcome> => {
    const commands = hooks
      .filter((hook) => hook.event === event)
      .filter(({ match }) => call === undefined || matchesHook(match, call, place))
      .map(({ command }) => command)
    return runHooks(commands, event, { session, root, ...payload }, { ...place, signal })
  }
  return {
    before: async (call, signal) => {
      const outcome = await run('before_tool', callFields(call), signal, call)
      if (outcome.context.length > 0) pending.set(call.id, outcome.context)
      const { blocked, notices } = outcome
      if (blocked === undefined) return { notices }
      return { refused: failure('blocked', `A hook blocked ${call.name}: ${blocked}`), notices }
    },
    after: async (call, result, signal) => {
      const payload = { ...callFields(call), result }
      const { blocked, context, notices } = await run('after_tool', payload, signal, call)
      const texts = [...(pending.get(call.id) ?? []), ...context]
      pending.delete(call.id)
      if (blocked !== undefined) {
        const message = `${call.name} ran, but a hook rejected its result: ${blocked}`
        return { result: failure('blocked', message), notices }
      }
      return { result: withContext(result, texts), notices }
    },
    takeContext: () => forNextPrompt.splice(0),
    turnEnd: async (reason, signal) => {
      const { blocked, context, notices } = await run('turn_end', { reason }, signal)
      const message = [...(blocked === undefined ? [] : [blocked]), ...context].join('\n\n')
      if (blocked !== undefined) return { message, notices }
      forNextPrompt.push(...context)
      return { notices }
    },
    sessionStart: async (info, signal) => {
      const { blocked, context, notices } = await run('session_start', info, signal)
      if (blocked === undefined) return { context, notices }
      throw new ZeeError('hook_blocked', `a session_start hook blocked the session: ${blocked}`)
    },
  }
}

function callFields(call: ToolCallPart): Readonly<Record<string, unknown>> {
  return { tool: call.name, object: objectOf(call), input: call.input, call_id: call.id }
}

/** The session stores the context with the result, so that a resumed session sends it again. */
function withContext(result: Envelope, texts: readonly string[]): Envelope {
  if (texts.length === 0) return result
  const context = texts.join('\n\n')
  if (result.ok) return { ok: true, data: { ...result.data, hook_context: context } }
  const { code, message } = result.error
  return failure(code, `${message}\n\n${context}`)
}
