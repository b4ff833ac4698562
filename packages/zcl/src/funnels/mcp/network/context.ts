// What the HTTP, WebSocket and TCP proxies share: conversations, idle timer, gate and client count.
import type { ExchangeGate, ExchangeObserver, Rewrite } from '../../http/http.ts'
import type { Conversation } from '../conversation.ts'
import type { NetworkGate } from './gate.ts'

export interface NetworkContext {
  /** Creates a conversation. */
  conversation(): Conversation
  /** Resets the idle timer. */
  touch(): void
  /** Set when limits require a gate. */
  gate: NetworkGate | undefined
  /** Call at the start of a connection or session. */
  clientJoined(): void
  /** Call at its end. */
  clientLeft(): void
}

/** Observer and gate of one request or one upgraded connection. */
export interface Watcher {
  observer: ExchangeObserver
  gate?: ExchangeGate
  rewrite?: Rewrite
}
