// The configured MCP servers that `tools` allows. A server gets a safe subset of the environment and the
// variables that its section names, but never provider keys.
import type { AllowedServer } from '@zee/agent/mcp'
import { usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { ServerAddress, ServerCommand, StoredLogins } from '@zee/mcp/section'
import { serverEndpoint } from '@zee/mcp/section'
import { keyVariables } from '../providers/providers.ts'
import manifest from '../../package.json' with { type: 'json' }
import type { ZdxConfig } from '../settings/settings.ts'

/** The name and version that zdx reports to MCP servers and editors. */
export const clientInfo = { name: 'zdx', version: manifest.version }

type Section = NonNullable<ZdxConfig['mcp']>[string]

export interface ServerContext {
  root: string
  /** The environment of commands that the model runs: without provider keys. */
  commandEnv: Host['env']
  /** The complete environment, for looking up the secrets of servers. */
  fullEnv: Host['env']
  /** The logins that `zdx mcp login` stores. */
  logins?: StoredLogins['logins']
}

/** Entries are `<server>` or `<server>/<tool>`; a server without a tool allows all of its tools. */
export function allowedServers(
  config: ZdxConfig,
  entries: readonly string[],
  context: ServerContext,
): AllowedServer[] {
  const tools = new Map<string, Set<string> | undefined>()
  for (const entry of entries) {
    const slash = entry.indexOf('/')
    const name = slash === -1 ? entry : entry.slice(0, slash)
    const allowed = tools.get(name)
    const allowsAll = slash === -1 || (tools.has(name) && allowed === undefined)
    tools.set(name, allowsAll ? undefined : new Set([...(allowed ?? []), entry.slice(slash + 1)]))
  }
  return [...tools].map(([name, only]) => ({
    name,
    only,
    endpoint: endpointOf(config, name, context),
  }))
}

/** Throws for a server that is not configured. */
export function endpointOf(
  config: ZdxConfig,
  name: string,
  { logins, ...context }: ServerContext,
): ServerCommand | ServerAddress {
  return serverEndpoint(name, sectionOf(config, name), {
    ...context,
    cwd: context.root,
    providerKeys: keyVariables(config),
    login: logins && { logins, command: `zdx mcp login ${name}` },
  })
}

export function sectionOf(config: ZdxConfig, name: string): Section {
  const sections = config.mcp ?? {}
  const section = Object.hasOwn(sections, name) ? sections[name] : undefined
  if (section !== undefined) return section
  const configured = Object.keys(sections).join(', ') || 'none'
  throw usageError(`no MCP server '${name}' is configured (configured: ${configured})`)
}
