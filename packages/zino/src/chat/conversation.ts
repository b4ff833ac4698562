// The interactive conversation of `zino chat`: each line gets a streamed answer. Lines typed during an
// answer are queued. Ctrl+C interrupts the answer, else clears the line, else exits like Ctrl+D.
import { createInterface } from 'node:readline'
import type { Interface } from 'node:readline'
import { reasonOf } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { printAnswer } from './exchange.ts'

/** Used without `--channel`, so that an interactive conversation always has a history. */
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
  stderr.write(`channel ${channel}; Ctrl-C interrupts an answer, Ctrl-D exits\n`)
  for await (const message of typedLines(lines)) {
    if (message.trim() === '') continue
    answering = new AbortController()
    const { signal } = answering
    try {
      await printAnswer({ socket: call.socket, message, channel, stream: true, signal }, host)
    } catch (error) {
      stderr.write(signal.aborted ? '(interrupted)\n' : `zino: ${reasonOf(error)}\n`)
    }
    answering = undefined
  }
  output.write('\n')
  return 0
}

/** Yields the lines in order; prompts only when the queue is empty. */
async function* typedLines(lines: Interface): AsyncGenerator<string> {
  const queue: string[] = []
  const closed = new AbortController()
  let notify = () => {}
  lines.on('line', (line) => {
    queue.push(line)
    notify()
  })
  lines.on('close', () => {
    closed.abort()
    notify()
  })
  while (!closed.signal.aborted || queue.length > 0) {
    const line = queue.shift()
    if (line !== undefined) {
      yield line
      continue
    }
    lines.prompt()
    await new Promise<void>((resolve) => {
      notify = resolve
    })
  }
}

/** Sets readline's fields directly: on a dumb terminal no key clears the line. */
function clearLine(lines: Interface, output: NodeJS.WritableStream): void {
  output.write('\n')
  Object.assign(lines, { line: '', cursor: 0 })
  lines.prompt()
}
