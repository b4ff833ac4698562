// The conversations of one editor. Each is stored as an ordinary session, so the command line can
// resume, show and undo it too.
import type {
  AgentContext,
  McpServer,
  PromptRequest,
  PromptResponse,
} from '@agentclientprotocol/sdk'
import { RequestError } from '@agentclientprotocol/sdk'
import { readSession, runTurn, sessionPath } from '@zee/agent'
import { oneLine, reasonOf } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { newUuid } from '@zee/core/ids'
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Globals } from '../cli/cli.ts'
import type { Conversation } from '../conversation/conversation.ts'
import { openConversation } from '../conversation/conversation.ts'
import type { Interrupts } from '../interrupt/interrupt.ts'
import { retryLine } from '../render/render.ts'
import { baseFolder, sessionsFolder } from '../settings/settings.ts'
import { FileChanges } from './file-changes.ts'
import { toAllowedServers } from './editor-servers.ts'
import { askEditor, type EditorTurn } from './permissions.ts'
import { promptText } from './prompt-text.ts'
import { replaySession } from './replay-session.ts'
import { showTurn } from './show-turn.ts'

interface EditorSession {
  conversation: Conversation
  /** The request whose turn may ask the user. */
  request: EditorTurn | undefined
  /** The running turn. */
  turn: { stop: AbortController; ended: Promise<unknown> } | undefined
}

export interface EditorSessionsOptions {
  host: Host
  globals: Globals
  interrupts: Interrupts
}

/** What an editor sends when it opens a session. */
interface SessionParams {
  cwd: string
  mcpServers?: McpServer[]
}

export class EditorSessions {
  /** Whether the editor shows notices; otherwise they go to stderr. */
  canShowNotices = false
  readonly #options: EditorSessionsOptions
  readonly #sessions = new Map<string, EditorSession>()

  constructor(options: EditorSessionsOptions) {
    this.#options = options
  }

  async start(params: SessionParams): Promise<{ sessionId: string }> {
    const sessionId = newUuid()
    await this.#open(sessionId, params)
    return { sessionId }
  }

  async load(params: SessionParams & { sessionId: string }, editor: AgentContext): Promise<object> {
    const { sessionId, cwd } = params
    await this.resume(params)
    await replaySession(readSession(this.#folder(), sessionId), sessionId, editor, cwd)
    return {}
  }

  async resume(params: SessionParams & { sessionId: string }): Promise<object> {
    const { sessionId } = params
    if (!this.#exists(sessionId)) throw RequestError.sessionNotFound(sessionId)
    await this.close(sessionId)
    await this.#open(sessionId, params)
    return {}
  }

  async prompt(
    { sessionId, prompt }: PromptRequest,
    editor: AgentContext,
    signal: AbortSignal,
  ): Promise<PromptResponse> {
    const session = this.#sessions.get(sessionId)
    if (session === undefined) throw RequestError.sessionNotFound(sessionId)
    if (session.turn !== undefined) {
      throw RequestError.invalidRequest(undefined, 'a turn is already running in this session')
    }
    const text = promptText(prompt)
    if (text.trim() === '') throw RequestError.invalidParams(undefined, 'the prompt is empty')
    const stop = new AbortController()
    const ended = this.#run(session, text, {
      sessionId,
      editor,
      signal: AbortSignal.any([stop.signal, signal, this.#options.interrupts.signal]),
    })
    session.turn = { stop, ended: ended.catch(() => {}) }
    try {
      return await ended
    } finally {
      session.turn = undefined
    }
  }

  cancel(sessionId: string): void {
    this.#sessions.get(sessionId)?.turn?.stop.abort()
  }

  async close(sessionId: string): Promise<object> {
    const session = this.#sessions.get(sessionId)
    this.#sessions.delete(sessionId)
    session?.turn?.stop.abort()
    await session?.turn?.ended
    await session?.conversation.close()
    return {}
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#sessions.keys()].map((id) => this.close(id)))
  }

  async #open(sessionId: string, { cwd, mcpServers = [] }: SessionParams): Promise<void> {
    if (!path.isAbsolute(cwd)) throw RequestError.invalidParams(undefined, 'cwd must be absolute')
    const { host, globals, interrupts } = this.#options
    const opened: { session?: EditorSession } = {}
    try {
      const conversation = await openConversation({
        ask: async (question) => {
          const request = opened.session?.request
          return request && askEditor(question, request, cwd)
        },
        host,
        globals: { ...globals, root: cwd, session: undefined, continue: false },
        sessionId,
        servers: toAllowedServers(mcpServers, cwd, host.env),
        interrupts,
        onRetry: (wait) => void host.stderr.write(`${retryLine(wait)}\n`),
      })
      const { notes } = conversation
      if (notes.length > 0) host.stderr.write(`${notes.join('\n')}\n`)
      opened.session = { conversation, request: undefined, turn: undefined }
      this.#sessions.set(sessionId, opened.session)
    } catch (error) {
      throw RequestError.internalError(undefined, oneLine(reasonOf(error)))
    }
  }

  async #run(session: EditorSession, text: string, request: EditorTurn): Promise<PromptResponse> {
    const { conversation } = session
    session.request = request
    const changes = new FileChanges()
    const turn = conversation.turn(text, request.signal)
    const { toolContext: context } = turn
    const events = runTurn({
      ...turn,
      toolContext: { ...context, beforeChange: changes.wrap(context.beforeChange, turn.secrets) },
    })
    return showTurn(events, {
      ...request,
      changes,
      root: conversation.info.root,
      canShowNotices: this.canShowNotices,
      warn: (text) => void this.#options.host.stderr.write(`Warning: ${text}\n`),
    })
  }

  #folder(): string {
    const { env, cwd } = this.#options.host
    return sessionsFolder(baseFolder(env, cwd))
  }

  #exists(sessionId: string): boolean {
    try {
      return existsSync(sessionPath(this.#folder(), sessionId))
    } catch {
      return false
    }
  }
}
