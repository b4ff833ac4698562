// The tools of a conversation: the four of every one, or those that the user lists. Tools of servers
// are listed as `mcp:<server>` or `mcp:<server>/<tool>`, and only then is anything of MCP loaded.
import type { Turn } from '@zee/agent'
import { defaultTools, toolNames, toolsNamed } from '@zee/agent'
import { usageError } from '@zee/core/errors'
import type { AllowedServer } from '@zee/agent/mcp'
import type { ServerPlace } from '../mcp/mcp.ts'
import type { Settings } from '../settings/settings.ts'

export interface OpenTools {
  offered: Pick<Turn, 'tools' | 'gather'>
  close(): Promise<void>
}

/** `given` are servers that somebody else allowed: an editor that brings its own. */
export async function openTools(
  { values }: Settings,
  place: ServerPlace,
  given: readonly AllowedServer[],
): Promise<OpenTools> {
  const names = values.tools ?? []
  const unknown = names.find((name) => !toolNames.includes(name) && !name.startsWith(mcpPrefix))
  if (unknown !== undefined) {
    const known = [...toolNames, 'mcp:<server>', 'mcp:<server>/<tool>'].join(', ')
    throw usageError(`unknown tool '${unknown}' (known: ${known})`)
  }
  const own = values.tools === undefined ? defaultTools : toolsNamed(names)
  const foreign = names.filter((name) => name.startsWith(mcpPrefix))
  if (foreign.length + given.length === 0) return { offered: { tools: own }, close: async () => {} }
  const [{ allowedServers, ownName }, { openServerTools }] = await Promise.all([
    import('../mcp/mcp.ts'),
    import('@zee/agent/mcp'),
  ])
  const wanted = foreign.map((name) => name.slice(mcpPrefix.length))
  const servers = openServerTools([...allowedServers(values, wanted, place), ...given], ownName)
  return { offered: { tools: own, gather: servers.gather }, close: servers.close }
}

const mcpPrefix = 'mcp:'
