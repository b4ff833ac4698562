// The tools of a conversation: the defaults, or those that `tools` names. MCP code is loaded only when
// `mcp:<server>` or `mcp:<server>/<tool>` is named, or an editor brings servers.
import type { Tool, Turn } from '@zee/agent'
import { defaultTools, toolNames, toolsNamed } from '@zee/agent'
import { usageError } from '@zee/core/errors'
import type { AllowedServer, ServerTools } from '@zee/agent/mcp'
import type { Logins } from '@zee/mcp/login'
import type { ServerContext } from '../mcp/mcp.ts'
import type { Settings } from '../settings/settings.ts'
import { loginsFile } from '../settings/settings.ts'

export interface OpenTools {
  /** The MCP servers of the conversation. */
  servers?: ServerTools
  offered: Pick<Turn, 'tools' | 'gather'>
  close(): Promise<void>
}

/** Opens the named tools and all tools of `editorServers`. */
export async function openTools(
  { values, base }: Settings,
  context: ServerContext,
  editorServers: readonly AllowedServer[],
): Promise<OpenTools> {
  const names = namedTools(values.tools ?? [])
  const unknown = names.find((name) => !toolNames.includes(name) && !name.startsWith(mcpPrefix))
  if (unknown !== undefined) {
    const valid = [...toolNames, 'mcp:<server>', 'mcp:<server>/<tool>'].join(', ')
    throw usageError(`unknown tool '${unknown}' (known: ${valid})`)
  }
  const jobs = names.includes('jobs') ? (await import('@zee/agent/jobs')).openJobs() : undefined
  const builtIn = values.tools === undefined ? defaultTools : toolsNamed(names)
  const own = [
    ...(jobs?.tools ?? []).filter(({ name }) => names.includes(name)),
    ...(names.includes('web_fetch') ? [await openWebFetch(values, context)] : []),
  ]
  const tools = [
    ...builtIn.filter(({ name }) => !own.some((tool) => tool.name === name)),
    ...own,
  ].sort((a, b) => (a.name < b.name ? -1 : 1))
  const mcpNames = names.filter((name) => name.startsWith(mcpPrefix))
  if (mcpNames.length + editorServers.length === 0)
    return { offered: { tools }, close: async () => jobs?.close() }
  const [{ allowedServers, clientInfo }, { openServerTools }, { openLogins }] = await Promise.all([
    import('../mcp/mcp.ts'),
    import('@zee/agent/mcp'),
    import('@zee/mcp/login'),
  ])
  const requested = mcpNames.map((name) => name.slice(mcpPrefix.length))
  const logins = openLogins(loginsFile(base))
  const servers = openServerTools(
    [
      ...allowedServers(values, requested, { ...context, logins }),
      ...editorServers.map((server) => withLogins(server, logins)),
    ],
    clientInfo,
  )
  return {
    servers,
    offered: { tools, gather: servers.gather },
    close: async () => void (await Promise.all([servers.close(), jobs?.close()])),
  }
}

/** A server of the editor may require a login, too. */
function withLogins(server: AllowedServer, logins: Logins): AllowedServer {
  const { endpoint } = server
  const isKeyed = 'url' in endpoint && endpoint.secrets.length > 0
  if (!('url' in endpoint) || isKeyed) return server
  const command = `zdx mcp login ${endpoint.url.href}`
  return { ...server, endpoint: { ...endpoint, login: { logins, command } } }
}

async function openWebFetch(
  { web_fetch_hosts: allowedHosts = [] }: Settings['values'],
  { fullEnv }: ServerContext,
): Promise<Tool> {
  const { webFetchTool } = await import('@zee/agent/web')
  return webFetchTool({ allowedHosts, environment: fullEnv })
}

const mcpPrefix = 'mcp:'

/** `+name` adds a tool to the default ones; a name without the sign replaces them. */
function namedTools(names: readonly string[]): string[] {
  const isAdded = (name: string) => name.startsWith('+')
  const plain = names.map((name) => (isAdded(name) ? name.slice(1) : name))
  const isAddition = names.length > 0 && names.every(isAdded)
  return isAddition ? [...defaultTools.map(({ name }) => name), ...plain] : plain
}
