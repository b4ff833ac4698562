// Calls a service over one connection per request and yields the frames of the answer.
// `chunk`, `tool_start`, `tool_done` and `approval` frames are followed by another one; any other ends
// the answer.
import { ZeeError } from '@zee/core/errors'
import type { Message } from '../wire/wire.ts'
import { encodeFrame } from '../wire/wire.ts'
import type { ServiceConnection } from './connection.ts'
import { connectService, lostCode, stoppingCode, unreachableCode } from './connection.ts'

export type { ServiceConnection } from './connection.ts'
export {
  connectService,
  interruptedCode,
  lostCode,
  notAllowedCode,
  stoppingCode,
  unreachableCode,
} from './connection.ts'
export { controlSocketBeside, restartWaitMs } from './restart-wait.ts'
export { SpareConnection } from './spare-connection.ts'

export interface CallOptions {
  /** Aborts the call; the service sees the connection close. */
  signal?: AbortSignal | undefined
  /** Limit for the complete answer; none by default. */
  deadlineMs?: number | undefined
  /** A connection opened in advance; if it has failed, a new one is made. */
  connection?: Promise<ServiceConnection> | undefined
  /** How long to wait for a service that is being restarted; 0 by default. */
  waitMs?: number | undefined
  /** The request may be sent again when the service dies before it has answered. */
  isRepeatable?: boolean | undefined
}

/** The error for people: a service that cannot be reached must be started. */
export function withStartAdvice(error: unknown): unknown {
  return error instanceof ZeeError && error.code === unreachableCode
    ? new ZeeError(unreachableCode, `${error.message} (start it with 'zino up')`)
    : error
}

const continued: ReadonlySet<unknown> = new Set(['chunk', 'tool_start', 'tool_done', 'approval'])

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
      if (frame.type === 'error' && frame.code === stoppingCode) {
        throw new ZeeError(lostCode, `no complete answer from ${path}: ${String(frame.message)}`)
      }
      const isLast = !continued.has(frame.type)
      if (isLast) connection.closeLater()
      yield frame
      if (isLast) return
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
  try {
    for await (const frame of callService(path, message, options)) return frame
  } catch (error) {
    const isLost = error instanceof ZeeError && error.code === lostCode
    if (!isLost || options.isRepeatable !== true) throw error
    return askService(path, message, { ...options, connection: undefined, isRepeatable: false })
  }
  throw new ZeeError(lostCode, `no answer from ${path}`)
}

async function connectionFor(
  path: string,
  { signal, connection, waitMs }: CallOptions,
): Promise<ServiceConnection> {
  const early = await connection?.catch(() => undefined)
  if (early === undefined) return connectService(path, { signal, waitMs })
  early.watch(signal)
  signal?.throwIfAborted()
  if (early.isOpen) return early
  early.close()
  return connectService(path, { signal, waitMs })
}
