// A conversation on a terminal: one line, one answer, streamed; lines typed meanwhile wait their turn.
// Ctrl-C breaks an answer off, else empties the line, else ends the conversation, as Ctrl-D does.
import { createInterface } from 'node:readline'
import type { Interface } from 'node:readline'
import { reasonOf } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { printAnswer } from './exchange.ts'

/** So that a conversation is remembered without being asked to. */
const defaultChannel = 'terminal'

export async function runConversation(
  call: { socket: string; channel: string | undefined },
  host: Host,
): Promise<number> {
  const channel = call.channel ?? defaultChannel
  const { stdin: input, stdout: output, stderr } = host
  const lines = createInterface({ input, output, historySize: 200, prompt: '> ' })
  let answering: AbortController | undefined
  lines.on('SIGINT', () => {
    if (answering !== undefined) answering.abort()
    else if (lines.line === '') lines.close()
    else clearLine(lines, output)
  })
  stderr.write(`channel ${channel}; Ctrl-C breaks an answer off, Ctrl-D ends\n`)
  for await (const message of typedLines(lines)) {
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
  output.write('\n')
  return 0
}

/** Every line in order; the prompt comes only when there is none waiting. */
async function* typedLines(lines: Interface): AsyncGenerator<string> {
  const waiting: string[] = []
  const over = new AbortController()
  let wake = () => {}
  lines.on('line', (line) => {
    waiting.push(line)
    wake()
  })
  lines.on('close', () => {
    over.abort()
    wake()
  })
  while (!over.signal.aborted || waiting.length > 0) {
    const line = waiting.shift()
    if (line !== undefined) {
      yield line
      continue
    }
    lines.prompt()
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  }
}

/** By its fields, since a terminal without abilities has no key for it. */
function clearLine(lines: Interface, output: NodeJS.WritableStream): void {
  output.write('\n')
  Object.assign(lines, { line: '', cursor: 0 })
  lines.prompt()
}
