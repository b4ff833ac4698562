// One message to the daemon and its answer on stdout, as it comes.
import { terminalSafeText } from '@zee/core/colour'
import { ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { callService, lostCode, unreachableCode } from '../client/client.ts'

export interface ChatRequest {
  socket: string
  message: string
  channel: string | undefined
  stream: boolean
  signal?: AbortSignal
}

/** Prints the answer and a line break; an error packet or a lost connection throws. */
export async function printAnswer(request: ChatRequest, host: Host): Promise<void> {
  const { socket, message, channel, stream, signal } = request
  const packet = { message, stream, ...(channel === undefined ? {} : { channel_id: channel }) }
  const screen = new AnswerWriter(host.stdout)
  try {
    for await (const frame of callService(socket, packet, { signal })) {
      if (frame.type === 'chunk' && typeof frame.delta === 'string') {
        await screen.write(frame.delta)
      } else if (frame.type === 'response' && typeof frame.content === 'string') {
        return await screen.end(frame.content)
      } else if (frame.type === 'done') {
        return await screen.end()
      } else {
        throw new ZeeError('answer', String(frame.message ?? `unexpected packet ${frame.type}`))
      }
    }
    throw new ZeeError(lostCode, `no answer from ${socket}`)
  } catch (error) {
    await screen.endLine()
    throw isUnreachable(error)
      ? new ZeeError(unreachableCode, `${error.message} (zino up starts it)`)
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
    const whole = this.#pendingSurrogate + text
    // Half of a surrogate pair would be printed as a replacement character.
    const cut = isHighSurrogate(whole.charCodeAt(whole.length - 1))
      ? whole.length - 1
      : whole.length
    this.#pendingSurrogate = whole.slice(cut)
    await this.#print(whole.slice(0, cut))
  }

  async end(text = ''): Promise<void> {
    const rest = this.#pendingSurrogate
    this.#pendingSurrogate = ''
    await this.#print(`${rest}${text}\n`)
    this.#isMidLine = false
  }

  /** An error message must not stand behind half a line. */
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
