// The conversation: lines in, answers on stdout, everything else on stderr. With a terminal the lines
// come from an editor, otherwise from the pipe, one prompt a line.
import { terminalSafeText } from '@zee/core/colour'
import type { Call } from '@zee/core/command-line'
import type { Host } from '@zee/core/exit'
import type { Globals } from '../cli/cli.ts'
import { during } from '../errors/errors.ts'
import type { Conversation, ConversationChoice } from '../conversation/conversation.ts'
import { oneTurn, openConversation, openShown } from '../conversation/conversation.ts'
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

/** With some options changed, in the session of this id or a new one. */
type Choose = (changed: Partial<Globals>, id: string | undefined) => ConversationChoice

/** In the session of this id, or a new one. */
export async function runChat({ host, globals }: ChatCall, sessionId?: string): Promise<number> {
  const interrupts = listenForInterrupts()
  const renderer = await openRenderer(host, globals.format)
  const choose: Choose = (changed, id) => ({
    host,
    globals: { ...globals, ...changed },
    interrupts,
    onRetry: renderer.retry,
    ...(id === undefined ? {} : { sessionId: id }),
  })
  const talk: Chat = {
    host,
    interrupts,
    conversation: await openShown(choose({}, sessionId), renderer),
    open: (changed, id) => openConversation(choose(changed, id)),
  }
  greet(host, talk.conversation)
  await renderer.open(talk.conversation.opening)
  const lines = await openLines(host, talk.conversation, interrupts)
  try {
    const what = sessionId === undefined ? 'interactive chat failed' : 'resume chat failed'
    return await during(what, () => converse(talk, lines, renderer, interrupts))
  } finally {
    lines.close()
    await talk.conversation.close()
    interrupts.stop()
  }
}

function greet(host: Host, { modelLabel, session, history, notes, context }: Conversation): void {
  const lines = ['ZDX Chat (type :q to quit)', `Model: ${modelLabel}`]
  if (session !== undefined) lines.push(`Session: ${session.id}`)
  if (history.length > 0) lines.push(`Loaded ${history.length} previous messages`)
  lines.push(...notes)
  if (context.paths.length > 0) {
    lines.push('Loaded AGENTS.md from:', ...context.paths.map((path) => `  - ${path}`))
  }
  host.stderr.write(terminalSafeText(host.stderr)(`${lines.join('\n')}\n`))
}

async function converse(
  talk: Chat,
  lines: LineSource,
  renderer: Renderer,
  interrupts: Interrupts,
): Promise<number> {
  const { host } = talk
  for (;;) {
    const line = await lines.next()
    if (line === undefined) return leave(renderer, interrupts.exitCode() ?? 0)
    const prompt = line.trim()
    if (prompt === '') continue
    if (prompt === ':q') {
      host.stderr.write('Goodbye!\n')
      return leave(renderer, 0)
    }
    if (isChatCommand(prompt)) {
      await (await import('./run-command.ts')).runChatCommand(talk, prompt)
    } else {
      const outcome = await oneTurn(talk.conversation, prompt, interrupts, renderer)
      if (outcome.error !== undefined) host.stderr.write(`Error: ${outcome.error.message}\n`)
      if (outcome.readerGone) return outcome.error === undefined ? 0 : 1
    }
    const code = interrupts.exitCode()
    if (code !== undefined && code !== interruptCode) return leave(renderer, code)
    interrupts.reset()
  }
}

async function leave(renderer: Renderer, code: number): Promise<number> {
  await renderer.close(code === 0 ? 'done' : 'interrupted', code)
  return code
}

const interruptCode = 130
