// `zeno mcp`: serves the operations as MCP tools over standard input and output.
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import { openService } from '../service/service.ts'
import type { ServiceSettings } from '../service/service.ts'
import { serveMcp } from './mcp.ts'
import { maxResourceChars } from './resources.ts'

export async function runMcp(settings: ServiceSettings, host: Host): Promise<number> {
  const opened = await openService({ ...settings, recentTraceChars: maxResourceChars }, host)
  const { service, rootNames, recentLines, close } = opened
  try {
    const log = settings.log === undefined ? undefined : path.resolve(host.cwd, settings.log)
    await serveMcp(service, { hasTrace: log !== undefined, log, recentLines, rootNames }, host)
  } finally {
    await close()
  }
  return 0
}
