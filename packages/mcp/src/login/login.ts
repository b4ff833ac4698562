// The login at an MCP server over HTTP (OAuth 2.1 as the MCP authorization chapter uses it): finds the
// authorization server, registers zee there, and gets tokens by browser (PKCE, a redirect to loopback) or
// by a code on another device.
import type {
  FetchLike,
  OAuthClientInformationMixed,
  OAuthServerInfo,
  OAuthTokens,
} from '@modelcontextprotocol/client'
import {
  checkResourceAllowed,
  discoverOAuthServerInfo,
  exchangeAuthorization,
  extractWWWAuthenticateParams,
  LATEST_PROTOCOL_VERSION,
  registerClient,
  resourceUrlFromServerUrl,
  startAuthorization,
} from '@modelcontextprotocol/client'
import type { Callback } from '@zee/core/browser'
import { listenForCallback } from '@zee/core/browser'
import { randomBytes } from 'node:crypto'
import { createProxiedFetch } from '../http/http.ts'
import type { ServerAddress } from '../section/section.ts'
import { deviceGrant, logInByDevice, reasonIn, webPage } from './device-code.ts'
import { LoginError } from './refused-login.ts'
import { loginFetch } from './small-requests.ts'
import type { Logins } from './logins.ts'
export type { Logins } from './logins.ts'
export { openLogins } from './logins.ts'
export { loginFetch } from './small-requests.ts'
export type { StoredLogins, TokenSource } from './token-source.ts'
export { createTokenSource } from './token-source.ts'

export interface LoginRequest {
  endpoint: ServerAddress
  client: { name: string; version: string }
  /** A client that is registered already; without it zee registers itself. */
  clientId: string | undefined
  logins: Logins
  /** Use the code on another device although a browser could be used. */
  useDevice: boolean
  openPage(page: URL): Promise<void>
  showCode(page: URL, code: string): void
  signal: AbortSignal
}

const callbackPath = '/callback'

/** False if the server requires no login. */
export async function logIn(request: LoginRequest): Promise<boolean> {
  const { endpoint, client, logins, signal } = request
  const proxied = createProxiedFetch(endpoint.environment)
  const fetch = loginFetch(proxied.fetch, signal)
  try {
    const challenge = await askForChallenge(endpoint, client, fetch)
    if (challenge === undefined) return false
    const issuer = await discoverOAuthServerInfo(endpoint.url, { ...challenge, fetchFn: fetch })
    const flow: Flow = {
      request,
      issuer,
      scope: scopeFor(issuer, challenge.scope),
      resource: resourceFor(endpoint.url, issuer),
      fetch,
    }
    const found = usesDevice(flow) ? await byDevice(flow) : await byBrowser(flow)
    await logins.update(endpoint.url, () => ({ issuer, resource: flow.resource, ...found }))
    return true
  } finally {
    proxied.close()
  }
}

interface Flow {
  request: LoginRequest
  issuer: OAuthServerInfo
  scope: string | undefined
  resource: string | undefined
  fetch: FetchLike
}

interface Granted {
  client: OAuthClientInformationMixed
  tokens: OAuthTokens
}

/** What the server says about its authorization; undefined if it answers without one. */
async function askForChallenge(
  { url, headers }: ServerAddress,
  clientInfo: LoginRequest['client'],
  fetch: FetchLike,
): Promise<{ resourceMetadataUrl?: URL; scope?: string } | undefined> {
  const params = { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities: {}, clientInfo }
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  })
  await response.body?.cancel()
  if (response.ok) return undefined
  if (response.status === 401) return extractWWWAuthenticateParams(response)
  throw new LoginError(`${url.host} answered with status ${response.status}`)
}

function scopeFor(
  { resourceMetadata, authorizationServerMetadata }: OAuthServerInfo,
  requested: string | undefined,
): string | undefined {
  const scope = requested ?? resourceMetadata?.scopes_supported?.join(' ')
  if (scope === undefined || scope === '') return undefined
  const offline = 'offline_access'
  const isOffered = authorizationServerMetadata?.scopes_supported?.includes(offline) === true
  return isOffered && !scope.split(' ').includes(offline) ? `${scope} ${offline}` : scope
}

