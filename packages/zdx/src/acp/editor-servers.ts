// Converts the MCP servers of an editor; a conversation may use all tools of such a server.
import type { McpServer } from '@agentclientprotocol/sdk'
import { RequestError } from '@agentclientprotocol/sdk'
import type { AllowedServer } from '@zee/agent/mcp'
import type { Host } from '@zee/core/exit'
import { safeEnvironment } from '@zee/mcp/section'

export function toAllowedServers(
  servers: readonly McpServer[],
  root: string,
  env: Host['env'],
): AllowedServer[] {
  return servers.map((server) => ({
    name: server.name,
    only: undefined,
    endpoint: transportOf(server, root, env),
  }))
}

function transportOf(server: McpServer, root: string, env: Host['env']): AllowedServer['endpoint'] {
  if ('command' in server) {
    const { command, args } = server
    return { command, args, env: { ...safeEnvironment(env), ...toRecord(server.env) }, cwd: root }
  }
  if (server.type === 'sse' || !URL.canParse(server.url)) {
    const why = server.type === 'sse' ? 'speaks SSE, which is not supported' : 'has no valid url'
    throw RequestError.invalidParams(undefined, `MCP server ${server.name} ${why}`)
  }
  return {
    url: new URL(server.url),
    headers: toRecord(server.headers),
    secrets: server.headers.map(({ value }) => value).filter((value) => value.length >= 8),
    environment: env,
  }
}

function toRecord(list: readonly { name: string; value: string }[]): Record<string, string> {
  return Object.fromEntries(list.map(({ name, value }) => [name, value]))
}
