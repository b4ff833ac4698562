// What a caller gives to a turn: the model, the tools, the hooks around requests and calls.
import type { Clock } from '@zee/core/clock'
import type {
  ImagePart,
  Message,
  Model,
  ModelRequest,
  TextPart,
  ToolCallPart,
  Usage,
} from '@zee/llm'
import type { ContextBudget } from '../elision/elision.ts'
import type { Envelope } from '../envelope/envelope.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { SessionWriter } from '../session/session.ts'
import type { Tool, ToolContext } from '../tools/tools.ts'
import type { ShellUndo } from '../undo/undo.ts'
import type { TurnEnd } from './events.ts'
import type { CallGuard, EndDecision } from './guard.ts'

export interface Turn {
  model: Model
  /** The request without messages and tools. */
  request: Omit<ModelRequest, 'messages' | 'tools'>
  tools: readonly Tool[]
  /** Discovers further tools, for example of MCP servers, at the start of the turn. */
  gather?: (limits: GatherLimits) => Promise<GatheredTools>
  /** Wraps every call, for example to ask for permission or to record evidence; may refuse it. */
  around?: (call: ToolCallPart, run: RunCall) => Promise<CallOutcome>
  /** Decides about each call before it starts, and may change its result. */
  guard?: CallGuard
  /** Called at the end of the turn, unless it was interrupted. */
  onEnd?: (reason: TurnEnd, signal: AbortSignal) => Promise<EndDecision>
  toolContext: Omit<ToolContext, 'signal' | 'callId'>
  /** The messages so far; the turn appends completed messages. */
  history: Message[]
  /** Takes the lines that the user queued; called before each request after the first. */
  steer?: () => Promise<readonly Turn['prompt'][]>
  /** A text, or texts and images that the model receives as separate blocks. */
  prompt: string | readonly PromptPart[]
  session: SessionWriter | undefined
  /** Hides secrets from the model, the session and the events; undefined to keep them. */
  secrets?: Secrets | undefined
  /** Called before tools are discovered and before the first call of each round. */
  beforeTools?: () => Promise<void>
  /** Records what shell commands change; `toolContext.beforeCommand` is its hook. */
  shellUndo?: Pick<ShellUndo, 'endTurn' | 'takeNotices'> | undefined
  signal: AbortSignal
  clock: Clock
  /** Called with every request before it is sent; an error with the code `budget` ends the turn. */
  beforeRequest?: (request: ModelRequest) => Promise<void>
  /** Cost of an answer in US dollars; undefined if the price is unknown. */
  cost?: (usage: Usage) => Promise<number | undefined>
  /** Maximum duration of one answer; undefined for no limit. */
  answerTimeoutMs?: number | undefined
  /** Elides old results from requests that would not fit; undefined to send everything. */
  context?: ContextBudget
  /** Whether requests may contain images; false by default. */
  acceptsImages?: boolean
}

export type PromptPart = ImagePart | TextPart

/**
 * Runs the tool; `signal` can abort it in addition to the signal of the turn, and `env` adds variables
 * to the environment of its commands.
 */
export type RunCall = (
  signal?: AbortSignal,
  env?: Readonly<Record<string, string>>,
) => Promise<Envelope>

export interface CallOutcome {
  result: Envelope
  /** A message for the user, shown after the result. */
  notice?: string
}

export type GatherLimits = Pick<ToolContext, 'signal' | 'timeoutMs'>

export interface GatheredTools {
  tools: readonly Tool[]
  /** Messages for the user about tools that are unavailable. */
  notices: readonly string[]
}
