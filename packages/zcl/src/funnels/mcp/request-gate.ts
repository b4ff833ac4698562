// Stands before the server when not every message may go to it at once: a limit of tool calls, or one
// request at a time. Messages are then forwarded whole; without such a wish no gate is used.
import type { ProxyLimits } from './limits.ts'
import type { RpcMessage } from './messages/messages.ts'

/** What comes at once: a line, the body of a request, a message of a WebSocket. */
export interface GatedMessage {
  messages: readonly RpcMessage[]
  /** It may go to the server now. */
  forward(): void
}

export interface GateTarget {
  /** A call of a tool that is one too many; nothing is forwarded from here on. */
  refuse(): void
  pendingRequests(): number
}

export class RequestGate {
  readonly #limits: ProxyLimits
  readonly #target: GateTarget
  #waiting: GatedMessage[] = []
  #toolCalls = 0
  #refusing = false

  constructor(limits: ProxyLimits, target: GateTarget) {
    this.#limits = limits
    this.#target = target
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  take(message: GatedMessage): void {
    if (this.#refusing) return
    const { maxToolCalls } = this.#limits
    this.#toolCalls += message.messages.filter(isToolCall).length
    if (maxToolCalls !== undefined && this.#toolCalls > maxToolCalls) {
      this.#refusing = true
      this.#target.refuse()
      return
    }
    if (this.#canForward(message)) message.forward()
    else this.#waiting.push(message)
  }

  /** To be called when something was answered. */
  release(): void {
    for (let [next] = this.#waiting; next && !this.#mustWait(next); [next] = this.#waiting) {
      this.#waiting.shift()
      next.forward()
    }
  }

  /** What answers the server or calls a request off must not wait behind that very request. */
  #canForward(message: GatedMessage): boolean {
    if (!this.#limits.sequential) return true
    if (message.messages.some(isUrgent)) return true
    return this.#waiting.length === 0 && !this.#mustWait(message)
  }

  #mustWait({ messages }: GatedMessage): boolean {
    if (!messages.some(({ kind }) => kind === 'request')) return false
    return this.#target.pendingRequests() > 0
  }
}

/** Whether these limits need a gate at all. */
export function needsGate({ maxToolCalls, sequential }: ProxyLimits): boolean {
  return maxToolCalls !== undefined || sequential
}

function isToolCall(message: RpcMessage): boolean {
  return message.kind === 'request' && message.method === 'tools/call'
}

function isUrgent(message: RpcMessage): boolean {
  if (message.kind === 'response') return true
  return message.kind === 'notification' && message.cancels !== undefined
}
