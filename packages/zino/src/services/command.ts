// One service as a process: configuration, socket, signals, end. Under a supervisor the configuration
// comes on stdin, which is then the lifeline (when it closes, the supervisor is gone, however it
// went), and a line on stdout says that the service listens.
import { writeSync } from 'node:fs'
import { reasonOf } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { Logger } from '@zee/core/log'
import type { FoundConfig } from '../config/config.ts'
import type { Handover } from '../lifecycle/lifecycle.ts'
import {
  readyLine,
  serviceLogger,
  stopSignal,
  readHandover,
  stderrWriter,
} from '../lifecycle/lifecycle.ts'
import type { RunningService, Service } from '../service/service.ts'
import { serve } from '../service/service.ts'
import type { ServiceName } from './services.ts'
import { loadService } from './services.ts'

export interface ServiceCall {
  name: ServiceName
  config: string | undefined
  supervised: boolean
}

/** After the end nothing should be left to do; a forgotten handle must not keep the process. */
const forcedExitMs = 300

/** The supervisor waits no longer than this and a moment for the whole of its services. */
const supervisedDrainMs = 1500

/** Runs until it is told to stop; resolves to the exit code. */
export async function runService(call: ServiceCall, host: Host): Promise<number> {
  const { name, supervised } = call
  const signalled = stopSignal()
  const [{ config, warnings, file, key }, start] = await Promise.all([
    loadServiceConfig(call, host),
    loadService(name),
  ])
  const env = key === undefined ? host.env : { ...host.env, LLM_API_KEY: key }
  const log = serviceLogger({ name, config, env, write: stderrWriter(host) })
  for (const warning of warnings) log.warn(warning)
  exitOnUncaughtError(log)
  const service = await start({ config, log, clock: host.clock, env })
  const { socket } = config[name]
  const running = await listen(service, { path: socket, log, supervised })
  reloadOnHangup(service, log)
  log.info(`listening at ${socket} (${file})`)
  const reason = await (supervised ? Promise.race([signalled, supervisorGone(host)]) : signalled)
  log.info(`stopping: ${reason}`)
  await running.stop()
  if (supervised) host.stdin.destroy()
  setTimeout(() => process.exit(0), forcedExitMs).unref()
  return 0
}

/** The supervisor has read the file and complained about it; reading it again would cost a third. */
async function loadServiceConfig(
  call: ServiceCall,
  host: Host,
): Promise<FoundConfig & Pick<Handover, 'key'>> {
  if (call.supervised) return { ...readHandover(0), warnings: [] }
  const { findConfig } = await import('../config/config.ts')
  return findConfig({ requested: call.config, env: host.env, cwd: host.cwd })
}

async function listen(
  service: Service,
  { path, log, supervised }: { path: string; log: Logger; supervised: boolean },
): Promise<RunningService> {
  try {
    return await serve(service, { path, log, drainMs: supervised ? supervisedDrainMs : undefined })
  } catch (error) {
    await service.close?.()
    throw error
  }
}

/** Tells the supervisor that the service listens; resolves when the supervisor is gone. */
function supervisorGone(host: Host): Promise<string> {
  writeSync(1, readyLine)
  return new Promise((resolve) => {
    const gone = () => resolve('the supervisor is gone')
    host.stdin.on('end', gone).on('error', gone).on('close', gone).resume()
  })
}

/** A fault of ours ends the service with a line in its log; the supervisor starts it again. */
function exitOnUncaughtError(log: Logger): void {
  process.on('uncaughtException', (error) => {
    log.error(`unexpected error, ending: ${error.stack ?? reasonOf(error)}`)
    process.exit(1)
  })
}

function reloadOnHangup(service: Service, log: Logger): void {
  process.on('SIGHUP', () => {
    if (service.reload === undefined) return
    log.info('reading definitions again')
    void Promise.resolve()
      .then(() => service.reload?.())
      .catch((error: unknown) => log.error(`reload failed: ${reasonOf(error)}`))
  })
}
