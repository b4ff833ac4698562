// Signals a child and everything it started. Each child leads its own session; `timeout` and `set -m`
// create further process groups in it, so stopping a child means signalling the whole session and the
// processes that left it.
import { errnoOf } from '../../errors/errors.ts'
import { liveProcesses, Strays } from './strays.ts'

export { markVariable } from './strays.ts'

const firstPollMs = 2
const maxPollMs = 50
// KILL cannot be ignored, but a process in uninterruptible disk wait dies only after the wait.
const killWaitMs = 500

export class ProcessGroup {
  readonly pid: number
  readonly #strays: Strays
  #hasLeaderEnded = false
  #isGone = false

  /** `mark` is in the environment of the child, if it has one. */
  constructor(pid: number, mark?: string) {
    this.pid = pid
    this.#strays = new Strays(pid, mark)
  }

  /** Call this when the child itself was reaped: from then on its pid may be reused. */
  leaderEnded(): void {
    this.#hasLeaderEnded = true
  }

  /** Signals the child's own process group, as a terminal does. */
  signal(signal: NodeJS.Signals): boolean {
    // Once the child has ended, nothing shows the processes that it started in other sessions.
    const left = this.#left()
    if (signal === 'SIGKILL') for (const stray of left?.strays ?? []) send(stray, signal)
    return this.#isOurs() && send(-this.pid, signal)
  }

  /** Whether the session, or a process that left it, is alive. */
  isAlive(): boolean {
    // Scanning /proc is expensive; a child that was not reaped counts as alive.
    if (!this.#hasLeaderEnded) return true
    const left = this.#left()
    if (left === undefined) return this.#isOurs() && send(-this.pid, 0)
    return left.groups.size > 0 || left.strays.length > 0
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
    const left = this.#left()
    for (const stray of left?.strays ?? []) send(stray, signal)
    if (!this.#isOurs()) return
    for (const group of left?.groups ?? [this.pid]) send(-group, signal)
  }

  /**
   * A group's number is not given to another process while the group has a member. So if the child
   * was reaped and a process with its pid exists, the group is empty and the pid was reused.
   */
  #isOurs(): boolean {
    if (this.#hasLeaderEnded && !this.#isGone && send(this.pid, 0)) this.#isGone = true
    return !this.#isGone
  }

  /** The live groups of the session and the processes that left it; undefined without /proc. */
  #left(): { groups: Set<number>; strays: readonly number[] } | undefined {
    const processes = liveProcesses()
    if (processes === undefined) return undefined
    const [groups, members] = [new Set<number>(), new Set<number>()]
    if (this.#isOurs()) {
      for (const [pid, { session, group }] of processes) {
        if (session !== this.pid && group !== this.pid) continue
        groups.add(group)
        members.add(pid)
      }
    }
    return { groups, strays: this.#strays.find(processes, members) }
  }
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
