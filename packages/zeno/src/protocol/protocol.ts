// Parses one input line into a request. Invalid JSON, JSON that is not an object, invalid UTF-8 and
// excessive nesting produce an error answer; they never stop the server.
import { isUtf8 } from 'node:buffer'
import { oneLine } from '@zee/core/errors'
import { isObject } from '@zee/core/json'

export { requestLines } from './lines.ts'
export type { RequestLine } from './lines.ts'
export { argumentSchema, operations, unknownArguments } from './operations.ts'
export type { ArgumentSchema, Operation } from './operations.ts'

export interface Request {
  id: unknown
  op: unknown
  /** `{}` if the client omitted them or sent an empty value. */
  args: unknown
  /** The sub-call of the agent that sent the request. */
  callId?: string
  /** The token of the client, for servers with `--tokens`. It is in no trace. */
  token?: string
}

/** A line that cannot be served. `id` is the client's if it could be parsed, otherwise null. */
export interface BadRequest {
  id: unknown
  problem: string
  /** Set if the request could be read, so that the trace can show it. */
  op?: unknown
  args?: unknown
}

// JSON.stringify recurses: deeper values can overflow the stack when the id or args are written back.
const maxLevels = 1000

/** Returns undefined for a blank line, which gets no answer. */
export function parseRequest(line: Buffer): Request | BadRequest | undefined {
  const text = line.toString('utf8').trim()
  if (text === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const problem = isUtf8(line) ? oneLine((error as Error).message) : notUtf8
    return { id: null, problem }
  }
  if (!isObject(value)) return { id: null, problem: 'a request must be a JSON object' }
  const id = isShallow(value.id) ? (value.id ?? null) : null
  if (!isUtf8(line)) return { id, problem: notUtf8 }
  if (!isShallow(value)) {
    return { id, problem: `a request must not be nested more than ${maxLevels} levels deep` }
  }
  const call = typeof value.call_id === 'string' ? { callId: value.call_id } : {}
  const access = typeof value.token === 'string' ? { token: value.token } : {}
  const args = isEmpty(value.args) ? {} : value.args
  return { id, op: value.op ?? null, args, ...call, ...access }
}

export function isBadRequest(request: Request | BadRequest): request is BadRequest {
  return 'problem' in request
}

const notUtf8 = 'a request must be UTF-8 text'

/** Missing, null, `[]`, `""`, 0 and false all mean "no arguments" in the protocol. */
function isEmpty(args: unknown): boolean {
  return Array.isArray(args) ? args.length === 0 : !args
}

/** Checks the nesting level by level: recursion could overflow the stack. */
function isShallow(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; depth <= maxLevels; depth++) {
    const next: unknown[] = []
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue
      for (const inner of Object.values(each)) {
        if (typeof inner === 'object' && inner !== null) next.push(inner)
      }
    }
    if (next.length === 0) return true
    level = next
  }
  return false
}
