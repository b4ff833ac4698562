// Carries out a chat's own commands. Everything they say goes to stderr.
import { undoNote, undoSession } from '@zee/agent/undo'
import { oneLine, reasonOf } from '@zee/core/errors'
import { terminalSafeWriter } from '@zee/core/lossless'
import { sessionsFolder, undoFolder } from '../settings/settings.ts'
import type { Chat } from './commands.ts'
import { chatCommands } from './commands.ts'

/** Failures are told, never thrown: the conversation goes on. */
export async function runChatCommand(chat: Chat, line: string): Promise<void> {
  try {
    if (line.startsWith('!')) return await runShell(chat, line.slice(1))
    const [, word = '', rest = ''] = /^:([a-z]+)\s*([\s\S]*)$/.exec(line) ?? []
    await byWord[word]?.(chat, rest)
  } catch (error) {
    chat.host.stderr.write(`Error: ${oneLine(reasonOf(error))}\n`)
  }
}

const byWord: Readonly<Record<string, (chat: Chat, rest: string) => Promise<void>>> = {
  help: async ({ host }) => {
    const width = Math.max(...[...chatCommands.values()].map(({ usage }) => usage.length))
    const lines = [...chatCommands.values()].map(
      ({ usage, summary }) => `  ${usage.padEnd(width)}  ${summary}\n`,
    )
    host.stderr.write(
      `${lines.join('')}  ${'!command'.padEnd(width)}  run a shell command and show its output\n` +
        `  ${'@path'.padEnd(width)}  Tab completes the names of files\n` +
        `  ${'Ctrl+C'.padEnd(width)}  stops the turn; at an empty prompt, or twice, it leaves\n` +
        '  Lines that are pasted together stay together.\n',
    )
  },
  model: async (chat, name) => {
    if (name !== '') await reopen(chat, { model: name }, chat.conversation.session?.id)
    chat.host.stderr.write(`Model: ${chat.conversation.modelLabel}\n`)
  },
  new: async (chat) => {
    const { provider, model } = chat.conversation.opening
    const same = { provider, model, session: undefined, continue: false }
    await reopen(chat, same, undefined)
    const { session } = chat.conversation
    chat.host.stderr.write(session === undefined ? 'A new start\n' : `Session: ${session.id}\n`)
  },
  sessions: async ({ host, conversation }) => {
    const { noSessions, sessionLines } = await import('../sessions/sessions.ts')
    const lines = sessionLines(conversation.settings.base).slice(0, 10)
    await terminalSafeWriter(host.stderr)(lines.join('') || noSessions)
  },
  undo: async ({ host, conversation }) => {
    const { session, settings, history } = conversation
    if (session === undefined) throw new Error('nothing is kept with --no-save')
    const { base } = settings
    const places = {
      sessions: sessionsFolder(base),
      undo: undoFolder(base, session.id),
      id: session.id,
    }
    const { files } = await undoSession(places, undefined, session)
    history.push({ role: 'user', parts: [{ type: 'text', text: undoNote(files) }] })
    host.stderr.write(files.map((file) => `Restored ${oneLine(file)}\n`).join(''))
  },
  handoff: async ({ host, conversation }, goal) => {
    if (goal === '') throw new Error('say what for, as in :handoff finish the tests')
    const { session, settings, opening } = conversation
    if (session === undefined) throw new Error('nothing is kept with --no-save')
    const { handoffText } = await import('../handoff/handoff.ts')
    const folder = sessionsFolder(settings.base)
    const source = { folder, id: session.id, goal, root: opening.root, env: host.env }
    await terminalSafeWriter(host.stderr)(await handoffText(source))
  },
}

async function reopen(
  chat: Chat,
  changed: Parameters<Chat['open']>[0],
  sessionId: string | undefined,
): Promise<void> {
  const next = await chat.open(changed, sessionId)
  await chat.conversation.close()
  chat.conversation = next
}

async function runShell({ host, conversation, interrupts }: Chat, command: string): Promise<void> {
  const { runProcess } = await import('@zee/core/process')
  const write = terminalSafeWriter(host.stderr)
  const result = await runProcess({
    command: 'sh',
    args: ['-c', command],
    cwd: conversation.opening.root,
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
