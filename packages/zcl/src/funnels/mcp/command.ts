// `zcl mcp proxy`: selects the stdio or the network proxy from the command line.
import type { Host } from '@zee/core/exit'
import { zclError } from '../../errors/errors.ts'
import {
  injectSettings,
  isHttpFault,
  refuseHttpFaults,
  type InjectRule,
} from '../../faults/faults.ts'
import type { Launcher } from '../../programs/programs.ts'
import { serveVariable } from '../../served/served.ts'
import { parseListen } from '../funnels.ts'
import type { NetworkUpstream } from './network/network.ts'
import { proxyLimits, type ProxyFlags } from './limits.ts'

export interface McpProxyFlags extends ProxyFlags {
  listen: string | undefined
  upstream: string | undefined
  /** The folder of the attempt; the environment names it by default. */
  attempt: string | undefined
  inject: readonly InjectRule[]
  injectSeed: number | undefined
}

export async function runMcpProxy(
  argv: readonly string[],
  flags: McpProxyFlags,
  host: Host,
  launcher: Launcher,
): Promise<number> {
  const limits = proxyLimits(flags, host.env)
  refuseHttpFaults(flags.inject)
  const { rules, seed } = injectSettings(flags, host.env)
  const inject = { rules: rules.filter((rule) => !isHttpFault(rule)), seed }
  const { upstream, listen } = flags
  if (upstream === undefined && listen === undefined) {
    if (argv.length === 0)
      throw usage('name a server: zcl mcp proxy -- <server>, or --upstream <url>')
    const command = servedCommand(argv, flags, host, launcher) ?? argv
    const { runStdioProxy } = await import('./stdio/stdio.ts')
    return runStdioProxy({ argv, command, limits, inject, attempt: flags.attempt }, host)
  }
  if (argv.length > 0) throw usage('give either a server after -- or --upstream, not both')
  if (upstream === undefined) throw usage('--listen needs --upstream <url>')
  const { runNetworkProxy } = await import('./network/network.ts')
  return runNetworkProxy(
    {
      listen: parseListen(listen ?? '127.0.0.1:0'),
      upstream: networkUpstream(upstream),
      limits,
      inject,
      attempt: flags.attempt,
    },
    host,
  )
}

function isServed({ env }: Host): boolean {
  return (env[serveVariable] ?? '') !== ''
}

/** The program that answers from the trace of a fork in place of the server. */
function servedCommand(
  argv: readonly string[],
  { attempt }: McpProxyFlags,
  host: Host,
  { node, script }: Launcher,
): string[] | undefined {
  if (!isServed(host)) return undefined
  const named = attempt === undefined ? [] : ['--attempt', attempt]
  const plan = host.env[serveVariable] ?? ''
  return [node, script, 'mcp', 'serve-trace', '--plan', plan, ...named, '--', ...argv]
}

const kinds: ReadonlyMap<string, NetworkUpstream['kind']> = new Map([
  ['http:', 'http'],
  ['https:', 'http'],
  ['ws:', 'ws'],
  ['wss:', 'ws'],
  ['tcp:', 'tcp'],
])

function networkUpstream(text: string): NetworkUpstream {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const kind = kinds.get(url?.protocol ?? '')
  if (kind !== undefined && (kind !== 'tcp' || url?.port !== '')) return { kind, url: text }
  throw usage('--upstream needs an http, https, ws or wss URL, or tcp://host:port')
}

function usage(message: string): Error {
  return zclError('ZCL_E_USAGE', `${message} (see 'zcl mcp proxy --help')`)
}
