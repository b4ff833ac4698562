// What a proxy needs to know of a JSON-RPC message: which kind it is, its id, and how it went.

import { isObject } from '@zee/core/json'
export type RpcMessage =
  | { kind: 'request'; id: unknown; method: string; text?: string }
  | { kind: 'response'; id: unknown; error?: RpcError; isToolError: boolean }
  /** `cancels` is the id of the request that the sender no longer waits for. */
  | { kind: 'notification'; method: string; cancels?: unknown }

export interface RpcError {
  code: unknown
  message: unknown
}

/** The members of a message that matter, however they were found. */
export interface Envelope {
  id?: unknown
  method?: unknown
  error?: unknown
  hasResult: boolean
  isToolError: boolean
}

/** A request longer than this is known by its id and method only; its parameters are not kept. */
export const maxKeptRequestChars = 256 * 1024

/** What is larger is not held together to be read. */
export const maxMessageBytes = 256 * 1024 * 1024

/** The messages of one line: none when it is not JSON-RPC, several when it is a batch. */
export function messagesIn(line: string): RpcMessage[] {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return []
  }
  if (!Array.isArray(value)) return messageOf(value, () => line) ?? []
  return value.flatMap((each) => messageOf(each, () => JSON.stringify(each)) ?? [])
}

function messageOf(value: unknown, text: () => string): RpcMessage[] | undefined {
  if (!isObject(value)) return undefined
  const message = messageFrom({
    id: value.id,
    method: value.method,
    error: value.error,
    hasResult: value.result !== undefined,
    isToolError: isObject(value.result) && value.result.isError === true,
  })
  if (message === undefined) return undefined
  if (message.kind === 'notification') return [{ ...message, ...cancellationOf(value) }]
  if (message.kind === 'response') return [message]
  const own = text()
  return own.length > maxKeptRequestChars ? [message] : [{ ...message, text: own }]
}

function cancellationOf({ method, params }: Record<string, unknown>): { cancels?: unknown } {
  if (method !== 'notifications/cancelled' || !isObject(params)) return {}
  return { cancels: params.requestId }
}

export function messageFrom(envelope: Envelope): RpcMessage | undefined {
  const { id, method, error } = envelope
  if (typeof method === 'string') {
    return isId(id) ? { kind: 'request', id, method } : { kind: 'notification', method }
  }
  if (!isId(id)) return undefined
  if (isObject(error)) {
    return {
      kind: 'response',
      id,
      error: { code: error.code, message: error.message },
      isToolError: false,
    }
  }
  if (!envelope.hasResult) return undefined
  return { kind: 'response', id, isToolError: envelope.isToolError }
}

/** `1` and `"1"` are different ids. */
export function idKey(id: unknown): string {
  return JSON.stringify(id)
}

function isId(id: unknown): boolean {
  return typeof id === 'string' || typeof id === 'number' || id === null
}
