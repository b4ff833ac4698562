// One message to the daemon and its answer on stdout, as it comes.
import { terminalSafeText } from '@zee/core/colour'
import { ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { callService, lost, unreachable } from '../client/client.ts'

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
  const screen = new Screen(host.stdout)
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
    throw new ZeeError(lost, `no answer from ${socket}`)
  } catch (error) {
    await screen.breakOff()
    throw isAway(error) ? new ZeeError(unreachable, `${error.message} (zino up starts it)`) : error
  }
}

function isAway(error: unknown): error is ZeeError {
  return error instanceof ZeeError && error.code === unreachable
}

class Screen {
  readonly #stdout: NodeJS.WriteStream
  #held = ''
  #dirty = false

  constructor(stdout: NodeJS.WriteStream) {
    this.#stdout = stdout
  }

  async write(text: string): Promise<void> {
    const whole = this.#held + text
    // Half of a surrogate pair would be printed as a replacement character.
    const cut = isHighSurrogate(whole.charCodeAt(whole.length - 1))
      ? whole.length - 1
      : whole.length
    this.#held = whole.slice(cut)
    await this.#put(whole.slice(0, cut))
  }

  async end(text = ''): Promise<void> {
    const rest = this.#held
    this.#held = ''
    await this.#put(`${rest}${text}\n`)
    this.#dirty = false
  }

  /** An error message must not stand behind half a line. */
  async breakOff(): Promise<void> {
    if (this.#dirty) await this.end()
  }

  async #put(text: string): Promise<void> {
    if (text === '') return
    this.#dirty = true
    if (this.#stdout.write(terminalSafeText(this.#stdout)(text))) return
    await new Promise<void>((resolve) => this.#stdout.once('drain', resolve))
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
