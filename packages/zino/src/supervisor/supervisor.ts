// Starts the services together, an optional one when it is needed, restarts each on its own, and stops
// them in an order that lets running answers finish and be stored.
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '@zee/core/clock'
import { ZeeError } from '@zee/core/errors'
import type { Logger } from '@zee/core/log'
import { askService } from '../client/client.ts'
import type { ZinoConfig } from '../config/config.ts'
import { waitAtMost } from '../lifecycle/lifecycle.ts'
import type { ServiceName } from '../services/services.ts'
import { serviceNames } from '../services/services.ts'
import type { ServiceProgram, SupervisedState } from './supervised-service.ts'
import { SupervisedService } from './supervised-service.ts'
import { Watchdog } from './watchdog.ts'

export interface SupervisorOptions {
  /** The services to start; others may follow with `ensure`. */
  names: readonly ServiceName[]
  config: ZinoConfig
  clock: Clock
  log: Logger
  program(name: ServiceName): ServiceProgram
  onLog?: ((name: ServiceName, chunk: Buffer) => void) | undefined
  /** Called once, when all of them have answered a ping, with their number. */
  onAllReady(count: number): void
}

/** The daemon drains first: short answers finish while all other services still run. */
const daemonDrainMs = 1000
const storeWaitMs = 1500
const killAfterMs = 3400
const pingDeadlineMs = 5000
const restartDeadlineMs = 15_000
const readyPollMs = 20

export class Supervisor {
  readonly #options: SupervisorOptions
  readonly #services = new Map<ServiceName, SupervisedService>()
  readonly #ready = new Set<ServiceName>()
  readonly #watchdogs = new Map<ServiceName, Watchdog>()
  #announced = false
  #stopped: Promise<void> | undefined

  constructor(options: SupervisorOptions) {
    this.#options = options
    for (const name of options.names) this.#add(name)
  }

  start(): void {
    for (const service of this.#services.values()) this.#start(service)
  }

  /** Starts a service that is not supervised yet; resolves to its pid when it answers. */
  async ensure(name: ServiceName): Promise<number | undefined> {
    if (this.#stopped !== undefined) throw new ZeeError('restart', 'zino is stopping')
    if (!this.#services.has(name)) this.#start(this.#add(name))
    return this.#whenReady(name)
  }

  /** Restarts one service; resolves to its pid when it answers. */
  async restart(name: ServiceName, program?: ServiceProgram): Promise<number | undefined> {
    const service = this.#services.get(name)
    if (service === undefined) return this.ensure(name)
    this.#ready.delete(name)
    await service.restart(program)
    return this.#whenReady(name)
  }

  /** Stops an optional service and supervises it no longer. */
  async remove(name: ServiceName): Promise<void> {
    const service = this.#services.get(name)
    if (service === undefined) return
    this.#watchdogs.get(name)?.stop()
    this.#watchdogs.delete(name)
    this.#services.delete(name)
    this.#ready.delete(name)
    await service.stop()
  }

  #add(name: ServiceName): SupervisedService {
    const { clock, log, onLog, program } = this.#options
    const service = new SupervisedService({
      name,
      clock,
      log,
      program: program(name),
      onLog: onLog === undefined ? undefined : (chunk) => onLog(name, chunk),
      onReady: () => void this.#onReady(name),
      onEnd: () => this.#announce(),
    })
    this.#services.set(name, service)
    return service
  }

  #start(service: SupervisedService): void {
    const { config, log } = this.#options
    service.start()
    const watchdog = new Watchdog({
      name: service.name,
      socket: config[service.name].socket,
      log,
      isUp: () => service.status.state === 'up',
      onHung: () => service.kill(),
    })
    this.#watchdogs.set(service.name, watchdog)
  }

  async #whenReady(name: ServiceName): Promise<number | undefined> {
    const service = this.#services.get(name)
    const end = performance.now() + restartDeadlineMs
    while (!this.#ready.has(name)) {
      if (performance.now() > end)
        throw new ZeeError('restart', `${name} does not answer: see its log`)
      await pause(readyPollMs)
    }
    return service?.status.pid
  }

  status(): { name: ServiceName; status: SupervisedState }[] {
    return [...this.#services.values()].map(({ name, status }) => ({ name, status }))
  }

  /** Makes the services reload their files. */
  reload(): void {
    for (const service of this.#services.values()) service.signal('SIGHUP')
  }

  stop(): Promise<void> {
    return (this.#stopped ??= this.#stop())
  }

  async #stop(): Promise<void> {
    for (const watchdog of this.#watchdogs.values()) watchdog.stop()
    const { daemon, mem, timers, others } = this.#groups()
    const timer = setTimeout(() => {
      for (const service of this.#services.values()) service.kill()
    }, killAfterMs)
    // No new turn begins while the daemon drains.
    const timersGone = timers?.stop()
    const daemonGone = daemon.stop()
    await waitAtMost(daemonGone, daemonDrainMs)
    const othersGone = others.map((service) => service.stop())
    // mem stops last: the daemon stores an answer as its last step.
    await waitAtMost(daemonGone, storeWaitMs)
    await Promise.all([daemonGone, timersGone, ...othersGone, mem.stop()])
    clearTimeout(timer)
  }

  #groups() {
    const named = (name: ServiceName) => this.#services.get(name) as SupervisedService
    const [daemon, mem, timers] = [named('daemon'), named('mem'), this.#services.get('tmr')]
    const first = new Set([daemon, mem, timers])
    const others = [...this.#services.values()].filter((service) => !first.has(service))
    return { daemon, mem, timers, others }
  }

  async #onReady(name: ServiceName): Promise<void> {
    const { config, log } = this.#options
    try {
      const { socket } = config[name]
      await askService(socket, { type: 'ping' }, { deadlineMs: pingDeadlineMs })
    } catch (error) {
      log.warn(`${name} does not answer: ${String(error)}`)
      return
    }
    this.#ready.add(name)
    this.#announce()
  }

  /** An optional service that fails at its start does not hold up the others. */
  #announce(): void {
    const isSettled = (name: ServiceName) =>
      this.#ready.has(name) ||
      (!serviceNames.includes(name) && this.#services.get(name)?.status.lastEnd !== undefined)
    if (this.#announced || !this.#options.names.every(isSettled)) return
    this.#announced = true
    this.#options.onAllReady(this.#ready.size)
  }
}