/** The resource that the metadata names; it must be this server. */
function resourceFor(url: URL, { resourceMetadata }: OAuthServerInfo): string | undefined {
  if (resourceMetadata === undefined) return undefined
  const { resource } = resourceMetadata
  const requestedResource = resourceUrlFromServerUrl(url)
  if (checkResourceAllowed({ requestedResource, configuredResource: resource })) return resource
  throw new LoginError(`the metadata of ${url.host} is for another resource, ${resource}`)
}

/** By request, or if the authorization server knows no other way. */
function usesDevice({ request, issuer }: Flow): boolean {
  const metadata = issuer.authorizationServerMetadata
  if (request.useDevice) return true
  const grants = metadata?.grant_types_supported
  return grants?.includes('authorization_code') === false && grants.includes(deviceGrant)
}

async function byBrowser(flow: Flow): Promise<Granted> {
  const { request, issuer, scope, resource, fetch } = flow
  const state = randomBytes(16).toString('base64url')
  const callback = await listenForCallback(
    (pathname, query) => pathname === callbackPath && query.get('state') === state,
    request.signal,
  )
  try {
    const redirectUrl = `http://127.0.0.1:${callback.port}${callbackPath}`
    const client = await clientFor(flow, redirectUrl, ['authorization_code', 'refresh_token'])
    const metadata = issuer.authorizationServerMetadata
    const server = issuer.authorizationServerUrl
    const shared = { metadata, clientInformation: client, resource }
    const started = await startAuthorization(server, { ...shared, redirectUrl, scope, state })
    await request.openPage(webPage(started.authorizationUrl.href))
    const { code, iss } = await codeFrom(callback)
    const tokens = await exchangeAuthorization(server, {
      ...shared,
      authorizationCode: code,
      iss,
      codeVerifier: started.codeVerifier,
      redirectUri: redirectUrl,
      fetchFn: fetch,
    })
    return { client, tokens }
  } finally {
    callback.close()
  }
}

async function codeFrom(callback: Callback): Promise<{ code: string; iss: string | undefined }> {
  const query = await callback.query
  const code = query.get('code')
  if (code !== null) return { code, iss: query.get('iss') ?? undefined }
  throw new LoginError(`login refused: ${reasonIn(Object.fromEntries(query))}`)
}

async function byDevice(flow: Flow): Promise<Granted> {
  const { request, issuer, scope, resource, fetch } = flow
  const metadata = issuer.authorizationServerMetadata
  const device = metadata !== undefined && new Map<string, unknown>(Object.entries(metadata))
  const endpoint = device && device.get('device_authorization_endpoint')
  if (metadata === undefined || typeof endpoint !== 'string') {
    throw new LoginError(`${issuer.authorizationServerUrl} offers no login on another device`)
  }
  const client = await clientFor(flow, `http://127.0.0.1${callbackPath}`, [
    deviceGrant,
    'refresh_token',
  ])
  const tokens = await logInByDevice({
    endpoints: { device: endpoint, token: metadata.token_endpoint },
    client,
    scope,
    resource,
    fetch,
    showCode: request.showCode,
    signal: request.signal,
  })
  return { client, tokens }
}

async function clientFor(
  { request, issuer, scope, fetch }: Flow,
  redirectUrl: string,
  grantTypes: string[],
): Promise<OAuthClientInformationMixed> {
  if (request.clientId !== undefined) return { client_id: request.clientId }
  const metadata = issuer.authorizationServerMetadata
  if (metadata !== undefined && metadata.registration_endpoint === undefined) {
    throw new LoginError(
      `${issuer.authorizationServerUrl} registers no clients: set client_id of the server`,
    )
  }
  return registerClient(issuer.authorizationServerUrl, {
    metadata,
    clientMetadata: {
      client_name: request.client.name,
      redirect_uris: [redirectUrl],
      grant_types: grantTypes,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    scope,
    fetchFn: fetch,
  })
}
