// OpenRouter's public login: a browser page sends a code to a server on loopback, and the code is
// exchanged for a key. The proof key (PKCE) makes a stolen code worthless; no client secret is needed.
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Host } from '@zee/core/exit'
import { oneLine, ZeeError } from '@zee/core/errors'
import type { ProviderRow } from '@zee/llm'
import { postJson } from '@zee/llm'
import { interruptible, listenForInterrupts } from '../interrupt/interrupt.ts'
import { placeOf } from '../providers/providers.ts'
import type { Settings } from '../settings/settings.ts'

const patienceMs = 300_000

export async function loginByBrowser(
  host: Host,
  settings: Settings,
  row: ProviderRow,
  options: { openBrowser: boolean },
): Promise<string> {
  const base = host.env[row.baseUrlVariable ?? '']?.trim() || placeOf(settings.values, row).baseUrl
  const api = new URL(base ?? row.baseUrl)
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const state = randomBytes(16).toString('base64url')
  const interrupts = listenForInterrupts()
  const signal = AbortSignal.any([interrupts.signal, AbortSignal.timeout(patienceMs)])
  const callback = await waitForCode(state, signal)
  try {
    const page = new URL('/auth', api)
    page.searchParams.set('callback_url', callback.url)
    page.searchParams.set('code_challenge', challenge)
    page.searchParams.set('code_challenge_method', 'S256')
    host.stderr.write(`Open this page to log in:\n  ${page.href}\n`)
    if (options.openBrowser) await openPage(host, page.href)
    return await interruptible(interrupts, async () =>
      exchange(api, await callback.code, verifier, host, signal),
    )
  } finally {
    callback.close()
    interrupts.stop()
  }
}

interface Callback {
  url: string
  code: Promise<string>
  close(): void
}

/** The path holds a random word, so that no other page can send a code of its own. */
async function waitForCode(state: string, signal: AbortSignal): Promise<Callback> {
  let accept: (code: string) => void = () => {}
  const code = new Promise<string>((resolve, reject) => {
    accept = resolve
    signal.addEventListener('abort', () => {
      reject(new ZeeError('login_timeout', 'nobody logged in; try again'))
    })
  })
  code.catch(() => {})
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const given = url.searchParams.get('code')
    const isOurs = url.pathname === `/${state}` && given !== null
    response.writeHead(isOurs ? 200 : 404, { 'content-type': 'text/plain', connection: 'close' })
    response.end(isOurs ? 'You are logged in. You can close this page.\n' : 'Not found.\n')
    if (isOurs) accept(given)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}/${state}`,
    code,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function exchange(
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
  throw new ZeeError('login_failed', `${oneLine(api.host)} answered without a key`)
}

/** A browser that does not open is no failure: the address stands on the screen. */
async function openPage(host: Host, address: string): Promise<void> {
  const { runProcess } = await import('@zee/core/process')
  const command = process.platform === 'darwin' ? 'open' : 'xdg-open'
  await runProcess({ command, args: [address], env: host.env, deadlineMs: 3000, captureBytes: 0 })
}
