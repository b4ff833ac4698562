// Calls a service over one connection per request and yields the frames of the answer.
// Only `chunk` frames are followed by another one: the first other frame ends the answer.
import { ZeeError } from '@zee/core/errors'
import type { Message } from '../wire/wire.ts'
import { encodeFrame } from '../wire/wire.ts'
import type { ServiceConnection } from './connection.ts'
import { lostCode, connectService } from './connection.ts'

export type { ServiceConnection } from './connection.ts'
export { lostCode, connectService, unreachableCode } from './connection.ts'
export { SpareConnection } from './spare-connection.ts'

export interface CallOptions {
  /** Aborts the call; the service sees the connection close. */
  signal?: AbortSignal | undefined
  /** Limit for the complete answer; none by default. */
  deadlineMs?: number | undefined
  /** A connection opened in advance; if it has failed, a new one is made. */
  connection?: Promise<ServiceConnection> | undefined
}

/** Sends one request and yields the frames of its answer, the last one included. */
export async function* callService(
  path: string,
  message: object,
  options: CallOptions = {},
): AsyncGenerator<Message, void> {
  const connection = await connectionFor(path, options)
  try {
    connection.send(encodeFrame(message), options.deadlineMs)
    for (;;) {
      const frame = await connection.next()
      yield frame
      if (frame.type !== 'chunk') return
    }
  } finally {
    connection.close()
  }
}

/** The first frame of the answer to a request that has only one. */
export async function askService(
  path: string,
  message: object,
  options: CallOptions = {},
): Promise<Message> {
  for await (const frame of callService(path, message, options)) return frame
  throw new ZeeError(lostCode, `no answer from ${path}`)
}

async function connectionFor(
  path: string,
  { signal, connection }: CallOptions,
): Promise<ServiceConnection> {
  const early = await connection?.catch(() => undefined)
  if (early === undefined) return connectService(path, signal)
  early.watch(signal)
  signal?.throwIfAborted()
  if (early.isOpen) return early
  early.close()
  return connectService(path, signal)
}
