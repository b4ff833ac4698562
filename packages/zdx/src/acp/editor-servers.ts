// MCP servers that an editor brings along, as servers that a conversation may use whole.
import type { McpServer } from '@agentclientprotocol/sdk'
import { RequestError } from '@agentclientprotocol/sdk'
import type { AllowedServer } from '@zee/agent/mcp'
import type { Host } from '@zee/core/exit'
import { plainEnvironment } from '../mcp/mcp.ts'

export function serversOf(
  servers: readonly McpServer[],
  root: string,
  env: Host['env'],
): AllowedServer[] {
  return servers.map((server) => ({
    name: server.name,
    only: undefined,
    endpoint: placeOf(server, root, env),
  }))
}

function placeOf(server: McpServer, root: string, env: Host['env']): AllowedServer['endpoint'] {
  if ('command' in server) {
    const { command, args } = server
    return { command, args, env: { ...plainEnvironment(env), ...pairs(server.env) }, cwd: root }
  }
  if (server.type === 'sse' || !URL.canParse(server.url)) {
    const why = server.type === 'sse' ? 'speaks SSE, which is not supported' : 'has no valid url'
    throw RequestError.invalidParams(undefined, `MCP server ${server.name} ${why}`)
  }
  return {
    url: new URL(server.url),
    headers: pairs(server.headers),
    secrets: server.headers.map(({ value }) => value).filter((value) => value.length >= 8),
  }
}

function pairs(list: readonly { name: string; value: string }[]): Record<string, string> {
  return Object.fromEntries(list.map(({ name, value }) => [name, value]))
}
