// The conversations of one editor. Each is stored as an ordinary session, so the command line can
// resume, show and undo it too.
import type {
  AgentContext,
  FileSystemCapabilities,
  ListSessionsRequest,
  ListSessionsResponse,
  McpServer,
  PromptRequest,
  PromptResponse,
  SetSessionConfigOptionRequest,
  SetSessionModeRequest,
} from '@agentclientprotocol/sdk'
import { RequestError } from '@agentclientprotocol/sdk'
import type { PromptPart } from '@zee/agent'
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
import { clientFiles } from './client-files.ts'
import { isEmptyPrompt, promptParts } from './prompt-parts.ts'
import { replaySession } from './replay-session.ts'
import { listEditorSessions } from './session-list.ts'
import type { Mode, SessionOptions } from './session-options.ts'
import { modelOption, modeOf, sessionOptions } from './session-options.ts'
import { showTurn } from './show-turn.ts'
import { recordStarted, wasStarted } from './started-sessions.ts'

interface EditorSession {
  conversation: Conversation
  /** How the editor opened the session, to open it again with another model. */
  params: SessionParams
  /** The permission mode; the running turn sees changes. */
  mode: { current: Mode }
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
  /** Which files the editor reads and writes for zdx. */
  files: FileSystemCapabilities = {}
  readonly #options: EditorSessionsOptions
  readonly #sessions = new Map<string, EditorSession>()

  constructor(options: EditorSessionsOptions) {
    this.#options = options
  }

  async start(params: SessionParams): Promise<{ sessionId: string } & SessionOptions> {
    const { host, globals } = this.#options
    const sessionId = newUuid()
    const session = await this.#open(sessionId, params)
    if (!globals.noSave) recordStarted(this.#base(), sessionId, host)
    return { sessionId, ...this.#offer(session) }
  }

  async load(
    params: SessionParams & { sessionId: string },
    editor: AgentContext,
  ): Promise<SessionOptions> {
    const { sessionId, cwd } = params
    const options = await this.resume(params)
    await replaySession(readSession(this.#folder(), sessionId), sessionId, editor, cwd)
    return options
  }

  async resume(params: SessionParams & { sessionId: string }): Promise<SessionOptions> {
    const { sessionId } = params
    if (!this.#exists(sessionId)) throw RequestError.sessionNotFound(sessionId)
    await this.close(sessionId)
    return this.#offer(await this.#open(sessionId, params))
  }

  list(request: ListSessionsRequest): ListSessionsResponse {
    return listEditorSessions(this.#base(), this.#options.host.cwd, request)
  }

  setMode({ sessionId, modeId }: SetSessionModeRequest): object {
    const mode = modeOf(modeId)
    if (mode === undefined) throw RequestError.invalidParams(undefined, `unknown mode ${modeId}`)
    this.#require(sessionId).mode.current = mode
    return {}
  }

  async setConfigOption(
    request: SetSessionConfigOptionRequest,
  ): Promise<Pick<SessionOptions, 'configOptions'>> {
    const { sessionId, configId, value } = request
    if (configId !== modelOption || typeof value !== 'string') {
      throw RequestError.invalidParams(undefined, `unknown option ${configId}`)
    }
    return this.setModel(sessionId, value)
  }

  /** Opens the conversation again with another model; the session stays the same. */
  async setModel(sessionId: string, model: string): Promise<SessionOptions> {
    const { params, mode, turn } = this.#require(sessionId)
    if (turn !== undefined) {
      throw RequestError.invalidRequest(undefined, 'a turn is running in this session')
    }
    const previous = this.#sessions.get(sessionId)
    const next = await this.#open(sessionId, params, { model, mode })
    await previous?.conversation.close()
    return this.#offer(next)
  }

  async prompt(
    { sessionId, prompt }: PromptRequest,
    editor: AgentContext,
    signal: AbortSignal,
  ): Promise<PromptResponse> {
    const session = this.#require(sessionId)
    if (session.turn !== undefined) {
      throw RequestError.invalidRequest(undefined, 'a turn is already running in this session')
    }
    const parts = promptParts(prompt)
    if (isEmptyPrompt(parts)) throw RequestError.invalidParams(undefined, 'the prompt is empty')
    const stop = new AbortController()
    const ended = this.#run(session, parts, {
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

  async #open(
    sessionId: string,
    params: SessionParams,
    changed: { model?: string; mode?: EditorSession['mode'] } = {},
  ): Promise<EditorSession> {
    const { cwd, mcpServers = [] } = params
    if (!path.isAbsolute(cwd)) throw RequestError.invalidParams(undefined, 'cwd must be absolute')
    const { host, globals, interrupts } = this.#options
    const opened: { session?: EditorSession } = {}
    const mode = changed.mode ?? { current: 'allow' as Mode }
    try {
      const conversation = await openConversation({
        ask: async (question) => {
          const request = opened.session?.request
          return request && askEditor(question, request, cwd)
        },
        host,
        globals: {
          ...globals,
          root: cwd,
          session: undefined,
          continue: false,
          // The name of a model in the list starts with its provider.
          ...(changed.model === undefined ? {} : { model: changed.model, provider: undefined }),
        },
        permissionMode: mode,
        sessionId,
        servers: toAllowedServers(mcpServers, cwd, host.env),
        interrupts,
        onRetry: (wait) => void host.stderr.write(`${retryLine(wait)}\n`),
      })
      const { notes } = conversation
      if (notes.length > 0) host.stderr.write(`${notes.join('\n')}\n`)
      if (changed.mode === undefined) mode.current = conversation.settings.values.permission
      opened.session = { conversation, params, mode, request: undefined, turn: undefined }
      this.#sessions.set(sessionId, opened.session)
      return opened.session
    } catch (error) {
      throw RequestError.internalError(undefined, oneLine(reasonOf(error)))
    }
  }

  async #run(
    session: EditorSession,
    parts: readonly PromptPart[],
    request: EditorTurn,
  ): Promise<PromptResponse> {
    const { conversation } = session
    session.request = request
    const changes = new FileChanges()
    const turn = conversation.turn(parts, request.signal)
    const { toolContext: context } = turn
    const events = runTurn({
      ...turn,
      toolContext: {
        ...context,
        beforeChange: changes.wrap(context.beforeChange, turn.secrets),
        editorFiles: clientFiles(this.files, request.editor, request.sessionId),
      },
    })
    return showTurn(events, {
      ...request,
      changes,
      root: conversation.info.root,
      canShowNotices: this.canShowNotices,
      warn: (text) => void this.#options.host.stderr.write(`Warning: ${text}\n`),
    })
  }

  #offer({ conversation, mode }: EditorSession): SessionOptions {
    return sessionOptions(conversation, mode.current, this.#options.host.env)
  }

  #require(sessionId: string): EditorSession {
    const session = this.#sessions.get(sessionId)
    if (session === undefined) throw RequestError.sessionNotFound(sessionId)
    return session
  }

  #base(): string {
    const { env, cwd } = this.#options.host
    return baseFolder(env, cwd)
  }

  #folder(): string {
    return sessionsFolder(this.#base())
  }

  /** A session exists from `session/new` on, although its file appears with the first prompt. */
  #exists(sessionId: string): boolean {
    if (this.#sessions.has(sessionId)) return true
    try {
      return (
        existsSync(sessionPath(this.#folder(), sessionId)) || wasStarted(this.#base(), sessionId)
      )
    } catch {
      return false
    }
  }
}
