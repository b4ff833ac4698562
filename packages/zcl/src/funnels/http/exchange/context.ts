// The interfaces around an exchange: its client, its upstream, its observer and its gate.
import type { Socket } from 'node:net'
import type { Clock } from '@zee/core/clock'
import type { FunnelCall } from '../../trace/trace.ts'
import type { Fault } from '../../../faults/faults.ts'
import type { AnswerHead } from '../head/head.ts'
import type { Upstream } from '../../funnels.ts'
import type { UpstreamPool } from '../upstream-pool.ts'

/** Observes an exchange; it cannot delay it. */
export interface ExchangeObserver {
  request(content: Buffer): void
  requestEnded(): void
  answer(head: AnswerHead): void
  response(content: Buffer): void
  end(): void
}

/** Decides when a request or tunnelled message may go to the upstream. */
export interface ExchangeGate {
  /** Receives the complete body of a request; `forward` sends the request. */
  request(body: Buffer, forward: () => void): void
  /** Receives bytes of the client in a tunnel; `forward` sends the permitted ones. */
  tunnel(chunk: Buffer, forward: (bytes: Buffer) => void): void
}

/** Changes the body of one answer, or the server's side of a tunnel. */
export interface AnswerRewriter {
  push(content: Buffer): void
  /** Calls `then` when everything is emitted. */
  end(then: () => void): void
}

/** Undefined if the answer passes as it is. `emit` receives what the client gets. */
export type Rewrite = (
  head: AnswerHead,
  emit: (bytes: Buffer) => void,
) => AnswerRewriter | undefined

/** An answer without its headers. */
export interface PlainAnswer {
  status: number
  body: Buffer
}

/** The latest answers by request, for stale ones. */
export type EarlierAnswers = Map<string, PlainAnswer>

export interface ExchangeContext {
  upstream: Upstream
  pool: UpstreamPool
  clock: Clock
  faults: readonly Fault[]
  observer?: ExchangeObserver
  /** Set if faults may repeat earlier answers. */
  earlier?: EarlierAnswers
  /** When set, the complete request is buffered before it is sent. */
  gate?: ExchangeGate
  rewrite?: Rewrite
  /** Lower-case names of request headers that the upstream does not receive. */
  droppedHeaders?: ReadonlySet<string>
  /** Called once at the end of the exchange; `call` builds its trace event. */
  onEnd(call: () => FunnelCall): void
}

/** The client's connection, as seen by the exchange of its current request. */
export interface ClientSide {
  readonly socket: Socket
  /** Whether this is the last request of the connection. */
  readonly isClosing: boolean
  /** Whether the client reached the upstream's own address through CONNECT. */
  readonly isTunnelled: boolean
  pauseReading(): void
  resumeReading(): void
  /** Routes all further bytes to this exchange. */
  becomeTunnel(): void
  /** Called when the request is read and its answer written. */
  done(keepsConnection: boolean): void
}
