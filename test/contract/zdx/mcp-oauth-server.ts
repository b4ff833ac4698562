// An MCP server over HTTP with its authorization server: dynamic registration, PKCE, rotating refresh
// tokens and device codes.
import { fromJsonSchema, McpServer, createMcpHandler } from '@modelcontextprotocol/server'
import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { onLoopback } from '../../support/loopback.ts'

export interface OAuthServer {
  url: string
  /** Every token that was issued. */
  tokens: string[]
  /** Requests as `POST /token refresh_token`. */
  requests: string[]
  /** Headers of the requests to the authorization server. */
  authorizationHeaders: string[]
  /** Refuses the current access tokens. */
  expire(): void
  /** Refuses the current refresh tokens, too. */
  revoke(): void
  close(): Promise<void>
}

export async function startOAuthServer(options: { grants?: string[] } = {}): Promise<OAuthServer> {
  const valid = new Set<string>()
  const refreshTokens = new Set<string>()
  const challenges = new Map<string, string>()
  const served: Omit<OAuthServer, 'url' | 'close'> = {
    tokens: [],
    requests: [],
    authorizationHeaders: [],
    expire: () => valid.clear(),
    revoke: () => {
      valid.clear()
      refreshTokens.clear()
    },
  }
  let polls = 0
  let lastKey = ''
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'guarded', version: '1' })
    const inputSchema = fromJsonSchema<Record<string, unknown>>({ type: 'object' })
    server.registerTool('key', { inputSchema }, () => ({
      content: [{ type: 'text', text: `You sent ${lastKey}.` }],
    }))
    return server
  })
  const issue = () => {
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`]
    valid.add(access)
    refreshTokens.add(refresh)
    served.tokens.push(access, refresh)
    return { access_token: access, refresh_token: refresh, token_type: 'Bearer', expires_in: 60 }
  }
  const grant = (form: URLSearchParams): Record<string, unknown> => {
    const type = form.get('grant_type')
    if (type === 'authorization_code') {
      const proof = createHash('sha256').update(form.get('code_verifier') ?? '')
      const isRight = challenges.get(form.get('code') ?? '') === proof.digest('base64url')
      return isRight ? issue() : { error: 'invalid_grant' }
    }
    if (type === 'refresh_token') {
      const isKnown = refreshTokens.delete(form.get('refresh_token') ?? '')
      return isKnown ? issue() : { error: 'invalid_grant' }
    }
    polls++
    return polls < 2 ? { error: 'authorization_pending' } : issue()
  }
  const loopback = await onLoopback((request, body, response) => {
    const base = `http://${request.headers.host}`
    const url = new URL(request.url ?? '/', base)
    if (url.pathname === '/mcp') {
      lastKey = request.headers.authorization ?? ''
      if (valid.has(lastKey.replace('Bearer ', ''))) return void answer(request, body, response)
      const metadata = `${base}/.well-known/oauth-protected-resource/mcp`
      response.setHeader(
        'www-authenticate',
        `Bearer resource_metadata="${metadata}", scope="tools"`,
      )
      response.writeHead(401).end()
      return
    }
    const form = new URLSearchParams(body)
    served.requests.push(
      `${request.method} ${url.pathname} ${form.get('grant_type') ?? ''}`.trimEnd(),
    )
    served.authorizationHeaders.push(JSON.stringify(request.headers))
    const pages: Record<string, () => Record<string, unknown>> = {
      '/.well-known/oauth-protected-resource/mcp': () => ({
        resource: `${base}/mcp`,
        authorization_servers: [base],
      }),
      '/.well-known/oauth-authorization-server': () => ({
        issuer: base,
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: `${base}/token`,
        registration_endpoint: `${base}/register`,
        device_authorization_endpoint: `${base}/device`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        grant_types_supported: options.grants,
      }),
      '/register': () => ({ ...(JSON.parse(body) as object), client_id: 'client-1' }),
      '/device': () => ({
        device_code: 'device-1',
        user_code: 'WXYZ-1234',
        verification_uri: `${base}/activate`,
        expires_in: 600,
        interval: 0.05,
      }),
      '/token': () => grant(form),
    }
    if (url.pathname === '/authorize') {
      const code = randomUUID()
      challenges.set(code, url.searchParams.get('code_challenge') ?? '')
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      back.searchParams.set('code', code)
      back.searchParams.set('state', url.searchParams.get('state') ?? '')
      response.writeHead(302, { location: back.href }).end()
      return
    }
    const page = pages[url.pathname]?.()
    const status = page === undefined ? 404 : 'error' in page ? 400 : 200
    response.writeHead(url.pathname === '/register' ? 201 : status, {
      'content-type': 'application/json',
    })
    response.end(JSON.stringify(page ?? {}))
  })
  const answer = async (request: IncomingMessage, body: string, response: ServerResponse) => {
    const headers = new Headers()
    for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value))
    const { method = 'GET' } = request
    const answered = await handler.fetch(
      new Request(`${loopback.url}/mcp`, { method, headers, ...(body && { body }) }),
    )
    response.writeHead(answered.status, Object.fromEntries(answered.headers))
    if (answered.body === null) response.end()
    else Readable.fromWeb(answered.body as never).pipe(response)
  }
  return { ...served, url: `${loopback.url}/mcp`, close: loopback.close }
}
