// The interface between a service and its host: handlers by message type, reload and close hooks.
// Services know each other only by socket path and message type.
import type { Clock } from '@zee/core/clock'
import type { Logger } from '@zee/core/log'
import type { ServiceConnection } from '../client/client.ts'
import type { ZinoConfig } from '../config/config.ts'
import type { Message } from '../wire/wire.ts'

export type { RunningService } from './serve.ts'
export { serve } from './serve.ts'

/** One request being answered. */
export interface Exchange {
  /** Fires when the caller disconnects or the service stops; all work for the request must stop. */
  readonly signal: AbortSignal
  /** Sends a frame; waits while the caller does not read. */
  send(message: object): Promise<void>
  /** Sends streamed text; deltas of the same event-loop tick are merged into one chunk. */
  chunk(delta: string): Promise<void>
  /** Adds these fields to every frame of the answer from now on. */
  stamp(fields: Readonly<Record<string, unknown>>): void
  /** Calls back once, with whether the last frame of the answer has reached the caller's socket. */
  onLastSent(callback: (isSent: boolean) => void): void
  /** The connection opened for `preconnect`; undefined after the first call. */
  takeConnection(): Promise<ServiceConnection> | undefined
}

/** Returns the last frame of the answer, or undefined when the handler has sent it. */
export type Handler = (
  message: Message,
  exchange: Exchange,
) => object | undefined | Promise<object | undefined>

export interface Service {
  /** Handlers by `type`; the host answers `ping` and turns a thrown error into an error frame. */
  handlers: ReadonlyMap<string, Handler>
  /** Handles frames without a `type`. */
  untyped?: Handler
  /** Socket path that the host connects to in advance for each caller. */
  preconnect?: string
  /**
   * Requests call other programs and pass their signal on. The host creates it before the request arrives: that
   * takes 30 us.
   */
  needsSignal?: boolean
  /** Time for running requests to finish after the stop signal; 1.6 s by default. */
  drainMs?: number
  /** Called at every ping: the supervisor pings a service every 2 s. */
  onPing?(): void
  /** Called on SIGHUP: rereads files. */
  reload?(): void | Promise<void>
  /** Called after the last request. */
  close?(): void | Promise<void>
}

/** Everything a service may read from its surroundings. */
export interface ServiceContext {
  config: ZinoConfig
  log: Logger
  clock: Clock
  env: Readonly<Record<string, string | undefined>>
  /** The file that the configuration was read from. */
  configFile?: string | undefined
  /** Ends the process with exit code 1 after a moment, in which pending answers leave. */
  exit?: (reason: string) => void
  /** Whether a supervisor pings the service every 2 s. */
  isSupervised?: boolean
  /** Whether the service is being stopped only to be started again, so that its work may go on. */
  isRestarting?: () => boolean
}

export type StartService = (context: ServiceContext) => Service | Promise<Service>

/** Handlers by type; a lookup of `__proto__` finds nothing. */
export function handlersOf(table: Readonly<Record<string, Handler>>): ReadonlyMap<string, Handler> {
  return new Map(Object.entries(table))
}
