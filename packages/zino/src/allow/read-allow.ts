// Reads `allow` from a request, a channel or a skill. A key that is not known is an error: a misspelled
// limit must not be a missing one.
import path from 'node:path'
import { parseRfc3339, rfc3339 } from '@zee/core/clock'
import { requestError } from '../fields/fields.ts'
import type { Message } from '../wire/wire.ts'
import { isMessage } from '../wire/wire.ts'

/** An absent key is no limit; an empty list permits nothing. */
export interface Allow {
  /** Executors, functions (`execute_bash`), skills or tools of MCP servers; `*` at the end matches the rest. */
  tools?: readonly string[] | undefined
  /** Absolute paths of files and folders that scripts may read and write. */
  paths?: readonly string[] | undefined
  /** Hosts that scripts may reach: `name`, `name:port`, `*.name`, or `*`. */
  hosts?: readonly string[] | undefined
  /** Tokens of all model calls of the turn together. */
  tokens?: number | undefined
  /** RFC 3339; nothing is allowed from then on. */
  until?: string | undefined
}

/** What relative paths refer to. */
interface AllowScope {
  cwd: string
  home?: string | undefined
}

const maxItems = 1000
const maxAllows = 16

/** One `allow`, or a list of them; none for an absent value. Throws a request error. */
export function readAllows(value: unknown, scope: AllowScope, name = 'allow'): Allow[] {
  if (value === undefined || value === null) return []
  const items: unknown[] = Array.isArray(value) ? value : [value]
  if (items.length > maxAllows) throw requestError(`${name} has more than ${maxAllows} parts`)
  return items.map((item) => readAllow(item, scope, name))
}

type Reader = (value: unknown, name: string, scope: AllowScope) => unknown

const readers: Readonly<Record<keyof Allow, Reader>> = {
  tools: (value, name) => texts(value, name),
  paths: (value, name, scope) => texts(value, name).map((item) => absolutePath(item, name, scope)),
  hosts: (value, name) => texts(value, name).map((item) => hostPattern(item, name)),
  tokens: (value, name) => {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
    throw requestError(`${name} must be a whole number of at least 0`)
  },
  until: (value, name) => time(value, name),
}

function readAllow(value: unknown, scope: AllowScope, name: string): Allow {
  if (!isMessage(value)) throw requestError(`${name} must be an object`)
  const allow: Message = {}
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined || item === null) continue
    if (!Object.hasOwn(readers, key)) {
      const known = Object.keys(readers).join(', ')
      throw requestError(`${name}.${key.slice(0, 100)} is not known (known: ${known})`)
    }
    allow[key] = readers[key as keyof Allow](item, `${name}.${key}`, scope)
  }
  return allow
}

function texts(value: unknown, name: string): string[] {
  const isList = Array.isArray(value) && value.length <= maxItems
  if (isList && value.every((item) => typeof item === 'string' && item !== '')) {
    return value as string[]
  }
  throw requestError(`${name} must be a list of texts`)
}

function absolutePath(text: string, name: string, { cwd, home }: AllowScope): string {
  const bare = text.replace(/\/\*{1,2}$/, '') || '/'
  if (/[*?\0\n]/.test(bare)) throw requestError(`${name}: ${JSON.stringify(text)} is not a path`)
  const isHome = bare === '~' || bare.startsWith('~/')
  if (isHome && home !== undefined && home !== '') return path.resolve(home, bare.slice(2))
  return path.resolve(cwd, bare)
}

const hostForm =
  /^(?:\*|(?:\*\.)?[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?(?::\d{1,5})?|\[[0-9a-f:.]+\](?::\d{1,5})?)$/

function hostPattern(text: string, name: string): string {
  const host = text
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/\/$/, '')
    .replace(/([a-z0-9_])\.$/, '$1')
  if (hostForm.test(host)) return host
  throw requestError(`${name}: ${JSON.stringify(text)} is not a host`)
}

/** A date stands for its end in UTC. */
function time(value: unknown, name: string): string {
  const text = typeof value === 'string' ? value : ''
  const parsed = /^\d{4}-\d\d-\d\d$/.test(text)
    ? parseRfc3339(`${text}T23:59:59.999Z`)
    : parseRfc3339(text)
  if (parsed !== undefined) return rfc3339(parsed)
  throw requestError(`${name} must be a date or an RFC 3339 time`)
}
