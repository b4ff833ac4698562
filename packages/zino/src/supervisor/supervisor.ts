// Starts the seven services together, restarts each on its own, and stops them in an order that lets
// running answers finish and be stored.
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
  config: ZinoConfig
  clock: Clock
  log: Logger
  program(name: ServiceName): ServiceProgram
  onLog?: ((name: ServiceName, chunk: Buffer) => void) | undefined
  /** Called once, when all seven have answered a ping. */
  onAllReady(): void
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
  readonly #services: ReadonlyMap<ServiceName, SupervisedService>
  readonly #ready = new Set<ServiceName>()
  #watchdogs: Watchdog[] = []
  #announced = false
  #stopped: Promise<void> | undefined

  constructor(options: SupervisorOptions) {
    const { clock, log, onLog } = options
    this.#options = options
    this.#services = new Map(
      serviceNames.map((name) => [
        name,
        new SupervisedService({
          name,
          clock,
          log,
          program: options.program(name),
          onLog: onLog === undefined ? undefined : (chunk) => onLog(name, chunk),
          onReady: () => void this.#onReady(name),
        }),
      ]),
    )
  }

  start(): void {
    const { config, log } = this.#options
    for (const service of this.#services.values()) {
      service.start()
      const watchdog = new Watchdog({
        name: service.name,
        socket: config[service.name].socket,
        log,
        isUp: () => service.status.state === 'up',
        onHung: () => service.kill(),
      })
      this.#watchdogs.push(watchdog)
    }
  }

  /** Restarts one service; resolves to its pid when it answers. */
  async restart(name: ServiceName, program?: ServiceProgram): Promise<number | undefined> {
    const service = this.#services.get(name) as SupervisedService
    this.#ready.delete(name)
    await service.restart(program)
    const end = performance.now() + restartDeadlineMs
    while (!this.#ready.has(name)) {
      if (performance.now() > end) throw new ZeeError('restart', `${name} does not answer`)
      await pause(readyPollMs)
    }
    return service.status.pid
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
    for (const watchdog of this.#watchdogs) watchdog.stop()
    const { daemon, mem, others } = this.#groups()
    const timer = setTimeout(() => {
      for (const service of this.#services.values()) service.kill()
    }, killAfterMs)
    const daemonGone = daemon.stop()
    await waitAtMost(daemonGone, daemonDrainMs)
    const othersGone = others.map((service) => service.stop())
    // mem stops last: the daemon stores an answer as its last step.
    await waitAtMost(daemonGone, storeWaitMs)
    await Promise.all([daemonGone, ...othersGone, mem.stop()])
    clearTimeout(timer)
  }

  #groups(): { daemon: SupervisedService; mem: SupervisedService; others: SupervisedService[] } {
    const all = [...this.#services.values()]
    const named = (name: ServiceName) => this.#services.get(name) as SupervisedService
    const others = all.filter(({ name }) => name !== 'daemon' && name !== 'mem')
    return { daemon: named('daemon'), mem: named('mem'), others }
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
    if (this.#announced || this.#ready.size < serviceNames.length) return
    this.#announced = true
    this.#options.onAllReady()
  }
}
