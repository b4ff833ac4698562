// Pairs the requests of an MCP client with the answers of the server and records one event per pair.
// Requests of the server to the client are not recorded: they are not actions of the agent.
import { cutToBytes } from '@zee/core/bounded'
import type { Clock } from '@zee/core/clock'
import {
  streamPreview,
  type FunnelCall,
  type FunnelWarning,
  type RpcRequest,
} from '../trace/trace.ts'
import type { AnswerFaults } from './faults/faults.ts'
import { idKey, type ReadLine, type RpcMessage } from './messages/messages.ts'

interface PendingRequest {
  request: RpcRequest
  startedAtMs: number
  startedMs: number
  wasCancelled: boolean
  /** Stays open while the session lasts; nothing waits for its answer. */
  isLongLived: boolean
}

type Response = Extract<RpcMessage, { kind: 'response' }>

const namedOps: ReadonlySet<string> = new Set(['initialize', 'tools/list', 'tools/call'])

/** Methods that keep a session going; the agent does not choose to call them. */
const protocolMethod =
  /^(?:server\/discover|ping|subscriptions\/.+|logging\/.+|resources\/(?:un)?subscribe)$/

/** A request of this method is answered when the session ends. */
const longLivedMethod = /^subscriptions\/listen$/

export class Conversation {
  readonly #record: (call: FunnelCall) => void
  readonly #clock: Clock
  /** Pending requests by id; answers to a reused id are matched in order. */
  readonly #open = new Map<string, PendingRequest[]>()
  #pendingCount = 0

  /** Set if faults are injected into the answers. */
  readonly faults: AnswerFaults | undefined

  constructor(record: (call: FunnelCall) => void, clock: Clock, faults?: AnswerFaults) {
    this.#record = record
    this.#clock = clock
    this.faults = faults
  }

  /** Number of unanswered requests that will be answered. */
  get pendingRequests(): number {
    return this.#pendingCount
  }

  fromClient({ messages }: ReadLine): void {
    this.faults?.fromClient(messages)
    for (const message of messages) {
      if (message.kind === 'request') this.#begin(message)
      else if (message.kind === 'notification') this.#noteCancellation(message.cancels)
    }
  }

  fromServer(line: ReadLine): void {
    for (const message of line.messages) {
      if (message.kind === 'response') this.#answer(message, line)
    }
  }

  /** Records every pending request as unanswered; called when the server has ended. */
  end(): void {
    for (const each of [...this.#open.values()].flat()) {
      this.#record({
        ...this.#call(each),
        ok: false,
        code: 'MCP_NO_RESPONSE',
        ...(each.wasCancelled ? { enrichment: { ...methodOf(each), cancelled: true } } : {}),
      })
    }
    this.#open.clear()
    this.#pendingCount = 0
  }

  #begin({ id, method, text }: Extract<RpcMessage, { kind: 'request' }>): void {
    const key = idKey(id)
    const open: PendingRequest = {
      request: text === undefined ? { id, method } : { id, method, text },
      startedAtMs: this.#clock.now().getTime(),
      startedMs: this.#clock.monotonicMs(),
      wasCancelled: false,
      isLongLived: longLivedMethod.test(method),
    }
    const same = this.#open.get(key)
    if (same === undefined) this.#open.set(key, [open])
    else same.push(open)
    if (!open.isLongLived) this.#pendingCount++
  }

  #answer(response: Response, line: ReadLine): void {
    const key = idKey(response.id)
    const same = this.#open.get(key)
    const open = same?.shift()
    if (same === undefined || open === undefined) return
    if (same.length === 0) this.#open.delete(key)
    if (!open.isLongLived) this.#pendingCount--
    const injected = this.faults?.take(response.id) ?? []
    this.#record({
      ...this.#call(open),
      ...verdictOf(response),
      ...(injected.length === 0 ? {} : { enrichment: { ...methodOf(open), injected } }),
      out: streamPreview(line.bytes, line.head),
      ...(response.error === undefined ? {} : { rpcError: response.error }),
    })
  }

  /** The parts of an event that do not depend on the answer. */
  #call(open: PendingRequest): Omit<FunnelCall, 'ok'> {
    const { method } = open.request
    return {
      tool: 'mcp',
      op: namedOps.has(method) ? method : 'unknown',
      startedAtMs: open.startedAtMs,
      durationMs: this.#clock.monotonicMs() - open.startedMs,
      input: { request: open.request },
      ...(namedOps.has(method) ? {} : { enrichment: methodOf(open), warnings: [unknownMethod] }),
    }
  }

  #noteCancellation(id: unknown): void {
    if (id === undefined) return
    for (const open of this.#open.get(idKey(id)) ?? []) open.wasCancelled = true
  }
}

const unknownMethod: FunnelWarning = {
  code: 'ZCL_W_MCP_UNKNOWN_METHOD',
  message: 'a method without an op of its own',
}

function methodOf({ request }: PendingRequest): Record<string, unknown> {
  const { method } = request
  if (namedOps.has(method)) return {}
  const mcpMethod = cutToBytes(method, 1024).text
  return protocolMethod.test(method) ? { mcpMethod, protocol: true } : { mcpMethod }
}

function verdictOf({ error, isToolError }: Response): { ok: boolean; code?: string } {
  if (error !== undefined) return { ok: false, code: `MCP_${codeText(error.code)}` }
  return isToolError ? { ok: false, code: 'MCP_TOOL_ERROR' } : { ok: true }
}

/** The error code as text; anything but a short code becomes `ERROR`. */
function codeText(code: unknown): string {
  const text = typeof code === 'number' || typeof code === 'string' ? String(code) : ''
  return /^[\w.-]{1,40}$/.test(text) ? text : 'ERROR'
}
