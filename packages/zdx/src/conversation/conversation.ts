// A conversation with a model: its parts, and how `exec` and chat open and run it with a renderer.
import type { ProjectContext, SessionWriter, Turn } from '@zee/agent'
import { runTurn } from '@zee/agent'
import type { AllowedServer, ServerTools } from '@zee/agent/mcp'
import type { ZeeError } from '@zee/core/errors'
import { usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { Message, Model, RetryWait } from '@zee/llm'
import type { Globals } from '../cli/cli.ts'
import type { Ask } from '../guard/guard.ts'
import type { Interrupts } from '../interrupt/interrupt.ts'
import type { ConversationInfo, Renderer, TurnOutcome } from '../render/render.ts'
import type { Settings, ZdxConfig } from '../settings/settings.ts'
import type { Spending } from './budget.ts'
import { openConversation } from './open.ts'

export { openConversation }

export interface Conversation {
  settings: Settings
  model: Model
  /** For display; marks a screenplay as scripted. */
  modelLabel: string
  info: ConversationInfo
  session: SessionWriter | undefined
  history: Message[]
  context: ProjectContext
  /** Lines to print before the first answer: warnings, and the choice of a local model. */
  notes: readonly string[]
  /** The MCP servers whose tools are offered. */
  servers: ServerTools | undefined
  turn(prompt: Turn['prompt'], signal: AbortSignal): Turn
  /** Closes the session, the model and the MCP servers. */
  close(): Promise<void>
}

export interface ConversationOptions {
  host: Host
  globals: Globals
  /** Takes precedence over `--session` and `--continue`. */
  sessionId?: string
  /** The session that a new session continues after a handoff. */
  parent?: string | undefined
  /** MCP servers in addition to the configured ones. */
  servers?: readonly AllowedServer[]
  /** What the run has spent so far, if it opens several conversations. */
  spending?: Spending
  /** The permission mode, if the client can change it. */
  permissionMode?: { current: ZdxConfig['permission'] } | undefined
  /** Asks the user before a call runs; absent without a terminal or an editor. */
  ask?: Ask | undefined
  interrupts: Pick<Interrupts, 'trackCommand' | 'signal' | 'exitCode'>
  onRetry: (wait: RetryWait) => void
  /** Receives the output of running commands. */
  onToolOutput?: ((callId: string, chunk: Uint8Array) => void) | undefined
}

/** Opens a conversation; on failure renders the error, then rethrows it. */
export async function openWithRenderer(
  options: ConversationOptions,
  renderer: Renderer,
): Promise<Conversation> {
  return openConversation(options).catch(async (error: Error) => {
    await renderer.openFailed(error)
    throw error
  })
}

/** Runs and renders one turn. An interrupt or a closed stdout aborts it. */
export function renderTurn(
  conversation: Conversation,
  prompt: Turn['prompt'],
  interrupts: Interrupts,
  renderer: Renderer,
  steer?: Turn['steer'],
): Promise<TurnOutcome> {
  const stdoutClosed = new AbortController()
  const signal = AbortSignal.any([interrupts.signal, stdoutClosed.signal])
  const turn = { ...conversation.turn(prompt, signal), ...(steer && { steer }) }
  return renderer.turn(runTurn(turn), () => stdoutClosed.abort(), conversation.info)
}

/** As long as the longest answer; a session, its redaction and the request need 14 times as much memory. */
export const maxPromptBytes = 16 * 1024 * 1024

export function promptTooLong(): ZeeError {
  return usageError('the prompt is longer than 16 MiB')
}
