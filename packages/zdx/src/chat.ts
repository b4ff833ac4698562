// The conversation: lines in, answers on stdout, everything else on stderr. With a terminal the lines
// come from an editor, otherwise from the pipe, one prompt a line.
import { latestSession, runTurn } from '@zee/agent'
import type { Call } from '@zee/core/command-line'
import { ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { baseFolder, sessionsFolder } from './base-folder.ts'
import type { LineSource } from './chat-lines.ts'
import { openLines } from './chat-lines.ts'
import type { Globals } from './commands.ts'
import { during } from './context.ts'
import type { Conversation } from './conversation.ts'
import { openConversation } from './conversation.ts'
import type { Interrupts } from './interrupt.ts'
import { listenForInterrupts } from './interrupt.ts'
import { renderTurn } from './render-turn.ts'
import { retryLine } from './retry-line.ts'

export interface ChatCall extends Pick<Call, 'host' | 'args'> {
  globals: Globals
}

export function runChat(call: ChatCall): Promise<number> {
  return chat(call, undefined)
}

/** With an id, that session; without one, the latest. */
export async function runResume(call: ChatCall): Promise<number> {
  const folder = sessionsFolder(baseFolder(call.host.env, call.host.cwd))
  const id = call.args[0] ?? (await during('find latest session id', () => latestSession(folder)))
  if (id === undefined) throw new ZeeError('no_session', 'No sessions found to resume')
  return chat(call, id)
}

async function chat({ host, globals }: ChatCall, sessionId: string | undefined): Promise<number> {
  const interrupts = listenForInterrupts()
  const conversation = await openConversation({
    host,
    globals,
    ...(sessionId === undefined ? {} : { sessionId }),
    onRetry: (wait) => void host.stderr.write(`${retryLine(wait)}\n`),
  })
  greet(host, conversation)
  const lines = await openLines(host, conversation.settings.base, interrupts)
  try {
    return await converse(host, conversation, lines, interrupts)
  } finally {
    lines.close()
    conversation.session?.close()
    conversation.model.close()
    interrupts.stop()
  }
}

function greet(host: Host, conversation: Conversation): void {
  const { modelLabel, session, history, settings, context } = conversation
  const lines = ['ZDX Chat (type :q to quit)', `Model: ${modelLabel}`]
  if (session !== undefined) lines.push(`Session: ${session.id}`)
  if (history.length > 0) lines.push(`Loaded ${history.length} previous messages`)
  for (const warning of [...settings.config.warnings, ...context.warnings]) {
    lines.push(`Warning: ${warning}`)
  }
  if (context.paths.length > 0) {
    lines.push('Loaded AGENTS.md from:', ...context.paths.map((path) => `  - ${path}`))
  }
  host.stderr.write(`${lines.join('\n')}\n`)
}

async function converse(
  host: Host,
  conversation: Conversation,
  lines: LineSource,
  interrupts: Interrupts,
): Promise<number> {
  for (;;) {
    const line = await lines.next()
    if (line === undefined) return interrupts.exitCode() ?? 0
    const prompt = line.trim()
    if (prompt === '') continue
    if (prompt === ':q') {
      host.stderr.write('Goodbye!\n')
      return 0
    }
    if (prompt === ':help') {
      host.stderr.write(chatHelp)
      continue
    }
    const left = new AbortController()
    const signal = AbortSignal.any([interrupts.signal, left.signal])
    const outcome = await renderTurn(runTurn(conversation.turn(prompt, signal)), {
      host,
      abort: () => left.abort(),
    })
    if (outcome.readerGone) return 0
    if (outcome.error !== undefined) host.stderr.write(`Error: ${outcome.error.message}\n`)
    const code = interrupts.exitCode()
    if (code !== undefined && code !== interruptCode) return code
    interrupts.reset()
  }
}

const interruptCode = 130

const chatHelp = `  :q       leave (Ctrl+D does so too)
  :help    this text
  Ctrl+C   stops the turn; at the prompt, or twice, it leaves
  Lines that are pasted together stay together.
`
