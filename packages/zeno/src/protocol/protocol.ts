// One line of input as a request (the zeno contract, envelope): bad JSON, JSON that is no object,
// text that is no UTF-8 and bottomless nesting are answers, never an end of the server.
import { isUtf8 } from 'node:buffer'
import { oneLine } from '@zee/core/errors'
import { isObject } from '@zee/core/json'

export { requestLines } from './lines.ts'
export type { RequestLine } from './lines.ts'
export { operations } from './operations.ts'
export type { Operation } from './operations.ts'

export interface Request {
  id: unknown
  op: unknown
  /** `{}` where the sender left them out or sent something empty. */
  args: unknown
}

/** What cannot be served; `id` is the sender's where it could be made out. */
export interface BadRequest {
  id: unknown
  problem: string
}

// What can be written back without running out of stack, and far more than a request needs.
const maxLevels = 1000

/** Undefined for a blank line, which gets no answer. */
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
  return { id, op: value.op ?? null, args: isEmpty(value.args) ? {} : value.args }
}

export function isBadRequest(request: Request | BadRequest): request is BadRequest {
  return 'problem' in request
}

const notUtf8 = 'a request must be UTF-8 text'

/** Missing, null, `[]`, `""`, 0 and false: all of them have always meant "no arguments". */
function isEmpty(args: unknown): boolean {
  return Array.isArray(args) ? args.length === 0 : !args
}

/** Level by level instead of by recursion, which is what must not run out. */
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
