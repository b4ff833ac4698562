// `zino http`: serves the bridge until a stop signal.
import path from 'node:path'
import { usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { openTokenFile } from '@zee/core/http-guard'
import { findConfig } from '../config/config.ts'
import { boundYoungGeneration, serviceLogger, stderrWriter } from '../lifecycle/lifecycle.ts'
import { stopSignal } from '../lifecycle/lifecycle.ts'
import { openBridge } from './http.ts'

export interface HttpCall {
  config: string | undefined
  host: string | undefined
  port: number | undefined
  tokenFile: string | undefined
}

export async function runHttp(call: HttpCall, host: Host): Promise<number> {
  const signalled = stopSignal()
  boundYoungGeneration()
  host.stdout.on('error', () => {})
  const lookup = { requested: call.config, env: host.env, cwd: host.cwd, use: 'service' } as const
  const { config, warnings } = await findConfig(lookup)
  const log = serviceLogger({ name: 'http', config, env: host.env, write: stderrWriter(host) })
  for (const warning of warnings) log.warn(warning)
  const port = call.port ?? config.http.port
  if (port > 65_535) throw usageError(`--port ${port}: ports reach to 65535`)
  const address = call.host ?? config.http.host
  const tokenFile = path.resolve(host.cwd, call.tokenFile ?? config.http.token_file)
  const token = await openTokenFile(tokenFile)
  const bridge = await openBridge({ config, token, host: address, port, log, clock: host.clock })
  host.stdout.write(`listening at ${bridge.url} (token in ${tokenFile})\n`)
  log.info(`stopping: ${await signalled}`)
  await bridge.close()
  return 0
}
