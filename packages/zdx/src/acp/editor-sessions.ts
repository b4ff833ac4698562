// The conversations of one editor. Each is an ordinary conversation in a session of ours, so that it
// can be resumed, shown and undone from the command line as well.
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
import { serversOf } from './editor-servers.ts'
import { Permissions } from './permissions.ts'
import { promptText } from './prompt-text.ts'
import { replay } from './replay-session.ts'
import { showTurn } from './show-turn.ts'

interface EditorSession {
  conversation: Conversation
  permissions: Permissions
  /** The turn that is going on, if one is. */
  turn: { stop: AbortController; ended: Promise<unknown> } | undefined
}

export interface EditorChoice {
  host: Host
  globals: Globals
  interrupts: Interrupts
}

/** What an editor says when it opens a session. */
interface SessionParams {
  cwd: string
  mcpServers?: McpServer[]
}

export class EditorSessions {
  /** Whether the editor shows notices; otherwise they go to stderr. */
  tellsNotices = false
  readonly #choice: EditorChoice
  readonly #sessions = new Map<string, EditorSession>()

  constructor(choice: EditorChoice) {
    this.#choice = choice
  }

  async begin(params: SessionParams): Promise<{ sessionId: string }> {
    const sessionId = newUuid()
    await this.#open(sessionId, params)
    return { sessionId }
  }

  async load(params: SessionParams & { sessionId: string }, editor: AgentContext): Promise<object> {
    const { sessionId, cwd } = params
    await this.resume(params)
    await replay(readSession(this.#folder(), sessionId), sessionId, editor, cwd)
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
      throw RequestError.invalidRequest(undefined, 'a turn is going on in this session')
    }
    const text = promptText(prompt)
    if (text.trim() === '') throw RequestError.invalidParams(undefined, 'the prompt is empty')
    const stop = new AbortController()
    const ended = this.#run(session, text, {
      sessionId,
      editor,
      signal: AbortSignal.any([stop.signal, signal, this.#choice.interrupts.signal]),
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
    const { host, globals, interrupts } = this.#choice
    try {
      const conversation = await openConversation({
        host,
        globals: { ...globals, root: cwd, session: undefined, continue: false },
        sessionId,
        servers: serversOf(mcpServers, cwd, host.env),
        interrupts,
        onRetry: (wait) => void host.stderr.write(`${retryLine(wait)}\n`),
      })
      const { notes, settings, opening } = conversation
      if (notes.length > 0) host.stderr.write(`${notes.join('\n')}\n`)
      const permissions = new Permissions(settings.values.permission, opening.root)
      this.#sessions.set(sessionId, { conversation, permissions, turn: undefined })
    } catch (error) {
      throw RequestError.internalError(undefined, oneLine(reasonOf(error)))
    }
  }

  async #run(
    { conversation, permissions }: EditorSession,
    text: string,
    at: { sessionId: string; editor: AgentContext; signal: AbortSignal },
  ): Promise<PromptResponse> {
    const changes = new FileChanges()
    const turn = conversation.turn(text, at.signal)
    const { around, toolContext: context } = turn
    const events = runTurn({
      ...turn,
      toolContext: { ...context, beforeChange: changes.watch(context.beforeChange) },
      around: (call, run) =>
        permissions.around(call, at, async () =>
          around === undefined ? { result: await run() } : around(call, run),
        ),
    })
    return showTurn(events, {
      ...at,
      changes,
      root: conversation.opening.root,
      tellsNotices: this.tellsNotices,
      warn: (text) => void this.#choice.host.stderr.write(`Warning: ${text}\n`),
    })
  }

  #folder(): string {
    const { env, cwd } = this.#choice.host
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
