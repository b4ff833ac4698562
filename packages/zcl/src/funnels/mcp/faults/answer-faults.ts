// Injects faults into the answers of an MCP server, on every transport. Only answers to `tools/call`
// change, and the frame of JSON-RPC stays valid.
import { isObject, parseObject } from '@zee/core/json'
import { answerFaultOf, delayOf, faultsAt, faultyAnswer } from '../../../faults/faults.ts'
import { withoutAnswerFaults } from '../../../faults/faults.ts'
import type { AnswerFault, Fault, InjectSettings } from '../../../faults/faults.ts'
import { idKey, type RpcMessage } from '../messages/messages.ts'

const injectedError = { code: -32_000, message: 'injected by zcl' }
/** A longer message passes unchanged. */
export const maxFaultyBytes = 16 * 1024 * 1024

/** What the conversations of one proxy share: the n-th call gets the same faults for the same seed. */
export class ProxyFaults {
  readonly #settings: InjectSettings
  readonly #attemptId: string
  /** The last result of each tool. */
  readonly earlier = new Map<string, unknown>()
  #calls = 0

  constructor(settings: InjectSettings, attemptId: string) {
    this.#settings = settings
    this.#attemptId = attemptId
  }

  next(): readonly Fault[] {
    return faultsAt(this.#settings, this.#attemptId, this.#calls++)
  }
}

/** The faults of one conversation, in which the ids of requests are unique. */
export class AnswerFaults {
  readonly #proxy: ProxyFaults
  /** Open `tools/call` requests by id: the name of the tool. */
  readonly #open = new Map<string, string>()
  /** The faults of an answer that is not recorded yet. */
  readonly #injected = new Map<string, readonly Fault[]>()
  #delayed = 0

  constructor(proxy: ProxyFaults) {
    this.#proxy = proxy
  }

  /** Whether a delay holds an answer of the server. */
  get isDelaying(): boolean {
    return this.#delayed > 0
  }

  /** Remembers the tool calls of the client. */
  fromClient(messages: readonly RpcMessage[]): void {
    for (const message of messages) {
      if (message.kind !== 'request' || message.method !== 'tools/call') continue
      const params = parseObject(message.text ?? '')?.params
      this.#open.set(idKey(message.id), isObject(params) ? String(params.name) : '')
    }
  }

  /** The faults of the answer to this request, once. */
  take(id: unknown): readonly Fault[] {
    const faults = this.#injected.get(idKey(id)) ?? []
    this.#injected.delete(idKey(id))
    return faults
  }

  /** A message of the server with its fault, after its delay; undefined if it passes unchanged. */
  async rewrite(text: Buffer): Promise<string | undefined> {
    const message = text.length > maxFaultyBytes ? undefined : parseObject(text.toString('utf8'))
    const key = message === undefined ? '' : idKey(message.id)
    const tool = this.#open.get(key)
    if (message === undefined || tool === undefined || message.method !== undefined) {
      return undefined
    }
    this.#open.delete(key)
    const faults = this.#proxy.next()
    const delayMs = delayOf(faults)
    if (delayMs > 0) await this.#delay(delayMs)
    const answer = this.#answer(message, tool, faults)
    const done = answer === message ? withoutAnswerFaults(faults) : faults
    if (done.length > 0) this.#injected.set(key, done)
    return answer === message ? undefined : JSON.stringify(answer)
  }

  async #delay(ms: number): Promise<void> {
    this.#delayed++
    await new Promise((resolve) => setTimeout(resolve, ms))
    this.#delayed--
  }

  #answer(
    message: Record<string, unknown>,
    tool: string,
    faults: readonly Fault[],
  ): Record<string, unknown> {
    const { jsonrpc, id, result } = message
    const { earlier: results } = this.#proxy
    const earlier = results.get(tool)
    if (result !== undefined) results.set(tool, result)
    if (faults.some(({ kind }) => kind === 'error')) return { jsonrpc, id, error: injectedError }
    const fault = answerFaultOf(faults)
    if (fault === undefined || !isObject(result)) return message
    if (fault === 'stale') return earlier === undefined ? message : { jsonrpc, id, result: earlier }
    return { jsonrpc, id, result: faultyResult(result, fault) }
  }
}

/** The result with faulty texts; structured content would show what they hide. */
function faultyResult(result: Record<string, unknown>, fault: AnswerFault): object {
  const { structuredContent: _, content, ...rest } = result
  const parts = Array.isArray(content) ? (content as unknown[]) : []
  const faulty = parts.map((part) => {
    if (!isObject(part) || typeof part.text !== 'string') return part
    return { ...part, text: faultyAnswer(fault, part.text, undefined) }
  })
  return { ...rest, content: faulty }
}
