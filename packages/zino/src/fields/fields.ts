// Reads the fields of a request by type. A field of the wrong type throws a request error, which the
// host sends as an error frame. Null counts as missing.
import { ZeeError } from '@zee/core/errors'
import type { Message } from '../wire/wire.ts'
import { isMessage } from '../wire/wire.ts'
import type { ChatMessage } from './chat-messages.ts'
import { isChatMessage } from './chat-messages.ts'

export type { ChatMessage } from './chat-messages.ts'
export { chatMessages, isChatMessage } from './chat-messages.ts'

export function requestError(message: string): ZeeError {
  return new ZeeError('bad_request', message)
}

export function stringField(message: Message, name: string): string {
  const value = optionalString(message, name)
  if (value === undefined) throw requestError(`${name} is required`)
  return value
}

export function optionalString(message: Message, name: string): string | undefined {
  const value = fieldValue(message, name)
  if (value === undefined || typeof value === 'string') return value
  throw wrongType(name, 'text', value)
}

export function optionalBoolean(message: Message, name: string): boolean | undefined {
  const value = fieldValue(message, name)
  if (value === undefined || typeof value === 'boolean') return value
  throw wrongType(name, 'true or false', value)
}

export function optionalNumber(message: Message, name: string): number | undefined {
  const value = fieldValue(message, name)
  if (value === undefined || typeof value === 'number') return value
  throw wrongType(name, 'a number', value)
}

export function optionalInteger(message: Message, name: string): number | undefined {
  const value = optionalNumber(message, name)
  if (value === undefined || Number.isSafeInteger(value)) return value
  throw wrongType(name, 'a whole number', value)
}

/** A list of objects with a role; their content is not checked. */
export function promptField(message: Message, name: string): Message[] {
  const list = listField(message, name)
  for (const [index, item] of list.entries()) {
    if (isMessage(item) && typeof item.role === 'string') continue
    throw requestError(`${name}[${index}] must be an object with a role`)
  }
  return list as Message[]
}

/** A list of `{role, content}` strings; other keys are dropped. */
export function chatMessagesField(message: Message, name: string): ChatMessage[] {
  return listField(message, name).map((item, index) => {
    if (!isChatMessage(item)) {
      throw requestError(`${name}[${index}] must be {"role": text, "content": text}`)
    }
    return { role: item.role, content: item.content }
  })
}

function listField(message: Message, name: string): unknown[] {
  const value = fieldValue(message, name)
  if (value === undefined) throw requestError(`${name} is required`)
  if (!Array.isArray(value)) throw wrongType(name, 'a list', value)
  return value
}

function fieldValue(message: Message, name: string): unknown {
  const value = Object.hasOwn(message, name) ? message[name] : undefined
  return value === null ? undefined : value
}

function wrongType(name: string, expected: string, value: unknown): ZeeError {
  const actual = Array.isArray(value) ? 'a list' : typeof value
  return requestError(`${name} must be ${expected}, not ${actual}`)
}
