// Signals a child and everything it started. Each child leads its own session; `timeout` and `set -m`
// create further process groups in it, so stopping a child means signalling the whole session.
import { readdirSync } from 'node:fs'
import { errnoOf } from '../errors/errors.ts'
import { isZombie, processStat } from '../identity/identity.ts'

const firstPollMs = 2
const maxPollMs = 50
// KILL cannot be ignored, but a process in uninterruptible disk wait dies only after the wait.
const killWaitMs = 500

export class ProcessGroup {
  readonly pid: number
  #hasLeaderEnded = false
  #isGone = false

  constructor(pid: number) {
    this.pid = pid
  }

  /** Call this when the child itself was reaped: from then on its pid may be reused. */
  leaderEnded(): void {
    this.#hasLeaderEnded = true
  }

  /** Signals the child's own process group, as a terminal does. */
  signal(signal: NodeJS.Signals): boolean {
    return this.#isOurs() && send(-this.pid, signal)
  }

  /** Whether the session has a process that is not a zombie. */
  isAlive(): boolean {
    if (!this.#isOurs()) return false
    // Scanning /proc is expensive; a child that was not reaped counts as alive.
    if (!this.#hasLeaderEnded) return true
    const groups = this.#liveGroups()
    return groups === undefined ? send(-this.pid, 0) : groups.size > 0
  }

  /** Sends TERM, then KILL to the processes left after the grace time. Resolves when all are dead. */
  async stop(graceMs: number): Promise<void> {
    this.#signalSession('SIGTERM')
    if (await this.#exitsWithin(graceMs)) return
    this.#signalSession('SIGKILL')
    await this.#exitsWithin(killWaitMs)
  }

  async #exitsWithin(ms: number): Promise<boolean> {
    let waitMs = firstPollMs
    for (let leftMs = ms; leftMs > 0; leftMs -= waitMs) {
      if (!this.isAlive()) return true
      waitMs = Math.min(waitMs * 2, maxPollMs, leftMs)
      await pause(waitMs)
    }
    return !this.isAlive()
  }

  #signalSession(signal: NodeJS.Signals): void {
    if (!this.#isOurs()) return
    for (const group of this.#liveGroups() ?? [this.pid]) send(-group, signal)
  }

  /**
   * A group's number is not given to another process while the group has a member. So if the child
   * was reaped and a process with its pid exists, the group is empty and the pid was reused.
   */
  #isOurs(): boolean {
    if (this.#hasLeaderEnded && !this.#isGone && send(this.pid, 0)) this.#isGone = true
    return !this.#isGone
  }

  /** The groups of the session that have a live member; undefined without /proc. */
  #liveGroups(): Set<number> | undefined {
    let names: string[]
    try {
      names = readdirSync('/proc')
    } catch {
      return undefined
    }
    const groups = new Set<number>()
    for (const name of names) {
      if (!isNumber(name)) continue
      const stat = processStat(name)
      if (stat === undefined || isZombie(stat)) continue
      if (stat.session === this.pid || stat.group === this.pid) groups.add(stat.group)
    }
    return groups
  }
}

function isNumber(name: string): boolean {
  const first = name.charCodeAt(0)
  return first >= 0x30 && first <= 0x39
}

/** False if there is no such process. EPERM (a member changed its user) counts as alive. */
function send(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(target, signal)
    return true
  } catch (error) {
    return errnoOf(error) === 'EPERM'
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
