// Holds messages back from the server: enforces the limit of tool calls and sequential requests. Complete
// messages are forwarded. Proxies without these limits use no gate.
import type { ProxyLimits } from './limits.ts'
import type { RpcMessage } from './messages/messages.ts'

/** One unit of input: a line, a request body, or a WebSocket message. */
export interface GatedMessage {
  messages: readonly RpcMessage[]
  /** Sends it to the server. */
  forward(): void
}

export interface GateTarget {
  /** Called at the first tool call above the limit; nothing is forwarded afterwards. */
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

  /** Forwards waiting messages; called after each answer. */
  release(): void {
    for (let [next] = this.#waiting; next && !this.#mustWait(next); [next] = this.#waiting) {
      this.#waiting.shift()
      next.forward()
    }
  }

  /** Responses and cancellations are never held back: the pending request may depend on them. */
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

/** Whether these limits need a gate. */
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
