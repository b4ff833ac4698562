// Stores the logins of MCP servers: one JSON file of mode 0600, keyed by the URL of the server, so that a
// server whose address changes never gets the tokens of another.
import type {
  OAuthClientInformationMixed,
  OAuthServerInfo,
  OAuthTokens,
} from '@modelcontextprotocol/client'
import { readBoundedFile } from '@zee/core/bounded-file'
import { writeJsonAtomic } from '@zee/core/atomic-file'
import { errnoOf, fileError, ZeeError } from '@zee/core/errors'
import { ensureDurableFolder } from '@zee/core/folders'
import { isObject, parseObject } from '@zee/core/json'
import { withLock } from '@zee/core/lock'
import path from 'node:path'

export interface ServerLogin {
  /** Where to refresh the tokens. */
  issuer: OAuthServerInfo
  client: OAuthClientInformationMixed
  /** The resource that the tokens are for (RFC 8707). */
  resource?: string | undefined
  tokens: OAuthTokens
}

export interface Logins {
  find(url: URL): ServerLogin | undefined
  /** Replaces a login, or removes it for undefined; returns the new one. Others wait meanwhile. */
  update(
    url: URL,
    change: (
      login: ServerLogin | undefined,
    ) => ServerLogin | undefined | Promise<ServerLogin | undefined>,
  ): Promise<ServerLogin | undefined>
}

/** Longer than a refresh of the tokens may take. */
const lockWaitMs = 60_000

export function openLogins(file: string): Logins {
  return {
    find: (url) => readLogins(file).get(url.href),
    update: async (url, change) => {
      ensureDurableFolder(path.dirname(file), 0o700)
      return withLock(`${file}.lock`, { waitMs: lockWaitMs }, async () => {
        const logins = readLogins(file)
        const old = logins.get(url.href)
        const login = await change(old)
        if (login === old) return login
        if (login === undefined) logins.delete(url.href)
        else logins.set(url.href, login)
        await writeJsonAtomic(file, Object.fromEntries(logins), { mode: 0o600 })
        return login
      })
    },
  }
}

function readLogins(file: string): Map<string, ServerLogin> {
  let text: string
  try {
    text = readBoundedFile(file).toString('utf8')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return new Map()
    throw fileError('read', file, error)
  }
  const stored = parseObject(text)
  if (stored === undefined) {
    throw new ZeeError('credentials', `${file} is not JSON: remove it and log in again`)
  }
  return new Map(
    Object.entries(stored).filter((entry): entry is [string, ServerLogin] => isLogin(entry[1])),
  )
}

function isLogin(value: unknown): value is ServerLogin {
  return (
    isObject(value) &&
    isObject(value.issuer) &&
    typeof value.issuer.authorizationServerUrl === 'string' &&
    isObject(value.client) &&
    isObject(value.tokens) &&
    typeof value.tokens.access_token === 'string'
  )
}
