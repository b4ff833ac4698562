// What an exchange works with: the client it serves, the upstream it asks, and those who watch.
import type { Socket } from 'node:net'
import type { Clock } from '@zee/core/clock'
import type { FunnelCall } from '../../trace/trace.ts'
import type { Fault } from '../../faults.ts'
import type { AnswerHead } from '../head/head.ts'
import type { Upstream } from '../../funnels.ts'
import type { UpstreamPool } from '../upstream-pool.ts'

/** Sees what passes, without being able to hold it up. */
export interface ExchangeObserver {
  request(content: Buffer): void
  requestEnded(): void
  /** The answer begins. */
  answer(head: AnswerHead): void
  response(content: Buffer): void
  end(): void
}

export interface ExchangeGate {
  /** The body of a request; `forward` sends it on its way. */
  request(body: Buffer, forward: () => void): void
  /** What a client says in a tunnel; `forward` is called for what of it may go. */
  tunnel(chunk: Buffer, forward: (bytes: Buffer) => void): void
}

export interface ExchangeContext {
  upstream: Upstream
  pool: UpstreamPool
  clock: Clock
  faults: readonly Fault[]
  observer?: ExchangeObserver
  /** When the whole request has to be seen before it may go. */
  gate?: ExchangeGate
  /** Names of headers of the request that are kept from the upstream. */
  droppedHeaders?: ReadonlySet<string>
  /** Called once, when the exchange is over in one way or another; `call` tells how it went. */
  onEnd(call: () => FunnelCall): void
}

/** The client's connection, as far as its present request is concerned. */
export interface ClientSide {
  readonly socket: Socket
  /** No request after this one is wanted. */
  readonly isClosing: boolean
  /** Reads no more of the request for now. */
  pauseReading(): void
  resumeReading(): void
  /** From now on everything that comes belongs to this exchange. */
  becomeTunnel(): void
  /** The request is read and its answer written. */
  done(keepsConnection: boolean): void
}
