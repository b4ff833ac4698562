// Starts the seven services together, restarts each on its own, and stops them in an order that lets
// running answers finish and be stored.
import type { Clock } from '@zee/core/clock'
import type { Logger } from '@zee/core/log'
import { askService } from '../client/client.ts'
import type { ZinoConfig } from '../config/config.ts'
import { waitAtMost } from '../lifecycle/lifecycle.ts'
import type { ServiceName } from '../services/services.ts'
import { serviceNames } from '../services/services.ts'
import type { ServiceProgram, SupervisedState } from './supervised-service.ts'
import { SupervisedService } from './supervised-service.ts'

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

export class Supervisor {
  readonly #options: SupervisorOptions
  readonly #services: ReadonlyMap<ServiceName, SupervisedService>
  readonly #ready = new Set<ServiceName>()
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
    for (const service of this.#services.values()) service.start()
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
