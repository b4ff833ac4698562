// Extracts the parts of a JSON-RPC message that a proxy needs: kind, id, method and verdict.
import { isObject } from '@zee/core/json'

export type RpcMessage =
  | { kind: 'request'; id: unknown; method: string; text?: string }
  | { kind: 'response'; id: unknown; error?: RpcError; isToolError: boolean }
  /** `cancels` is the id of the request that the sender cancels. */
  | { kind: 'notification'; method: string; cancels?: unknown }

export interface RpcError {
  code: unknown
  message: unknown
}

/** The relevant members of a message, parsed or scanned. */
export interface Envelope {
  id?: unknown
  method?: unknown
  error?: unknown
  hasResult: boolean
  isToolError: boolean
}

/** Of a longer request only id and method are kept. */
export const maxKeptRequestChars = 256 * 1024

/** Larger messages are not buffered for reading. */
export const maxMessageBytes = 64 * 1024 * 1024

/** The messages of one line: none when it is not JSON-RPC, several in a batch. */
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
