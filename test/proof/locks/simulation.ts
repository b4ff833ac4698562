// One run of the lock simulation: four processes on two machines, two of them in another pid namespace, use
// one lock. They pause, are suspended, die and lose touches; their clocks are set forward and back. The
// locks are those of core. A write is acknowledged when `assertHeld` allows it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Lock } from '@zee/core/lock'
import { acquireLock } from '@zee/core/lock'
import { currentProcess } from '../../../packages/core/src/identity/identity.ts'
import type { Random } from '../../long/random.ts'
import type { VirtualDisk } from './virtual-disk.ts'

interface Actor {
  identity: { machine: string; pidNamespace: string; pid: number; started: string }
  monotonicOffsetMs: number
  /** Counts a suspend, which stops the monotonic clock. */
  uptimeOffsetMs: number
  wallOffsetMs: number
  /** Virtual time until which the process does not run. */
  pausedUntilMs: number
  held: Held | undefined
}

interface Held {
  lock: Lock
  /** Number of the acquisition. */
  token: number
  touch: (() => void) | undefined
  nextTouchMs: number
}

const steps = 60
const touchMs = 5000
/** No process has this pid: it is above the largest that Linux gives. */
const deadPid = 4_194_305

export class LockSimulation {
  acknowledged = 0
  acquired = 0
  readonly #disk: VirtualDisk
  readonly #random: Random
  readonly #folder = mkdtempSync(path.join(os.tmpdir(), 'zee-lock-simulation-'))
  readonly #file = path.join(this.#folder, 'a.lock')
  readonly #actors: Actor[]
  #lastToken = 0

  constructor(disk: VirtualDisk, random: Random) {
    this.#disk = disk
    this.#random = random
    // Processes of one namespace judge each other by pid: 1 and this process are alive.
    this.#actors = [
      ['one', 'first', 1],
      ['one', 'first', process.pid],
      ['one', 'second', 7],
      ['two', 'first', 7],
    ].map(([machine, pidNamespace, pid]) => ({
      identity: { machine, pidNamespace, pid, started: '' } as Actor['identity'],
      monotonicOffsetMs: -random.below(1_000_000_000),
      uptimeOffsetMs: -random.below(1_000_000_000),
      wallOffsetMs: random.below(7_200_000) - 3_600_000,
      pausedUntilMs: 0,
      held: undefined,
    }))
  }

  /** Runs all steps; returns what is wrong, or undefined. */
  async run(): Promise<string | undefined> {
    try {
      for (let step = 0; step < steps; step++) {
        const wrong = await this.#step()
        if (wrong !== undefined) return `step ${step}: ${wrong}`
      }
      return await this.#judgeEnd()
    } finally {
      for (const { held } of this.#actors) await held?.lock.release().catch(() => undefined)
      rmSync(this.#folder, { recursive: true, force: true })
    }
  }

  async #step(): Promise<string | undefined> {
    const random = this.#random
    this.#disk.nowMs += random.below(random.below(5) === 0 ? 12_000 : 2500)
    this.#touchDue()
    const actor = random.of(this.#actors)
    const kind = random.below(20)
    if (kind === 0) this.#pause(actor)
    else if (kind === 1) this.#suspend(actor)
    else if (kind === 2) this.#setClock(actor)
    else if (kind === 3) this.#kill(actor)
    else if (this.#isRunning(actor)) return this.#act(actor)
    return undefined
  }

  #isRunning({ pausedUntilMs }: Actor): boolean {
    return pausedUntilMs <= this.#disk.nowMs
  }

  async #act(actor: Actor): Promise<string | undefined> {
    this.#become(actor)
    const { held } = actor
    if (held === undefined) return this.#acquire(actor)
    if (this.#random.below(6) === 0) {
      actor.held = undefined
      await held.lock.release()
      return undefined
    }
    try {
      held.lock.assertHeld()
    } catch {
      // The holder noticed that it lost the lock, and stops.
      actor.held = undefined
      return undefined
    }
    this.acknowledged += 1
    if (held.token === this.#lastToken) return undefined
    return `the holder ${held.token} acknowledged a write after ${this.#lastToken} had the lock`
  }

  async #acquire(actor: Actor): Promise<string | undefined> {
    const lock = await acquireLock(this.#file, { waitMs: 0 }).catch(() => undefined)
    const touch = this.#disk.takeTimer()
    if (lock === undefined) return undefined
    this.acquired += 1
    this.#lastToken = this.acquired
    const [token, nextTouchMs] = [this.acquired, this.#disk.nowMs + touchMs]
    actor.held = { lock, token, touch, nextTouchMs }
    return undefined
  }

  /** Touches of processes that run; a part of them is lost. */
  #touchDue(): void {
    for (const actor of this.#actors) {
      const { held } = actor
      if (held === undefined || held.nextTouchMs > this.#disk.nowMs || !this.#isRunning(actor))
        continue
      this.#become(actor)
      held.nextTouchMs = this.#disk.nowMs + touchMs
      this.#disk.isTouchLost = this.#random.below(4) === 0
      held.touch?.()
      this.#disk.isTouchLost = false
    }
  }

  #pause(actor: Actor): void {
    actor.pausedUntilMs = this.#disk.nowMs + this.#random.below(90_000)
  }

  /** The wall clock may be set back at once by the same time, so that it does not show the suspend. */
  #suspend(actor: Actor): void {
    const ms = this.#random.below(90_000)
    actor.pausedUntilMs = this.#disk.nowMs + ms
    actor.monotonicOffsetMs -= ms
    if (this.#random.below(2) === 0) actor.wallOffsetMs -= ms
  }

  #setClock(actor: Actor): void {
    actor.wallOffsetMs += this.#random.below(7_200_000) - 3_600_000
  }

  /** The process is gone; another one takes its place. */
  #kill(actor: Actor): void {
    if (actor.held === undefined) return
    actor.held = undefined
    const { pid } = actor.identity
    const text = readIfPresent(this.#file)
    const isOwn = text?.includes(`"pid":${pid},`) === true && this.#isLocal(actor, text)
    if (isOwn) writeFileSync(this.#file, text.replace(`"pid":${pid},`, `"pid":${deadPid},`))
  }

  #isLocal({ identity }: Actor, text: string): boolean {
    const { machine, pidNamespace } = JSON.parse(text) as Actor['identity']
    return machine === identity.machine && pidNamespace === identity.pidNamespace
  }

  /** Code of core that runs now belongs to this process. */
  #become({ identity, monotonicOffsetMs, uptimeOffsetMs, wallOffsetMs }: Actor): void {
    Object.assign(currentProcess(), identity, { boot: identity.machine })
    const { nowMs } = this.#disk
    this.#disk.clocks = {
      monotonicMs: nowMs + monotonicOffsetMs,
      uptimeMs: nowMs + uptimeOffsetMs,
      wallMs: nowMs + wallOffsetMs,
    }
  }

  /** A lock whose holder is gone becomes free. */
  async #judgeEnd(): Promise<string | undefined> {
    for (const actor of this.#actors) actor.held = undefined
    this.#disk.nowMs += 120_000
    const text = readIfPresent(this.#file)
    if (text !== undefined) {
      writeFileSync(this.#file, text.replace(/"pid":\d+,/, `"pid":${deadPid},`))
    }
    const [actor] = this.#actors
    if (actor === undefined) return undefined
    this.#become(actor)
    for (let tries = 0; tries < 3 && actor.held === undefined; tries++) await this.#acquire(actor)
    return actor.held === undefined ? 'the lock of dead holders is never free again' : undefined
  }
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
