// The interactive conversation of `zino chat`: each line gets a streamed answer. Lines typed during an
// answer are queued. Ctrl+C interrupts the answer, else clears the line, else exits like Ctrl+D.
import { createInterface } from 'node:readline'
import type { Interface } from 'node:readline'
import { terminalSafeText } from '@zee/core/colour'
import { reasonOf } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { askService } from '../client/client.ts'
import type { Message } from '../wire/wire.ts'
import { newTurnId } from '../turns/turns.ts'
import { openAnswerWriter } from './answer-writer.ts'
import type { ChatRequest } from './exchange.ts'
import { isInterrupted, printAnswer } from './exchange.ts'

/** Used without `--channel`, so that an interactive conversation always has a history. */
const defaultChannel = 'terminal'
const messagePrompt = '> '
const maxResumes = 5
/** An answer that does not end by then is left. */
const cancelDeadlineMs = 1000

export async function runConversation(
  call: { socket: string; channel: string | undefined },
  host: Host,
): Promise<number> {
  const channel = call.channel ?? defaultChannel
  const { stdin: input, stdout: output, stderr } = host
  const lines = createInterface({ input, output, historySize: 200, prompt: messagePrompt })
  let answering: Answering | undefined
  const typed = new TypedLines(lines)
  lines.on('SIGINT', () => {
    if (answering !== undefined) answering.interrupt()
    else if (lines.line === '') lines.close()
    else clearLine(lines, output)
  })
  stderr.write(`channel ${channel}; Ctrl-C interrupts an answer, Ctrl-D exits\n`)
  for await (const message of typed.messages()) {
    if (message.trim() === '') continue
    const turn = newTurnId(host.clock.now())
    answering = new Answering(call.socket, turn)
    const { signal } = answering
    try {
      const onApproval = (waiting: Message) => askUser(typed, waiting, host)
      const request = { socket: call.socket, turn, message, channel, signal, onApproval }
      await answerMessage(request, host)
    } catch (error) {
      stderr.write(answering.isInterrupted ? '(interrupted)\n' : `zino: ${reasonOf(error)}\n`)
    }
    answering = undefined
    typed.cancelQuestion()
  }
  output.write('\n')
  return 0
}

/** Resumes the turn by itself when a service dies during the answer. */
async function answerMessage(
  request: Pick<ChatRequest, 'socket' | 'turn' | 'message' | 'channel' | 'signal' | 'onApproval'>,
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

/** Shows the code of a call that waits, and takes the next typed line as the answer. */
async function askUser(typed: TypedLines, call: Message, host: Host): Promise<boolean | undefined> {
  const safe = terminalSafeText(host.stderr)
  const code = String(call.code).trimEnd().replaceAll(/^/gm, '    ')
  host.stderr.write(
    safe(`[${String(call.tool)} (${String(call.id)}) waits for approval]\n${code}\n`),
  )
  const answer = await typed.ask('Allow this call? [y/N] ')
  return answer === undefined ? undefined : /^y(es)?$/i.test(answer.trim())
}

/** Typed lines in order: messages, or answers while a question is open. */
class TypedLines {
  readonly #lines: Interface
  readonly #queue: string[] = []
  #isClosed = false
  #notify = () => {}
  #answer: ((line: string | undefined) => void) | undefined

  constructor(lines: Interface) {
    this.#lines = lines
    lines.on('line', (line) => {
      if (this.#answer !== undefined) this.#settle(line)
      else {
        this.#queue.push(line)
        this.#notify()
      }
    })
    lines.on('close', () => {
      this.#isClosed = true
      this.#settle(undefined)
      this.#notify()
    })
  }

  /** Prompts only when the queue is empty. */
  async *messages(): AsyncGenerator<string> {
    while (!this.#isClosed || this.#queue.length > 0) {
      const line = this.#queue.shift()
      if (line !== undefined) {
        yield line
        continue
      }
      this.#lines.setPrompt(messagePrompt)
      this.#lines.prompt()
      await new Promise<void>((resolve) => {
        this.#notify = resolve
      })
    }
  }

  /** Undefined when the input ends or the question is cancelled. */
  ask(question: string): Promise<string | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined)
    this.#settle(undefined)
    this.#lines.setPrompt(question)
    this.#lines.prompt()
    return new Promise((resolve) => {
      this.#answer = resolve
    })
  }

  /** The call was decided elsewhere, or its turn has ended. */
  cancelQuestion(): void {
    this.#settle(undefined)
  }

  #settle(line: string | undefined): void {
    const answer = this.#answer
    this.#answer = undefined
    answer?.(line)
  }
}

/** Sets readline's fields directly: on a dumb terminal no key clears the line. */
function clearLine(lines: Interface, output: NodeJS.WritableStream): void {
  output.write('\n')
  Object.assign(lines, { line: '', cursor: 0 })
  lines.prompt()
}
