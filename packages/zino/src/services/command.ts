// Runs one service as a process. Under a supervisor the configuration comes on stdin, and a line on
// stdout reports that the service listens. stdin is then the lifeline: it closes when the supervisor
// ends, even by SIGKILL.
import { writeSync } from 'node:fs'
import { reasonOf } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { Logger } from '@zee/core/log'
import type { FoundConfig } from '../config/config.ts'
import type { Handover } from '../lifecycle/lifecycle.ts'
import {
  boundYoungGeneration,
  keepHeapSmall,
  readyLine,
  restartSignal,
  serviceLogger,
  stopSignal,
  readHandover,
  stderrWriter,
  withoutKeys,
} from '../lifecycle/lifecycle.ts'
import type { RunningService, Service } from '../service/service.ts'
import { serve } from '../service/service.ts'
import type { ServiceName } from './services.ts'
import { hasSmallHeap, loadService } from './services.ts'

export interface ServiceCall {
  name: ServiceName
  config: string | undefined
  supervised: boolean
}

/** After the stop, a leaked handle keeps the process alive no longer than this. */
const forcedExitMs = 300

/** Time for pending answers before a service exits by itself. */
const answerMs = 100

/** Services that start no commands. */
const commandless: ReadonlySet<ServiceName> = new Set<ServiceName>(['rtr', 'sys', 'mem', 'ctx'])
/** Keeps a stop within the supervisor's kill deadline of 3.4 s. */
const supervisedDrainMs = 1500

/** Runs until a stop signal; resolves to the exit code. */
export async function runService(call: ServiceCall, host: Host): Promise<number> {
  const { name, supervised } = call
  const signalled = stopSignal()
  const [{ config, warnings, file, key, isUntrusted }, start] = await Promise.all([
    loadServiceConfig(call, host),
    loadService(name),
  ])
  const ownEnv = isUntrusted === true ? withoutKeys(host.env) : host.env
  const env = key === undefined ? ownEnv : { ...ownEnv, LLM_API_KEY: key }
  const log = serviceLogger({ name, config, env, write: stderrWriter(host) })
  for (const warning of warnings) log.warn(warning)
  if (isUntrusted === true && host.env.LLM_API_KEY) {
    log.warn(`${file} is not trusted: no key of the environment is used (see 'zino trust')`)
  }
  exitOnUncaughtError(log)
  boundYoungGeneration()
  if (hasSmallHeap(name)) keepHeapSmall()
  let stopReason = ''
  const service = await start({
    config,
    log,
    clock: host.clock,
    env,
    configFile: file,
    isSupervised: supervised,
    exit: (reason) => exitSoon(log, reason),
    isRestarting: () => stopReason === restartSignal,
  })
  const { socket } = config[name]
  const running = await listen(service, { path: socket, log, supervised })
  reloadOnHangup(service, log)
  log.info(`listening at ${socket} (${file})`)
  if (supervised) writeSync(1, readyLine)
  const reason = await (supervised ? Promise.race([signalled, supervisorGone(host)]) : signalled)
  stopReason = reason
  log.info(`stopping: ${reason}`)
  await running.stop()
  if (supervised) host.stdin.destroy()
  setTimeout(() => process.exit(0), forcedExitMs).unref()
  return 0
}

/** A supervised service skips reading the file: that would take a third of its start time. */
async function loadServiceConfig(
  call: ServiceCall,
  host: Host,
): Promise<FoundConfig & Pick<Handover, 'key'>> {
  if (call.supervised) return { ...readHandover(0), warnings: [] }
  const { findConfig } = await import('../config/config.ts')
  const use = commandless.has(call.name) ? 'service' : 'execution'
  const lookup = { requested: call.config, env: host.env, cwd: host.cwd, use } as const
  return findConfig(lookup)
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

/** Resolves when the supervisor has closed stdin. */
function supervisorGone(host: Host): Promise<string> {
  return new Promise((resolve) => {
    const gone = () => resolve('the supervisor is gone')
    host.stdin.on('end', gone).on('error', gone).on('close', gone).resume()
  })
}

/** An unexpected error ends the process with a log line; the supervisor restarts it. */
function exitOnUncaughtError(log: Logger): void {
  process.on('uncaughtException', (error) => {
    log.error(`unexpected error, exiting: ${error.stack ?? reasonOf(error)}`)
    process.exit(1)
  })
}

function exitSoon(log: Logger, reason: string): void {
  log.error(`exiting: ${reason}`)
  setTimeout(() => process.exit(1), answerMs)
}

function reloadOnHangup(service: Service, log: Logger): void {
  process.on('SIGHUP', () => {
    if (service.reload === undefined) return
    log.info('reloading definitions')
    void Promise.resolve()
      .then(() => service.reload?.())
      .catch((error: unknown) => log.error(`reload failed: ${reasonOf(error)}`))
  })
}
