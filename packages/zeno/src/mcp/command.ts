// `zeno mcp`: serves the operations as MCP tools over standard input and output.
import type { Host } from '@zee/core/exit'
import { openService } from '../service/service.ts'
import type { ServiceSettings } from '../service/service.ts'
import { serveMcp } from './mcp.ts'

export async function runMcp(settings: ServiceSettings, host: Host): Promise<number> {
  const { service, close } = await openService(settings, host)
  try {
    await serveMcp(service, { hasTrace: settings.log !== undefined }, host)
  } finally {
    await close()
  }
  return 0
}
