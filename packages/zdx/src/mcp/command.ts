// `zdx mcp list|login|logout`: shows the configured MCP servers, and logs in at servers over HTTP that
// require it. Tokens are stored in a file of mode 0600 and never printed.
import type { Call } from '@zee/core/command-line'
import { oneLine, reasonOf, usageError, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { openLogins } from '@zee/mcp/login'
import type { ServerAddress } from '@zee/mcp/section'
import type { Globals } from '../cli/cli.ts'
import { interruptible, listenForInterrupts } from '../interrupt/interrupt.ts'
import type { Settings } from '../settings/settings.ts'
import { loadSettings, loginsFile, workingFolder } from '../settings/settings.ts'
import { clientInfo, endpointOf, sectionOf } from './mcp.ts'

interface McpCall extends Pick<Call, 'host' | 'args'> {
  globals: Globals
}

export interface LoginCall extends McpCall {
  options: { device: boolean; noBrowser: boolean }
}

const loginTimeoutMs = 300_000

export async function runMcpList({ host, globals }: McpCall): Promise<number> {
  const { values, base } = await loadSettings(host, globals)
  const logins = openLogins(loginsFile(base))
  const servers = Object.entries(values.mcp ?? {})
  if (servers.length === 0) host.stdout.write('No MCP servers are configured.\n')
  for (const [name, { command, args = [], url }] of servers) {
    const hasLogin = url !== undefined && URL.canParse(url) && logins.find(new URL(url))
    const place = url ?? [command, ...args].join(' ')
    host.stdout.write(`${oneLine(name)}  ${oneLine(place)}${hasLogin ? '  logged in' : ''}\n`)
  }
  return 0
}

export async function runMcpLogin({ host, args, globals, options }: LoginCall): Promise<number> {
  const settings = await loadSettings(host, globals)
  const [name = ''] = args
  const { endpoint, clientId } = httpServer(host, globals, settings, name)
  const { logIn } = await import('@zee/mcp/login')
  const { openInBrowser } = await import('@zee/core/browser')
  const interrupts = listenForInterrupts()
  const timeout = AbortSignal.timeout(loginTimeoutMs)
  try {
    const isLoggedIn = await interruptible(interrupts, () =>
      logIn({
        endpoint,
        client: clientInfo,
        clientId,
        logins: openLogins(loginsFile(settings.base)),
        useDevice: options.device,
        openPage: async ({ href }) => {
          host.stderr.write(`Open this page to log in:\n  ${href}\n`)
          if (!options.noBrowser) await openInBrowser(href, host.env)
        },
        showCode: ({ href }, code) => {
          host.stderr.write(`Open this page and enter the code ${oneLine(code)}:\n  ${href}\n`)
        },
        signal: AbortSignal.any([interrupts.signal, timeout]),
      }),
    )
    const outcome = isLoggedIn ? 'Logged in to' : 'No login is needed for'
    host.stderr.write(`${outcome} ${oneLine(name)}\n`)
    return 0
  } catch (error) {
    if (timeout.aborted) {
      throw new ZeeError('login_timeout', `no login within 5 minutes; run zdx mcp login again`)
    }
    if (error instanceof ZeeError) throw error
    throw new ZeeError('login_failed', `cannot log in to ${oneLine(name)}: ${failureOf(error)}`)
  } finally {
    interrupts.stop()
  }
}

export async function runMcpLogout({ host, args, globals }: McpCall): Promise<number> {
  const settings = await loadSettings(host, globals)
  const [name = ''] = args
  const { endpoint } = httpServer(host, globals, settings, name)
  let wasStored = false
  await openLogins(loginsFile(settings.base)).update(endpoint.url, (login) => {
    wasStored = login !== undefined
    return undefined
  })
  const outcome = wasStored ? 'Removed the login of' : 'There is no login of'
  host.stderr.write(`${outcome} ${oneLine(name)}\n`)
  return 0
}

/** A configured server, or an address that an editor uses. */
function httpServer(
  host: Host,
  globals: Globals,
  { values }: Settings,
  name: string,
): { endpoint: ServerAddress; clientId: string | undefined } {
  if (/^https?:\/\//.test(name) && URL.canParse(name)) {
    const endpoint = { url: new URL(name), headers: {}, secrets: [], environment: host.env }
    return { endpoint, clientId: undefined }
  }
  const context = { root: workingFolder(host, globals), commandEnv: host.env, fullEnv: host.env }
  const endpoint = endpointOf(values, name, context)
  if (!('url' in endpoint))
    throw usageError(`MCP server ${oneLine(name)} is a program: it has no login`)
  return { endpoint, clientId: sectionOf(values, name).client_id }
}

/** `fetch` reports why a connection failed only in the cause of its error. */
function failureOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : {}
  return oneLine(reasonOf(cause instanceof Error ? cause : error)).slice(0, 500)
}
