// Signals to everything a child started. A child leads a session of its own; `timeout`, `set -m`
// and the like make further groups inside it, so ending a child means ending its whole session.
import { readdirSync } from 'node:fs'
import { errnoOf } from '../errors/errors.ts'
import { isZombie, processStat } from '../identity/identity.ts'

const firstPollMs = 2
const lastPollMs = 50
// KILL cannot be refused, but it takes a moment, and a process in a disk wait takes longer.
const killWaitMs = 500

export class ProcessGroup {
  readonly pid: number
  #leaderEnded = false
  #gone = false

  constructor(pid: number) {
    this.pid = pid
  }

  /** To be called when the child itself was reaped: from then on its number may be given away. */
  leaderEnded(): void {
    this.#leaderEnded = true
  }

  /** To the child's own group, as a terminal would. */
  signal(signal: NodeJS.Signals): boolean {
    return this.#ours() && send(-this.pid, signal)
  }

  /** Whether anything but zombies is left. */
  isAlive(): boolean {
    if (!this.#ours()) return false
    // Looking through all processes is not cheap, and the child itself is answer enough.
    if (!this.#leaderEnded) return true
    const groups = this.#liveGroups()
    return groups === undefined ? send(-this.pid, 0) : groups.size > 0
  }

  /** TERM, then KILL to whoever is left after the grace. Resolves when all of them are dead. */
  async stop(graceMs: number): Promise<void> {
    this.#signalSession('SIGTERM')
    if (await this.#diesWithin(graceMs)) return
    this.#signalSession('SIGKILL')
    await this.#diesWithin(killWaitMs)
  }

  async #diesWithin(ms: number): Promise<boolean> {
    let waitMs = firstPollMs
    for (let left = ms; left > 0; left -= waitMs) {
      if (!this.isAlive()) return true
      waitMs = Math.min(waitMs * 2, lastPollMs, left)
      await pause(waitMs)
    }
    return !this.isAlive()
  }

  #signalSession(signal: NodeJS.Signals): void {
    if (!this.#ours()) return
    for (const group of this.#liveGroups() ?? [this.pid]) send(-group, signal)
  }

  /**
   * A group's number is not given to another process while the group has a member. So when the
   * child was reaped and yet a process of its number exists, the group is empty and the number new.
   */
  #ours(): boolean {
    if (this.#leaderEnded && !this.#gone && send(this.pid, 0)) this.#gone = true
    return !this.#gone
  }

  /** The groups of the session that have a live member; undefined where there is no /proc. */
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

/** False when nobody is there. Not allowed (a member that changed its user) counts as there. */
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
