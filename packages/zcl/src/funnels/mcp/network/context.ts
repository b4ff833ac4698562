// What every kind of network has in common for those who follow its conversations.
import type { ExchangeGate, ExchangeObserver } from '../../http/http.ts'
import type { Conversation } from '../conversation.ts'
import type { NetworkGate } from './gate.ts'

export interface NetworkContext {
  /** A new one. */
  conversation(): Conversation
  /** Something was said. */
  touch(): void
  /** Stands before the server, if anything does. */
  gate: NetworkGate | undefined
  /** A connection or a session has begun. */
  clientJoined(): void
  /** It has ended. */
  clientLeft(): void
}

/** What follows one request or one upgraded connection. */
export interface Watcher {
  observer: ExchangeObserver
  gate?: ExchangeGate
}
