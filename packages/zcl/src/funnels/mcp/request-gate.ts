// Stands before the server when not every line may go to it at once: a limit of tool calls, or one
// request at a time. Lines are then forwarded whole; without such a wish no gate is used.
import { LineReader, type ReadLine } from './line-reader.ts'
import type { ProxyLimits } from './proxy-options.ts'

export interface GateTarget {
  /** The line may go to the server now. */
  forward(line: ReadLine & { raw: Buffer }): void
  /** A call of a tool that is one too many; nothing is forwarded from here on. */
  refuse(): void
  openRequests(): number
}

type WholeLine = ReadLine & { raw: Buffer }

export class RequestGate {
  readonly #limits: ProxyLimits
  readonly #target: GateTarget
  readonly #reader: LineReader
  #waiting: WholeLine[] = []
  #toolCalls = 0
  #refusing = false

  constructor(limits: ProxyLimits, target: GateTarget) {
    this.#limits = limits
    this.#target = target
    this.#reader = new LineReader((line) => this.#take(line as WholeLine), { keepsWhole: true })
  }

  push(chunk: Buffer): void {
    this.#reader.push(chunk)
  }

  /** The client has ended; what is waiting still goes out in its turn. */
  end(): void {
    this.#reader.end()
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /** To be called when something was answered. */
  release(): void {
    while (this.#waiting.length > 0 && !this.#mustWait(this.#waiting[0] as WholeLine)) {
      this.#target.forward(this.#waiting.shift() as WholeLine)
    }
  }

  #take(line: WholeLine): void {
    if (this.#refusing) return
    const { maxToolCalls } = this.#limits
    this.#toolCalls += line.messages.filter(isToolCall).length
    if (maxToolCalls !== undefined && this.#toolCalls > maxToolCalls) {
      this.#refusing = true
      this.#target.refuse()
      return
    }
    if (this.#goesAhead(line)) this.#target.forward(line)
    else this.#waiting.push(line)
  }

  /** What answers the server or calls a request off must not wait behind that very request. */
  #goesAhead(line: WholeLine): boolean {
    if (!this.#limits.sequential) return true
    if (line.messages.some(isUrgent)) return true
    return this.#waiting.length === 0 && !this.#mustWait(line)
  }

  #mustWait({ messages }: ReadLine): boolean {
    if (!messages.some(({ kind }) => kind === 'request')) return false
    return this.#target.openRequests() > 0
  }
}

function isToolCall(message: ReadLine['messages'][number]): boolean {
  return message.kind === 'request' && message.method === 'tools/call'
}

function isUrgent(message: ReadLine['messages'][number]): boolean {
  if (message.kind === 'response') return true
  return message.kind === 'notification' && message.cancels !== undefined
}
