// Permissions and hooks around tool calls: decides before a call starts, and may change its result.
import type { ToolCallPart } from '@zee/llm'
import type { Envelope } from '../envelope/envelope.ts'
import type { CallOutcome, Turn } from './options.ts'

export interface CallGuard {
  /** A `refused` envelope becomes the result, and the tool does not run. */
  before(call: GuardedCall, signal: AbortSignal): Promise<GuardDecision>
  after(call: ToolCallPart, result: Envelope, signal: AbortSignal): Promise<GuardedResult>
}

export interface GuardedCall extends ToolCallPart {
  /** The tool says that it changes nothing. */
  isReadOnly?: boolean
}

export interface GuardDecision {
  refused?: Envelope
  notices: readonly string[]
}

export interface GuardedResult {
  result: Envelope
  notices: readonly string[]
}

export interface EndDecision {
  /** A message to the model that continues the turn. */
  message?: string
  notices: readonly string[]
}

type Guarded = Pick<Turn, 'guard' | 'signal' | 'tools'>

/** A call with invalid input never runs, so it needs no decision. */
export async function beforeCall(
  { guard, signal, tools }: Guarded,
  invalid: string | undefined,
  call: ToolCallPart,
): Promise<GuardDecision> {
  if (guard === undefined || invalid !== undefined) return { notices: [] }
  const tool = tools.find(({ name }) => name === call.name)
  return guard.before(tool?.isReadOnly === true ? { ...call, isReadOnly: true } : call, signal)
}

export async function afterCall(
  { guard, signal }: Guarded,
  call: ToolCallPart,
  { result, notice }: CallOutcome,
): Promise<GuardedResult> {
  const own = notice === undefined ? [] : [notice]
  if (guard === undefined || signal.aborted) return { result, notices: own }
  const guarded = await guard.after(call, result, signal)
  return { result: guarded.result, notices: [...own, ...guarded.notices] }
}
