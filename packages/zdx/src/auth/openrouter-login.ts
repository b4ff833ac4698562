// OpenRouter's login: OAuth with PKCE. A browser page sends a code to a loopback server, which exchanges
// it for a key. PKCE makes a stolen code useless and needs no client secret.
import { createHash, randomBytes } from 'node:crypto'
import type { Host } from '@zee/core/exit'
import { oneLine, ZeeError } from '@zee/core/errors'
import type { ProviderRow } from '@zee/llm'
import { postJson } from '@zee/llm'
import { interruptible, listenForInterrupts } from '../interrupt/interrupt.ts'
import { configuredBaseUrl } from '../providers/providers.ts'
import type { Settings } from '../settings/settings.ts'

const loginTimeoutMs = 300_000

export async function loginByBrowser(
  host: Host,
  settings: Settings,
  row: ProviderRow,
  options: { openBrowser: boolean },
): Promise<string> {
  const base =
    host.env[row.baseUrlVariable ?? '']?.trim() || configuredBaseUrl(settings.values, row)
  const api = new URL(base ?? row.baseUrl)
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const state = randomBytes(16).toString('base64url')
  const interrupts = listenForInterrupts()
  const signal = AbortSignal.any([interrupts.signal, AbortSignal.timeout(loginTimeoutMs)])
  const { listenForCallback, openInBrowser } = await import('@zee/core/browser')
  // The random path keeps other pages from sending a code.
  const callback = await listenForCallback(
    (pathname, query) => pathname === `/${state}` && query.has('code'),
    signal,
  )
  try {
    const page = new URL('/auth', api)
    page.searchParams.set('callback_url', `http://localhost:${callback.port}/${state}`)
    page.searchParams.set('code_challenge', challenge)
    page.searchParams.set('code_challenge_method', 'S256')
    host.stderr.write(`Open this page to log in:\n  ${page.href}\n`)
    if (options.openBrowser) await openInBrowser(page.href, host.env)
    return await interruptible(interrupts, async () => {
      const query = await callback.query.catch(() => {
        throw new ZeeError('login_timeout', 'no login within 5 minutes; run zdx auth login again')
      })
      return exchangeCode(api, query.get('code') ?? '', verifier, host, signal)
    })
  } finally {
    callback.close()
    interrupts.stop()
  }
}

async function exchangeCode(
  api: URL,
  code: string,
  verifier: string,
  host: Host,
  signal: AbortSignal,
): Promise<string> {
  const answer = await postJson({
    base: api,
    path: '/auth/keys',
    body: { code, code_verifier: verifier, code_challenge_method: 'S256' },
    environment: host.env,
    signal,
  })
  const key = typeof answer === 'object' && answer !== null && 'key' in answer ? answer.key : ''
  if (typeof key === 'string' && key !== '') return key
  throw new ZeeError('login_failed', `${oneLine(api.host)} returned no key`)
}
