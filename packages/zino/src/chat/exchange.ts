// Sends one message to the daemon and prints the answer on stdout as it arrives.
import { terminalSafeText } from '@zee/core/colour'
import { ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { callService, lostCode, unreachableCode } from '../client/client.ts'

export interface ChatRequest {
  socket: string
  message: string
  channel: string | undefined
  stream: boolean
  signal?: AbortSignal | undefined
}

/** Prints the answer and a line break; an error frame or a lost connection throws. */
export async function printAnswer(request: ChatRequest, host: Host): Promise<void> {
  const { socket, message, channel, stream, signal } = request
  const outgoing = { message, stream, channel_id: channel }
  const writer = new AnswerWriter(host.stdout)
  try {
    for await (const frame of callService(socket, outgoing, { signal })) {
      if (frame.type === 'chunk' && typeof frame.delta === 'string') {
        await writer.write(frame.delta)
      } else if (frame.type === 'response' && typeof frame.content === 'string') {
        return await writer.end(frame.content)
      } else if (frame.type === 'done') {
        return await writer.end()
      } else {
        throw new ZeeError('answer', String(frame.message ?? `unexpected packet ${frame.type}`))
      }
    }
    throw new ZeeError(lostCode, `no answer from ${socket}`)
  } catch (error) {
    await writer.endLine()
    throw isUnreachable(error)
      ? new ZeeError(unreachableCode, `${error.message} (start it with 'zino up')`)
      : error
  }
}

function isUnreachable(error: unknown): error is ZeeError {
  return error instanceof ZeeError && error.code === unreachableCode
}

class AnswerWriter {
  readonly #stdout: NodeJS.WriteStream
  #pendingSurrogate = ''
  #isMidLine = false

  constructor(stdout: NodeJS.WriteStream) {
    this.#stdout = stdout
  }

  async write(text: string): Promise<void> {
    const pending = this.#pendingSurrogate + text
    // Half of a surrogate pair would be printed as a replacement character.
    const end = isHighSurrogate(pending.charCodeAt(pending.length - 1))
      ? pending.length - 1
      : pending.length
    this.#pendingSurrogate = pending.slice(end)
    await this.#print(pending.slice(0, end))
  }

  async end(text = ''): Promise<void> {
    const rest = this.#pendingSurrogate
    this.#pendingSurrogate = ''
    await this.#print(`${rest}${text}\n`)
    this.#isMidLine = false
  }

  /** Ends a partial line, so that an error message starts on a fresh one. */
  async endLine(): Promise<void> {
    if (this.#isMidLine) await this.end()
  }

  async #print(text: string): Promise<void> {
    if (text === '') return
    this.#isMidLine = true
    if (this.#stdout.write(terminalSafeText(this.#stdout)(text))) return
    await new Promise<void>((resolve) => this.#stdout.once('drain', resolve))
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
