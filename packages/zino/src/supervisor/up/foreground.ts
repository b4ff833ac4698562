// `zino up` in the foreground: supervises until a signal or `zino stop`.
import path from 'node:path'
import { ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { Logger } from '@zee/core/log'
import { askService } from '../../client/client.ts'
import type { FoundConfig, ZinoConfig } from '../../config/config.ts'
import { configWarnings, findConfig } from '../../config/config.ts'
import {
  handoverLine,
  serviceLogger,
  stderrWriter,
  stopSignal,
  withoutKeys,
} from '../../lifecycle/lifecycle.ts'
import type { RunningService, Service } from '../../service/service.ts'
import { serve } from '../../service/service.ts'
import type { ServiceName } from '../../services/services.ts'
import { allServiceNames } from '../../services/services.ts'
import { checkSocketPath, isMessage } from '../../wire/wire.ts'
import { controlSocket } from '../control-socket.ts'
import { changedServices } from '../changed-services.ts'
import type { ReloadReport } from '../control.ts'
import { controlService } from '../control.ts'
import { LogFile, logFolder } from '../log-files.ts'
import { describeReload } from '../reload/reload.ts'
import { isDisabled, startedServices } from '../started-services.ts'
import { alreadyUp, claimDataFolder } from '../owner.ts'
import type { ServiceProgram } from '../supervised-service.ts'
import { Supervisor } from '../supervisor.ts'

export interface ForegroundCall {
  config: string | undefined
  /** Detached: write log files instead of stderr. */
  background: boolean
  /** The command line that starts this program. */
  launcher: readonly string[]
}

type FoundFile = FoundConfig & { file: string }

export async function runForeground(call: ForegroundCall, host: Host): Promise<number> {
  const signalled = stopSignal()
  // The reader of stdout may leave after startup; the services keep running.
  host.stdout.on('error', () => {})
  const lookup = { requested: call.config, env: host.env, cwd: host.cwd, use: 'execution' } as const
  const found = await findConfig(lookup)
  const { config, file } = found
  for (const name of allServiceNames) checkSocketPath(config[name].socket)
  const files = call.background ? openLogFiles(config, host) : undefined
  const ownFile = files?.get('up')
  const write =
    ownFile === undefined ? stderrWriter(host) : (line: string) => ownFile.write(Buffer.from(line))
  const log = serviceLogger({ name: 'up', config, env: host.env, write })
  for (const warning of configWarnings(found)) log.warn(warning)
  if (found.isUntrusted === true && host.env.LLM_API_KEY) {
    log.warn(`${file} is not trusted: no key of the environment is used (see 'zino trust')`)
  }
  let onStopped = () => {}
  const stopped = new Promise<string>((resolve) => {
    onStopped = () => resolve('zino stop')
  })
  const running = { config, found }
  const names = startedServices(config)
  const supervisor = new Supervisor({
    names,
    config,
    clock: host.clock,
    log,
    program: (name) => serviceProgram(call.launcher, name, running.found, host),
    onLog: files && ((name, chunk) => files.get(name)?.write(chunk)),
    onAllReady: (count) => {
      host.stdout.write(`zino is up: all ${count} services answer (${file})\n`)
    },
  })
  const { clock } = host
  const { pid } = process
  const reload = async () => {
    const report = await reloadConfig(supervisor, running, call, host)
    log.info(describeReload(report))
    return report
  }
  const service = controlService({
    ...{ supervisor, running, configFile: file, clock, pid, onStopped, reload },
  })
  const control = await claimControl(service, controlSocket(config), log)
  const owner = await claimDataFolder(config, file).catch(async (error: unknown) => {
    await control.stop()
    throw error
  })
  supervisor.start()
  onHangup(supervisor, host)
  log.info(`stopping: ${await Promise.race([signalled, stopped])}`)
  await supervisor.stop()
  await control.stop()
  await owner.release()
  return 0
}

/** Hands a changed configuration to the services; a change of paths needs a new start. */
async function reloadConfig(
  supervisor: Supervisor,
  running: { config: ZinoConfig; found: FoundFile },
  call: ForegroundCall,
  host: Host,
): Promise<ReloadReport> {
  const lookup = { requested: call.config, env: host.env, cwd: host.cwd, use: 'execution' } as const
  const found = await findConfig(lookup)
  const before = running.config
  const isMoved = allServiceNames.some((name) => found.config[name].socket !== before[name].socket)
  if (isMoved || found.config.mem.data_dir !== before.mem.data_dir) {
    throw new ZeeError('reload', 'sockets and data_dir change only with zino stop and zino up')
  }
  supervisor.reload()
  Object.assign(running, { config: found.config, found })
  const known = supervisor.status().map(({ name }) => name)
  const stopped = known.filter((name) => isDisabled(name, found.config))
  const changed = changedServices(before, found.config)
  const restarted = known.filter((name) => changed.includes(name) && !stopped.includes(name))
  const started = startedServices(found.config).filter((name) => !known.includes(name))
  for (const name of stopped) await supervisor.remove(name)
  for (const name of restarted) {
    await supervisor.restart(name, serviceProgram(call.launcher, name, found, host))
  }
  for (const name of started) await supervisor.ensure(name)
  return { restarted, started, stopped }
}

/** The owner of the control socket is the only supervisor of this configuration. */
async function claimControl(
  service: Service,
  socket: string,
  log: Logger,
): Promise<RunningService> {
  try {
    return await serve(service, { path: socket, log, drainMs: 200 })
  } catch (error) {
    if (!(error instanceof ZeeError) || error.code !== 'in_use') throw error
    throw alreadyUp(await ownerAt(socket), socket)
  }
}

/** The supervisor that answers at the socket. */
async function ownerAt(socket: string): Promise<string> {
  try {
    const { supervisor } = await askService(socket, { type: 'status' }, { deadlineMs: 2000 })
    if (isMessage(supervisor)) {
      return `pid ${String(supervisor.pid)}, configuration ${String(supervisor.config)}`
    }
  } catch {
    // It does not answer; the socket alone must do.
  }
  return socket
}

function serviceProgram(
  [command = '', ...launcher]: readonly string[],
  name: ServiceName,
  found: FoundFile,
  host: Host,
): ServiceProgram {
  const args = [...launcher, name, '--config', found.file, '--supervised']
  const given = found.isUntrusted === true ? withoutKeys(host.env) : host.env
  const { LLM_API_KEY: key, ...env } = given
  return { command, args, cwd: host.cwd, env, handover: handoverLine({ ...found, key }) }
}

function openLogFiles(config: ZinoConfig, host: Host): ReadonlyMap<string, LogFile> {
  const folder = path.resolve(host.cwd, logFolder(config))
  const names = [...allServiceNames, 'up']
  return new Map(names.map((name) => [name, new LogFile(folder, name, host.clock)]))
}

/** With a terminal SIGHUP means that it was closed, so zino stops; without one it means reload. */
function onHangup(supervisor: Supervisor, host: Host): void {
  const hasTerminal = host.stderr.isTTY === true
  process.on('SIGHUP', () => {
    if (hasTerminal) process.kill(process.pid, 'SIGTERM')
    else supervisor.reload()
  })
}
