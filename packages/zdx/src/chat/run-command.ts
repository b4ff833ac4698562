// Runs the commands of a chat. All output goes to stderr.
import { undoNote, undoSession } from '@zee/agent/undo'
import { oneLine, reasonOf } from '@zee/core/errors'
import { terminalSafeWriter } from '@zee/core/lossless'
import { sessionsFolder, undoFolder } from '../settings/settings.ts'
import type { Chat } from './commands.ts'
import { chatCommands } from './commands.ts'

/** Runs `:command` or `!command`. Prints a failure instead of throwing, so the chat goes on. */
export async function runChatCommand(chat: Chat, line: string): Promise<void> {
  try {
    if (line.startsWith('!')) return await runShell(chat, line.slice(1))
    const [, word = '', rest = ''] = /^:([a-z]+)\s*([\s\S]*)$/.exec(line) ?? []
    await handlers[word]?.(chat, rest)
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
      `${lines.join('')}  ${'!command'.padEnd(width)}  run a shell command and show its output\n` +
        `  ${'@path'.padEnd(width)}  Tab completes file names\n` +
        `  ${'Ctrl+C'.padEnd(width)}  stop the turn; at an empty prompt, or twice, quit\n` +
        '  Pasted lines are sent as one prompt.\n',
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
    const lines = sessionLines(conversation.settings.base).slice(0, 10)
    await terminalSafeWriter(host.stderr)(lines.join('') || noSessionsText)
  },
  undo: async ({ host, conversation }) => {
    const { session, settings, history } = conversation
    if (session === undefined) throw new Error('nothing to undo: --no-save stores no session')
    const { base } = settings
    const folders = {
      sessions: sessionsFolder(base),
      undo: undoFolder(base, session.id),
      id: session.id,
    }
    const { files } = await undoSession(folders, undefined, session)
    history.push({ role: 'user', parts: [{ type: 'text', text: undoNote(files) }] })
    host.stderr.write(files.map((file) => `Restored ${oneLine(file)}\n`).join(''))
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

async function runShell({ host, conversation, interrupts }: Chat, command: string): Promise<void> {
  const { runProcess } = await import('@zee/core/process')
  const write = terminalSafeWriter(host.stderr)
  const result = await runProcess({
    command: 'sh',
    args: ['-c', command],
    cwd: conversation.info.root,
    env: host.env,
    captureBytes: 0,
    signal: interrupts.signal,
    onOutput: (_stream, chunk) => void write(chunk),
  })
  if (result.error !== undefined) throw new Error(result.error)
  if (result.exitCode !== 0) {
    host.stderr.write(`(exit ${result.exitCode ?? result.signal ?? 'unknown'})\n`)
  }
}
