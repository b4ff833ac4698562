// A conversation: what it consists of, and how a single prompt and a chat see it through a renderer.
import type { ProjectContext, SessionWriter, Turn } from '@zee/agent'
import { runTurn } from '@zee/agent'
import type { AllowedServer } from '@zee/agent/mcp'
import type { ZeeError } from '@zee/core/errors'
import { usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { Message, Model, RetryWait } from '@zee/llm'
import type { Globals } from '../cli/cli.ts'
import type { Interrupts } from '../interrupt/interrupt.ts'
import type { Opening, Renderer, TurnOutcome } from '../render/render.ts'
import type { Settings } from '../settings/settings.ts'
import { openConversation } from './open.ts'

export { openConversation }

export interface Conversation {
  settings: Settings
  model: Model
  /** For people; a screenplay is always called one. */
  modelLabel: string
  opening: Opening
  session: SessionWriter | undefined
  history: Message[]
  context: ProjectContext
  /** What people should know before the first answer. */
  notes: readonly string[]
  turn(prompt: string, signal: AbortSignal): Turn
  /** Ends everything that the conversation started. */
  close(): Promise<void>
}

export interface ConversationChoice {
  host: Host
  globals: Globals
  /** A session that was named outside the global options. */
  sessionId?: string
  /** MCP servers that come with the conversation, besides those of the configuration. */
  servers?: readonly AllowedServer[]
  interrupts: Pick<Interrupts, 'watch' | 'signal' | 'exitCode'>
  onRetry: (wait: RetryWait) => void
}

/** Opens a conversation; that there is none to open is shown like everything else. */
export async function openShown(
  choice: ConversationChoice,
  renderer: Renderer,
): Promise<Conversation> {
  return openConversation(choice).catch(async (error: Error) => {
    await renderer.failed(error)
    throw error
  })
}

/** Runs a turn that ends with an interrupt, or when nobody reads the answer any more. */
export function oneTurn(
  conversation: Conversation,
  prompt: string,
  interrupts: Interrupts,
  renderer: Renderer,
): Promise<TurnOutcome> {
  const left = new AbortController()
  const signal = AbortSignal.any([interrupts.signal, left.signal])
  return renderer.turn(runTurn(conversation.turn(prompt, signal)), () => left.abort())
}

/** How long a prompt may be: a session keeps no longer line, so more need not be read. */
export const mostPromptBytes = 256 * 1024 * 1024

export function promptTooLong(): ZeeError {
  return usageError('the prompt is longer than 256 MiB')
}
