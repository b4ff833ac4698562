// Reads the fields of a request by type. A field of the wrong type throws a request error, which the
// host sends as an error frame. Null counts as missing.
import { parseRfc3339, rfc3339 } from '@zee/core/clock'
import { ZeeError } from '@zee/core/errors'
import type { Message } from '../wire/wire.ts'
import { isMessage } from '../wire/wire.ts'
import type { StoredMessage } from './chat-messages.ts'
import { isChatMessage } from './chat-messages.ts'

export type { ChatMessage, StoredMessage } from './chat-messages.ts'
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

/** The roles of stored messages. */
const storedRoles: ReadonlySet<string> = new Set(['user', 'assistant', 'system', 'tool'])

/**
 * A non-empty list of `{role, content}` with an optional time; other keys are dropped. Only an assistant
 * may say nothing.
 */
export function storedMessagesField(message: Message, name: string, now: string): StoredMessage[] {
  const list = listField(message, name)
  if (list.length === 0) throw requestError(`${name} must not be empty`)
  return list.map((item, index) => {
    const where = `${name}[${index}]`
    if (!isChatMessage(item)) {
      throw requestError(`${where} must be {"role": text, "content": text}`)
    }
    const { role, content } = item
    if (!storedRoles.has(role)) {
      const roles = [...storedRoles].join(', ')
      throw requestError(`${where}: the role must be one of ${roles}, not ${JSON.stringify(role)}`)
    }
    if (content.trim() === '' && role !== 'assistant') {
      throw requestError(`${where}: the content must not be empty`)
    }
    return { role, content, ts: timeField(item as unknown as Message, where) ?? now }
  })
}

function timeField(item: Message, where: string): string | undefined {
  const ts = optionalString(item, 'ts') ?? ''
  if (ts === '') return undefined
  const time = parseRfc3339(ts)
  if (time === undefined) throw requestError(`${where}: ts must be an RFC 3339 time`)
  return rfc3339(time)
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
