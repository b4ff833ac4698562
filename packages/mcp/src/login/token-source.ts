// Gives the requests of a connection the token of a stored login, and refreshes it when the server
// rejects it.
import type { AuthProvider, FetchLike } from '@modelcontextprotocol/client'
import { OAuthError, refreshAuthorization } from '@modelcontextprotocol/client'
import type { Logins, ServerLogin } from './logins.ts'

export interface StoredLogins {
  logins: Logins
  /** The command that logs in, for the error of a server that requires it. */
  command: string
}

export interface TokenSource extends AuthProvider {
  /** Every token that was used, for redaction. */
  readonly used: ReadonlySet<string>
}

export function createTokenSource(
  url: URL,
  { logins, command }: StoredLogins,
  fetch: FetchLike,
): TokenSource {
  const used = new Set<string>()
  let sent: string | undefined
  return {
    used,
    token: async () => {
      const tokens = logins.find(url)?.tokens
      sent = tokens?.access_token
      for (const token of [tokens?.access_token, tokens?.refresh_token]) {
        if (token !== undefined) used.add(token)
      }
      return sent
    },
    onUnauthorized: async () => {
      if (logins.find(url) === undefined) throw loginRequired(command)
      const login = await logins.update(url, (stored) =>
        // Another process may have refreshed the token in the meantime.
        stored?.tokens.access_token === sent ? refreshed(stored, fetch) : stored,
      )
      if (login === undefined || login.tokens.access_token === sent) throw loginRequired(command)
    },
  }
}

/** The login with new tokens; itself without a refresh token; undefined if the refresh is refused. */
async function refreshed(
  login: ServerLogin | undefined,
  fetch: FetchLike,
): Promise<ServerLogin | undefined> {
  const refreshToken = login?.tokens.refresh_token
  if (login === undefined || refreshToken === undefined) return login
  const { issuer, client, resource } = login
  try {
    const tokens = await refreshAuthorization(issuer.authorizationServerUrl, {
      metadata: issuer.authorizationServerMetadata,
      clientInformation: client,
      refreshToken,
      resource,
      fetchFn: fetch,
    })
    return { ...login, tokens: { refresh_token: refreshToken, ...tokens } }
  } catch (error) {
    if (error instanceof OAuthError) return undefined
    throw error
  }
}

function loginRequired(command: string): Error {
  return new Error(`it requires a login, run: ${command}`)
}
