// A conversation on a terminal: one line, one answer, streamed. Ctrl-C breaks an answer off or, at
// the prompt, ends the conversation, as Ctrl-D does.
import { createInterface } from 'node:readline/promises'
import { reasonOf } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { printAnswer } from './exchange.ts'

/** So that a conversation is remembered without being asked to. */
const defaultChannel = 'terminal'

export async function talk(
  call: { socket: string; channel: string | undefined },
  host: Host,
): Promise<number> {
  const channel = call.channel ?? defaultChannel
  const { stdin: input, stdout: output, stderr } = host
  const lines = createInterface({ input, output, historySize: 200 })
  const over = new AbortController()
  let answering: AbortController | undefined
  lines.on('SIGINT', () => {
    if (answering === undefined) output.write('\n')
    ;(answering ?? over).abort()
  })
  lines.on('close', () => over.abort())
  stderr.write(`channel ${channel}; Ctrl-C breaks an answer off, Ctrl-D ends\n`)
  while (!over.signal.aborted) {
    const message = await lines.question('> ', { signal: over.signal }).catch(() => undefined)
    if (message === undefined) break
    if (message.trim() === '') continue
    answering = new AbortController()
    const { signal } = answering
    try {
      await printAnswer({ socket: call.socket, message, channel, stream: true, signal }, host)
    } catch (error) {
      stderr.write(signal.aborted ? '(broken off)\n' : `zino: ${reasonOf(error)}\n`)
    }
    answering = undefined
  }
  lines.close()
  return 0
}
