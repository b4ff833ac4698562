// `zino mcp`: serves the memory as MCP tools over standard input and output.
import type { Host } from '@zee/core/exit'
import { findClientConfig } from '../config/config.ts'
import { boundYoungGeneration } from '../lifecycle/lifecycle.ts'
import { serveMcp } from './mcp.ts'

export async function runMcp(call: { config: string | undefined }, host: Host): Promise<number> {
  boundYoungGeneration()
  const lookup = { requested: call.config, env: host.env, cwd: host.cwd }
  const { config } = await findClientConfig(lookup)
  await serveMcp(config, host)
  return 0
}
