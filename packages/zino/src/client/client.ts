// Calling a service: one connection for each request, its frames as an async iterable.
// `chunk` is the only packet that is not the last one of an answer, so the first other one ends it.
import { ZeeError } from '@zee/core/errors'
import type { Message } from '../wire/wire.ts'
import { encodeFrame } from '../wire/wire.ts'
import type { ServiceConnection } from './connection.ts'
import { lostCode, connectService } from './connection.ts'

export type { ServiceConnection } from './connection.ts'
export { lostCode, connectService, unreachableCode } from './connection.ts'
export { SpareConnection } from './spare-connection.ts'

export interface CallOptions {
  /** Gives the call up; the other side sees the connection close. */
  signal?: AbortSignal | undefined
  /** How long the whole answer may take; no limit unless given. */
  deadlineMs?: number
  /** A connection begun before the request was ready; one that failed meanwhile is replaced. */
  connection?: Promise<ServiceConnection> | undefined
}

/** Sends one request and yields the frames of its answer, the last one included. */
export async function* callService(
  path: string,
  message: object,
  options: CallOptions = {},
): AsyncGenerator<Message, void> {
  const line = await connectionFor(path, options)
  try {
    line.send(encodeFrame(message), options.deadlineMs)
    for (;;) {
      const frame = await line.next()
      yield frame
      if (frame.type !== 'chunk') return
    }
  } finally {
    line.close()
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
