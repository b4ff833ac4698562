// The supervisor's control service: answers `status`, `stop`, `start`, `restart` and `reload`.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Clock } from '@zee/core/clock'
import { rfc3339 } from '@zee/core/clock'
import type { ZinoConfig } from '../config/config.ts'
import type { Service } from '../service/service.ts'
import { requestError } from '../fields/fields.ts'
import { handlersOf } from '../service/service.ts'
import type { ServiceName } from '../services/services.ts'
import { allServiceNames } from '../services/services.ts'
import type { Message } from '../wire/wire.ts'
import { isDisabled } from './started-services.ts'
import type { Supervisor } from './supervisor.ts'

export interface ServiceReport {
  name: string
  state: string
  pid: number | null
  restarts: number
  since: string
  uptime_seconds: number | null
  rss_bytes: number | null
  socket: string
  last_end: string | null
}

export interface ReloadReport {
  restarted: readonly string[]
  started: readonly string[]
  stopped: readonly string[]
}

export interface ControlOptions {
  supervisor: Supervisor
  /** As it was read last. */
  running: { readonly config: ZinoConfig }
  configFile: string
  clock: Clock
  pid: number
  /** Reads the configuration again; resolves to the names of the services that it concerned. */
  reload(): Promise<ReloadReport>
  /** Called when all services have stopped on request. */
  onStopped(): void
}

export function controlService(options: ControlOptions): Service {
  const { supervisor, running, configFile, clock, pid } = options
  return {
    handlers: handlersOf({
      status: () => ({
        type: 'status',
        supervisor: { pid, config: configFile, rss_bytes: rssBytes(pid) },
        services: reportServices(supervisor, running.config, clock),
      }),
      start: async (message) => {
        const name = serviceField(message)
        assertEnabled(name, running.config)
        return { type: 'ok', pid: await supervisor.ensure(name) }
      },
      restart: async (message) => {
        const name = serviceField(message)
        assertEnabled(name, running.config)
        return { type: 'ok', pid: await supervisor.restart(name) }
      },
      reload: async () => ({ type: 'ok', ...(await options.reload()) }),
      stop: async () => {
        await supervisor.stop()
        options.onStopped()
        return { type: 'ok' }
      },
    }),
  }
}

function serviceField(message: Message): ServiceName {
  const name = allServiceNames.find((each) => each === message.service)
  if (name === undefined) throw requestError(`unknown service '${String(message.service)}'`)
  return name
}

function assertEnabled(name: ServiceName, config: ZinoConfig): void {
  if (!isDisabled(name, config)) return
  const what = name === 'tmr' ? 'timers are off' : 'the bridge is off'
  throw requestError(`${what}: [${name}] enabled is false`)
}

function reportServices(supervisor: Supervisor, config: ZinoConfig, clock: Clock): ServiceReport[] {
  const now = clock.now().getTime()
  return supervisor.status().map(({ name, status }) => ({
    name,
    state: status.state,
    pid: status.pid ?? null,
    restarts: status.restarts,
    since: rfc3339(status.since, 0),
    uptime_seconds:
      status.state === 'up' ? Math.max(0, Math.round((now - status.since.getTime()) / 1000)) : null,
    rss_bytes: status.pid === undefined ? null : rssBytes(status.pid),
    socket: path.resolve(config[name].socket),
    last_end: status.lastEnd ?? null,
  }))
}

/** Resident memory of a process; null where /proc has no answer. */
function rssBytes(pid: number): number | null {
  try {
    const found = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))
    return found === null ? null : Number(found[1]) * 1024
  } catch {
    return null
  }
}
