// A connection to the Codex app server: JSON-RPC messages, one per line, over standard streams.
import { LineSplitter } from '@zee/core/line-splitter'
import { parseObject } from '@zee/core/json'
import type { RunningProcess } from '@zee/core/process'

export type Message = Readonly<Record<string, unknown>>

const maxLineBytes = 64 * 1024 * 1024

export interface ServerHandlers {
  notification(method: string, params: Message): void
  /** The result of a request of the server; undefined for an unknown method. */
  request(method: string, params: Message): object | undefined
}

export class AppServer {
  readonly #process: RunningProcess
  readonly #waiting = new Map<number, (answer: Message | undefined) => void>()
  #nextId = 1
  #hasEnded = false

  constructor(process: RunningProcess, handlers: ServerHandlers) {
    this.#process = process
    const lines = new LineSplitter(maxLineBytes, {
      line: (bytes, start, end) => {
        const message = parseObject(bytes.toString('utf8', start, end))
        if (message !== undefined) this.#receive(message, handlers)
        return true
      },
      tooLong: () => true,
    })
    process.stdout?.on('data', (chunk: Buffer) => void lines.push(chunk))
    process.stdin?.on('error', () => {})
    void process.exited.then(() => {
      this.#hasEnded = true
      for (const resolve of this.#waiting.values()) resolve(undefined)
    })
  }

  /** The answer with `result` or `error`; undefined if the server ended. */
  request(method: string, params: object): Promise<Message | undefined> {
    if (this.#hasEnded) return Promise.resolve(undefined)
    const id = this.#nextId++
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#send({ id, method, params })
    })
  }

  notify(method: string): void {
    this.#send({ method })
  }

  #receive(message: Message, handlers: ServerHandlers): void {
    const { id, method } = message
    const params = (message.params ?? {}) as Message
    if (typeof method !== 'string') {
      const resolve = this.#waiting.get(Number(id))
      this.#waiting.delete(Number(id))
      resolve?.(message)
    } else if (id === undefined) handlers.notification(method, params)
    else this.#reply(id, handlers.request(method, params))
  }

  #reply(id: unknown, result: object | undefined): void {
    if (result !== undefined) this.#send({ id, result })
    else this.#send({ id, error: { code: -32601, message: 'zcl does not know this request' } })
  }

  #send(message: object): void {
    this.#process.stdin?.write(`${JSON.stringify(message)}\n`)
  }
}
