// Runs the commands of a chat. All output goes to stderr.
import { projectRoot } from '@zee/agent/project'
import { undoNote, undoSession } from '@zee/agent/undo'
import { oneLine, reasonOf } from '@zee/core/errors'
import { terminalSafeWriter } from '@zee/core/lossless'
import { sessionsFolder, undoFolder } from '../settings/settings.ts'
import type { Chat, ChatLine } from './commands.ts'
import { chatCommands } from './commands.ts'
import { undoneLines } from '../sessions/sessions.ts'
import { runShell } from './shell.ts'

type CommandLine = Extract<ChatLine, { type: 'command' | 'shell' }>

/** Runs `:command` or `!command`. Prints a failure instead of throwing, so the chat goes on. */
export async function runChatCommand(chat: Chat, line: CommandLine): Promise<void> {
  try {
    if (line.type === 'shell') await runShell(chat, line)
    else await handlers[line.name]?.(chat, line.rest)
  } catch (error) {
    chat.host.stderr.write(`Error: ${oneLine(reasonOf(error))}\n`)
  }
}

const handlers: Readonly<Record<string, (chat: Chat, rest: string) => Promise<void>>> = {
  help: async ({ host }) => {
    const width = Math.max(...[...chatCommands.values()].map(({ usage }) => usage.length))
    const lines = [...chatCommands.values()].map(
      ({ usage, summary }) => `  ${usage.padEnd(width)}  ${summary}\n`,
    )
    host.stderr.write(
      lines.join('') +
        furtherHelp.map(([what, text]) => `  ${what.padEnd(width)}  ${text}\n`).join(''),
    )
  },
  model: async (chat, name) => {
    if (name !== '') await replaceConversation(chat, { model: name }, chat.conversation.session?.id)
    chat.host.stderr.write(`Model: ${chat.conversation.modelLabel}\n`)
  },
  new: async (chat) => {
    const { provider, model } = chat.conversation.info
    const unchanged = { provider, model, session: undefined, continue: false }
    await replaceConversation(chat, unchanged, undefined)
    const { session } = chat.conversation
    chat.host.stderr.write(
      session === undefined ? 'New conversation\n' : `Session: ${session.id}\n`,
    )
  },
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
  handoff: async ({ host, conversation }, goal) => {
    if (goal === '') throw new Error('add a goal, for example :handoff finish the tests')
    const { session, settings, info } = conversation
    if (session === undefined) throw new Error('nothing to hand off: --no-save stores no session')
    const { handoffText } = await import('../handoff/handoff.ts')
    const folder = sessionsFolder(settings.base)
    const source = { folder, id: session.id, goal, root: info.root, env: host.env }
    await terminalSafeWriter(host.stderr)(await handoffText(source))
  },
}

async function replaceConversation(
  chat: Chat,
  options: Parameters<Chat['open']>[0],
  sessionId: string | undefined,
): Promise<void> {
  const next = await chat.open(options, sessionId)
  await chat.conversation.close()
  chat.conversation = next
}

/** Help beyond the commands. */
const furtherHelp: readonly (readonly [string, string])[] = [
  ['!command', 'run a shell command with this terminal; !!command also shows it to the model'],
  ['@path', 'attach a file, an image or the listing of a folder (Tab completes)'],
  ['::text', 'send a line that begins with a colon'],
  ['Alt+Enter', 'add a line (also a backslash at the end)'],
  ['Ctrl+R', 'search the history'],
  ['Ctrl+C', 'stop the turn; at an empty prompt, or twice, quit'],
]
