// What a service is to its host: handlers by message type, and what to do on reload and stop.
// Services know one another only by socket paths and message types.
import type { Clock } from '@zee/core/clock'
import type { Logger } from '@zee/core/log'
import type { ServiceConnection } from '../client/client.ts'
import type { ZinoConfig } from '../config/config.ts'
import type { Message } from '../wire/wire.ts'

export type { RunningService } from './serve.ts'
export { serve } from './serve.ts'

/** One request being answered. */
export interface Exchange {
  /** Fires when the caller has left or the service must end; whatever runs for it stops then. */
  readonly signal: AbortSignal
  /** Sends a frame; waits while the caller does not read. */
  send(message: object): Promise<void>
  /** Sends text of a streamed answer; deltas that come together become one chunk. */
  chunk(delta: string): Promise<void>
  /** The connection to the service's neighbour that was begun with the caller's; given once. */
  takeConnection(): Promise<ServiceConnection> | undefined
}

/** Returns the last frame of the answer, or nothing when it has sent that itself. */
export type Handler = (
  message: Message,
  exchange: Exchange,
) => object | undefined | Promise<object | undefined>

export interface Service {
  /** By `type`; `ping` comes with the host. A handler that throws becomes an error frame. */
  handlers: ReadonlyMap<string, Handler>
  /** For frames without a `type`, where those are requests. */
  untyped?: Handler
  /** Socket of the service that nearly every request asks first: connected to with each caller. */
  preconnect?: string
  /** How long running requests may go on after the signal to stop; 2.3 s unless given. */
  drainMs?: number
  /** On SIGHUP: read files again. */
  reload?(): void | Promise<void>
  /** After the last request. */
  close?(): void | Promise<void>
}

/** What a service is made from; nothing in it reads the outside any other way. */
export interface ServiceContext {
  config: ZinoConfig
  log: Logger
  clock: Clock
  env: Readonly<Record<string, string | undefined>>
}

export type StartService = (context: ServiceContext) => Service | Promise<Service>

/** Handlers by type from a plain table; names like `__proto__` find nothing in the result. */
export function handlersOf(table: Readonly<Record<string, Handler>>): ReadonlyMap<string, Handler> {
  return new Map(Object.entries(table))
}
