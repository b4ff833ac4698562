// An engine that forwards requests to a shared server on a Unix socket. If the server goes away, it falls
// back to an engine in this process.
import { realpathSync } from 'node:fs'
import { createConnection } from 'node:net'
import type { Socket } from 'node:net'
import { ZeeError } from '@zee/core/errors'
import type { Engine, Result } from '../engine/engine.ts'
import { requestLines } from '../protocol/protocol.ts'
import { isOwnSocket } from './shared-server.ts'
import { isObject } from '@zee/core/json'

/** Limit for one answer line (1 GiB). */
const maxAnswerBytes = 1024 * 1024 * 1024
const connectTimeoutMs = 2000

interface SharedRequest {
  op: string
  args: object
  call_id?: string
}

type Reply = { ok: true; result: Result } | { ok: false; message: string }

/** Returns undefined unless a server of this user listens on `file` and serves this root. */
export async function connectEngine(
  file: string,
  root: string,
  openLocal: () => Engine,
): Promise<Engine | undefined> {
  const connection = await Connection.open(file)
  if (connection === undefined) return undefined
  const real = realRoot(root)
  const reply =
    real === undefined ? undefined : await connection.send({ op: 'stat', args: { path: real } })
  const items = reply?.ok === true ? reply.result.items : undefined
  const isSameRoot = Array.isArray(items) && isObject(items[0]) && items[0].path === '.'
  if (isSameRoot) return sharedEngine(connection, openLocal)
  connection.close()
  return undefined
}

function sharedEngine(connection: Connection, openLocal: () => Engine): Engine {
  let local: Engine | undefined
  return {
    hasOwnTrace: true,
    async run(op, args, signal, callId) {
      const call = callId === undefined ? {} : { call_id: callId }
      const request = { op, args, ...call }
      const reply = local === undefined ? await connection.send(request, signal) : undefined
      if (signal?.aborted === true) throw new ZeeError('aborted', 'the request was cancelled')
      if (reply === undefined) return (local ??= openLocal()).run(op, args, signal)
      if (reply.ok) return reply.result
      throw new ZeeError('shared', reply.message)
    },
    async close() {
      connection.close()
      await local?.close()
    },
  }
}

function realRoot(root: string): string | undefined {
  try {
    return realpathSync.native(root)
  } catch {
    return undefined
  }
}

class Connection {
  readonly #socket: Socket
  readonly #lines: AsyncGenerator<{ bytes: Buffer } | { tooLong: number }>
  #number = 0
  #last: Promise<unknown> = Promise.resolve()

  static async open(file: string): Promise<Connection | undefined> {
    if (!isOwnSocket(file)) return undefined
    const socket = createConnection(file)
    const connected = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), connectTimeoutMs)
      const settle = (ok: boolean): void => {
        clearTimeout(timer)
        resolve(ok)
      }
      socket.once('connect', () => settle(true))
      socket.once('error', () => settle(false))
    })
    if (connected) return new Connection(socket)
    socket.destroy()
    return undefined
  }

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('error', () => socket.destroy())
    this.#lines = requestLines(socket, maxAnswerBytes)
  }

  /** Sends a request after all earlier ones are answered; undefined if the server has gone away. */
  send(request: SharedRequest, signal?: AbortSignal): Promise<Reply | undefined> {
    const reply = this.#last.then(() => this.#sendNow(request, signal))
    this.#last = reply.catch(() => undefined)
    return reply
  }

  close(): void {
    this.#socket.destroy()
  }

  async #sendNow(request: SharedRequest, signal?: AbortSignal): Promise<Reply | undefined> {
    if (this.#socket.destroyed) return undefined
    // Closing the connection cancels the request on the server.
    const hangUp = (): void => void this.#socket.destroy()
    signal?.addEventListener('abort', hangUp)
    try {
      this.#socket.write(`${JSON.stringify({ id: ++this.#number, ...request })}\n`)
      const line = await this.#lines.next()
      if (line.done === true || !('bytes' in line.value)) return undefined
      return parseReply(JSON.parse(line.value.bytes.toString()))
    } catch {
      this.#socket.destroy()
      return undefined
    } finally {
      signal?.removeEventListener('abort', hangUp)
    }
  }
}

function parseReply(answer: unknown): Reply | undefined {
  if (!isObject(answer)) return undefined
  if (answer.ok === true) return { ok: true, result: answer.result as Result }
  const { error } = answer
  return { ok: false, message: isObject(error) ? String(error.message) : 'unknown error' }
}
