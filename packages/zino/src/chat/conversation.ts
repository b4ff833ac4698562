// The interactive conversation of `zino chat`: each line gets a streamed answer. Lines typed during an
// answer are queued. Ctrl+C interrupts the answer, else clears the line, else exits like Ctrl+D.
import { createInterface } from 'node:readline'
import type { Interface } from 'node:readline'
import { reasonOf } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { askService } from '../client/client.ts'
import { newTurnId } from '../turns/turns.ts'
import { openAnswerWriter } from './answer-writer.ts'
import type { ChatRequest } from './exchange.ts'
import { isInterrupted, printAnswer } from './exchange.ts'

/** Used without `--channel`, so that an interactive conversation always has a history. */
const defaultChannel = 'terminal'
const maxResumes = 5
/** An answer that does not end by then is left. */
const cancelDeadlineMs = 1000

export async function runConversation(
  call: { socket: string; channel: string | undefined },
  host: Host,
): Promise<number> {
  const channel = call.channel ?? defaultChannel
  const { stdin: input, stdout: output, stderr } = host
  const lines = createInterface({ input, output, historySize: 200, prompt: '> ' })
  let answering: Answering | undefined
  lines.on('SIGINT', () => {
    if (answering !== undefined) answering.interrupt()
    else if (lines.line === '') lines.close()
    else clearLine(lines, output)
  })
  stderr.write(`channel ${channel}; Ctrl-C interrupts an answer, Ctrl-D exits\n`)
  for await (const message of typedLines(lines)) {
    if (message.trim() === '') continue
    const turn = newTurnId(host.clock.now())
    answering = new Answering(call.socket, turn)
    const { signal } = answering
    try {
      await answerMessage({ socket: call.socket, turn, message, channel, signal }, host)
    } catch (error) {
      stderr.write(answering.isInterrupted ? '(interrupted)\n' : `zino: ${reasonOf(error)}\n`)
    }
    answering = undefined
  }
  output.write('\n')
  return 0
}

/** Resumes the turn by itself when a service dies during the answer. */
async function answerMessage(
  request: Pick<ChatRequest, 'socket' | 'turn' | 'message' | 'channel' | 'signal'>,
  host: Host,
): Promise<void> {
  const writer = await openAnswerWriter(host)
  for (let attempt = 0; ; attempt += 1) {
    try {
      // The same message again: daemon knows the turn by its id and does not begin it twice.
      await printAnswer(
        { ...request, resumes: false, stream: true, showsTools: true, writer },
        host,
      )
      return
    } catch (error) {
      if (request.signal?.aborted === true || !isInterrupted(error) || attempt >= maxResumes) {
        throw error
      }
      writer.restart()
    }
  }
}

/** The answer being printed. Ctrl-C ends its turn for good, with the scripts it runs. */
class Answering {
  isInterrupted = false
  readonly #abort = new AbortController()
  readonly #socket: string
  readonly #turn: string

  constructor(socket: string, turn: string) {
    this.#socket = socket
    this.#turn = turn
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  interrupt(): void {
    this.isInterrupted = true
    const request = { type: 'cancel', turn: this.#turn }
    askService(this.#socket, request, { deadlineMs: cancelDeadlineMs })
      .catch(() => {})
      .finally(() => this.#abort.abort())
  }
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
