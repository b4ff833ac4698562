// Puts messages between the calls of an attempt: by their place in the log, or else before the first call.
import type { AgentMessage } from '../messages/messages.ts'

export class MessageQueue {
  readonly #messages: readonly AgentMessage[]
  #next = 0

  constructor(messages: readonly AgentMessage[]) {
    this.#messages = messages
  }

  /** The messages before the call with this index that were not returned yet. */
  before(callIndex: number): AgentMessage[] {
    const start = this.#next
    while (this.#next < this.#messages.length) {
      const { afterCalls = 0 } = this.#messages[this.#next] ?? {}
      if (afterCalls > callIndex) break
      this.#next++
    }
    return this.#messages.slice(start, this.#next)
  }
}
