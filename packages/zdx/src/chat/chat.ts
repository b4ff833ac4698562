// `zdx` without a command: an interactive conversation. Answers go to stdout, everything else to stderr.
// Prompts come from a line editor on a terminal, otherwise from the pipe, one per line.
import { terminalSafeText } from '@zee/core/colour'
import type { Call } from '@zee/core/command-line'
import type { Host } from '@zee/core/exit'
import type { Globals } from '../cli/cli.ts'
import { withErrorContext } from '../errors/errors.ts'
import type { Conversation, ConversationOptions } from '../conversation/conversation.ts'
import { renderTurn, openConversation, openWithRenderer } from '../conversation/conversation.ts'
import type { Interrupts } from '../interrupt/interrupt.ts'
import { listenForInterrupts } from '../interrupt/interrupt.ts'
import type { Renderer } from '../render/render.ts'
import { openRenderer } from '../render/render.ts'
import { isChatCommand, type Chat } from './commands.ts'
import type { LineSource } from './lines.ts'
import { openLines } from './lines.ts'

export interface ChatCall extends Pick<Call, 'host'> {
  globals: Globals
}

/** The options of a conversation with some globals changed; without an id it starts a new session. */
type ChooseOptions = (changed: Partial<Globals>, id: string | undefined) => ConversationOptions

/** Runs a chat in the session `sessionId`, or in a new one. */
export async function runChat({ host, globals }: ChatCall, sessionId?: string): Promise<number> {
  const interrupts = listenForInterrupts()
  const renderer = await openRenderer(host, globals.format)
  const choose: ChooseOptions = (changed, id) => ({
    host,
    globals: { ...globals, ...changed },
    interrupts,
    onRetry: renderer.retry,
    sessionId: id,
  })
  const chat: Chat = {
    host,
    interrupts,
    conversation: await openWithRenderer(choose({}, sessionId), renderer),
    open: (changed, id) => openConversation(choose(changed, id)),
  }
  printGreeting(host, chat.conversation)
  await renderer.open(chat.conversation.info)
  const lines = await openLines(host, chat.conversation, interrupts)
  try {
    const what = sessionId === undefined ? 'interactive chat failed' : 'resume chat failed'
    return await withErrorContext(what, () => runLoop(chat, lines, renderer, interrupts))
  } finally {
    lines.close()
    await chat.conversation.close()
    interrupts.stop()
  }
}

function printGreeting(
  host: Host,
  { modelLabel, session, history, notes, context }: Conversation,
): void {
  const lines = ['ZDX Chat (type :q to quit)', `Model: ${modelLabel}`]
  if (session !== undefined) lines.push(`Session: ${session.id}`)
  if (history.length > 0) lines.push(`Loaded ${history.length} previous messages`)
  lines.push(...notes)
  if (context.paths.length > 0) {
    lines.push('Loaded AGENTS.md from:', ...context.paths.map((path) => `  - ${path}`))
  }
  host.stderr.write(terminalSafeText(host.stderr)(`${lines.join('\n')}\n`))
}

async function runLoop(
  chat: Chat,
  lines: LineSource,
  renderer: Renderer,
  interrupts: Interrupts,
): Promise<number> {
  const { host } = chat
  for (;;) {
    const line = await lines.next()
    if (line === undefined) return closeRenderer(renderer, interrupts.exitCode() ?? 0)
    const prompt = line.trim()
    if (prompt === '') continue
    if (prompt === ':q') {
      host.stderr.write('Goodbye!\n')
      return closeRenderer(renderer, 0)
    }
    if (isChatCommand(prompt)) {
      await (await import('./run-command.ts')).runChatCommand(chat, prompt)
    } else {
      const outcome = await renderTurn(chat.conversation, prompt, interrupts, renderer)
      if (outcome.error !== undefined) host.stderr.write(`Error: ${outcome.error.message}\n`)
      if (outcome.isStdoutClosed) return outcome.error === undefined ? 0 : 1
    }
    const code = interrupts.exitCode()
    if (code !== undefined && code !== sigintExitCode) return closeRenderer(renderer, code)
    interrupts.reset()
  }
}

async function closeRenderer(renderer: Renderer, code: number): Promise<number> {
  await renderer.close(code === 0 ? 'done' : 'interrupted', code)
  return code
}

const sigintExitCode = 130
