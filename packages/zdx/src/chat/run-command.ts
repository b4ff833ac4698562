// Runs the commands of a chat. All output goes to stderr.
import { projectRoot } from '@zee/agent/project'
import { undoNote, undoSession } from '@zee/agent/undo'
import { oneLine, reasonOf } from '@zee/core/errors'
import { terminalSafeWriter } from '@zee/core/lossless'
import { providerOfName } from '../models/models.ts'
import { providerRows } from '../providers/providers.ts'
import { sessionsFolder, undoFolder } from '../settings/settings.ts'
import type { Chat, ChatLine } from './commands.ts'
import { undoneLines } from '../sessions/sessions.ts'
import { runShell } from './shell.ts'

type CommandLine = Extract<ChatLine, { type: 'command' | 'shell' }>

/**
 * Runs `:command` or `!command`; returns a prompt to send, if there is one. Prints a failure instead of
 * throwing, so the chat goes on.
 */
export async function runChatCommand(chat: Chat, line: CommandLine): Promise<string | undefined> {
  try {
    if (line.type === 'command') return (await handlers[line.name]?.(chat, line.rest)) ?? undefined
    await runShell(chat, line)
  } catch (error) {
    chat.host.stderr.write(`Error: ${oneLine(reasonOf(error))}\n`)
  }
  return undefined
}

type Handler = (chat: Chat, rest: string) => Promise<string | void>

const handlers: Readonly<Record<string, Handler>> = {
  help: async ({ host }) => {
    const { stderr } = host
    const { helpText } = await import('./help-text.ts')
    const text = helpText(stderr.isTTY ? stderr.columns || 80 : undefined)
    stderr.write(text)
  },
  model: async (chat, name) => {
    const { session, settings } = chat.conversation
    // A provider in the name overrides `--provider`.
    const isQualified = providerOfName(providerRows(settings.values), name) !== undefined
    const options = { model: name, ...(isQualified ? { provider: undefined } : {}) }
    if (name !== '') await replaceConversation(chat, options, session?.id)
    chat.host.stderr.write(`Model: ${oneLine(chat.conversation.modelLabel)}\n`)
  },
  new: (chat) => startNewSession(chat),
  sessions: async ({ host, conversation }) => {
    const { noSessionsText, sessionLines } = await import('../sessions/sessions.ts')
    const { base } = conversation.settings
    const project = projectRoot(conversation.info.root)
    const lines = sessionLines({ base, folder: sessionsFolder(base), project }).slice(0, 10)
    await terminalSafeWriter(host.stderr)(lines.join('') || noSessionsText)
  },
  resume: async (chat, text) => {
    const { settings } = chat.conversation
    const { sessionNamed } = await import('../project/project.ts')
    const id = sessionNamed(sessionsFolder(settings.base), text)
    if (id === undefined) throw new Error(`there is no session '${text}': :sessions lists them`)
    await replaceConversation(chat, { session: undefined, continue: false }, id)
    const { history } = chat.conversation
    chat.host.stderr.write(`Session: ${id}\nLoaded ${history.length} previous messages\n`)
  },
  edit: async (chat, text) => {
    const { editInProgram } = await import('./edit-in-program.ts')
    await editInProgram(chat, text)
  },
  undo: async ({ host, conversation }) => {
    const { session, settings, history } = conversation
    if (session === undefined) throw new Error('nothing to undo: --no-save stores no session')
    const { base } = settings
    const folders = {
      sessions: sessionsFolder(base),
      undo: undoFolder(base, session.id),
      id: session.id,
      env: host.env,
    }
    const undone = await undoSession(folders, {}, session)
    history.push({ role: 'user', parts: [{ type: 'text', text: undoNote(undone.files) }] })
    host.stderr.write(undoneLines(undone))
  },
  mcp: async (chat, words) => (await import('./mcp.ts')).runMcp(chat, words),
  handoff: async (chat, goal) => {
    const { draftHandoff } = await import('./handoff.ts')
    const parent = chat.conversation.session?.id
    const draft = await draftHandoff(chat, goal)
    if (draft === undefined) return undefined
    await startNewSession(chat, parent)
    return draft
  },
}

async function startNewSession(chat: Chat, parent?: string): Promise<void> {
  const { provider, model } = chat.conversation.info
  const unchanged = { provider, model, session: undefined, continue: false }
  await replaceConversation(chat, unchanged, undefined, parent)
  const { session } = chat.conversation
  chat.host.stderr.write(session === undefined ? 'New conversation\n' : `Session: ${session.id}\n`)
}

async function replaceConversation(
  chat: Chat,
  options: Parameters<Chat['open']>[0],
  sessionId: string | undefined,
  parent?: string,
): Promise<void> {
  const next = await chat.open(options, sessionId, parent)
  await chat.conversation.close()
  chat.conversation = next
}
