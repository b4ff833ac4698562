// The login on another device (RFC 8628): the user opens a page anywhere and enters a code, while zee asks
// the authorization server for the tokens.
import type {
  FetchLike,
  OAuthClientInformationMixed,
  OAuthTokens,
} from '@modelcontextprotocol/client'
import { assertSecureTokenEndpoint } from '@modelcontextprotocol/client'
import { isObject, parseObject } from '@zee/core/json'
import { setTimeout as sleep } from 'node:timers/promises'
import { LoginError } from './refused-login.ts'

export interface DeviceEndpoints {
  device: string
  token: string
}

export interface DeviceRequest {
  endpoints: DeviceEndpoints
  client: OAuthClientInformationMixed
  scope: string | undefined
  resource: string | undefined
  fetch: FetchLike
  showCode(page: URL, code: string): void
  signal: AbortSignal
}

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const defaultIntervalSecs = 5
const maxIntervalSecs = 60

/** Polls until the user has decided or the code expires. */
export async function logInByDevice(request: DeviceRequest): Promise<OAuthTokens> {
  const { endpoints, scope, resource, signal } = request
  const started = await post(request, endpoints.device, { scope, resource })
  const { device_code: deviceCode, user_code: userCode, verification_uri: page } = started.body
  if (!started.ok || typeof deviceCode !== 'string' || typeof userCode !== 'string') {
    throw new LoginError(`device login refused: ${reasonIn(started.body)}`)
  }
  request.showCode(webPage(page), userCode)
  let intervalSecs = clampInterval(started.body.interval)
  for (;;) {
    await sleep(intervalSecs * 1000, undefined, { signal })
    const answer = await post(request, endpoints.token, {
      grant_type: deviceGrant,
      device_code: deviceCode,
      resource,
    })
    if (answer.ok && isTokens(answer.body)) return answer.body
    const { error } = answer.body
    if (error === 'slow_down') intervalSecs = clampInterval(intervalSecs + 5)
    else if (error !== 'authorization_pending') {
      throw new LoginError(`login refused: ${reasonIn(answer.body)}`)
    }
  }
}

async function post(
  { client, fetch }: DeviceRequest,
  url: string,
  fields: Readonly<Record<string, string | undefined>>,
): Promise<{ ok: boolean; body: Record<string, unknown> }> {
  const form = new URLSearchParams({ client_id: client.client_id })
  if (client.client_secret !== undefined) form.set('client_secret', client.client_secret)
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.set(name, value)
  }
  const response = await fetch(assertSecureTokenEndpoint(url), {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: form.toString(),
    redirect: 'error',
  })
  return { ok: response.ok, body: parseObject(await response.text()) ?? {} }
}

function clampInterval(seconds: unknown): number {
  const wanted = typeof seconds === 'number' && seconds > 0 ? seconds : defaultIntervalSecs
  return Math.min(wanted, maxIntervalSecs)
}

function isTokens(body: unknown): body is OAuthTokens {
  return isObject(body) && typeof body.access_token === 'string'
}

/** A page of another scheme could start a program. */
export function webPage(page: unknown): URL {
  if (typeof page === 'string' && URL.canParse(page)) {
    const url = new URL(page)
    if (url.protocol === 'https:' || url.protocol === 'http:') return url
  }
  throw new LoginError('the authorization server names no valid login page')
}

export function reasonIn(body: Readonly<Record<string, unknown>>): string {
  const { error, error_description: description } = body
  return (
    [error, description].filter((text) => typeof text === 'string').join(': ') || 'no reason given'
  )
}
