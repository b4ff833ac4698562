// `zcl mcp proxy`: which kind of proxy is wanted, and whether the command line says so clearly.
import type { Host } from '@zee/core/exit'
import { zclError } from '@zee/evidence/errors'
import { proxyLimits, type ProxyFlags } from './proxy-options.ts'
import { runStdioProxy } from './stdio-proxy.ts'

export async function runMcpProxy(
  argv: readonly string[],
  flags: ProxyFlags,
  host: Host,
): Promise<number> {
  if (argv.length === 0) {
    throw zclError(
      'ZCL_E_USAGE',
      "no server: zcl mcp proxy -- <server> (see 'zcl mcp proxy --help')",
    )
  }
  return runStdioProxy(argv, proxyLimits(flags, host.env), host)
}
