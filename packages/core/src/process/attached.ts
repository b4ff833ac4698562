// A session that another process started: found again by the pid of its leader, for example after the
// program that started it was restarted.
import { currentProcess, isZombie, processStat } from '../identity/identity.ts'
import { ProcessGroup } from './group/group.ts'

export interface AttachedSession {
  /** Whether its leader runs; a reused pid that leads no session does not count. */
  isAlive(): boolean
  /** TERM, then KILL after the grace time, to all of its processes. */
  stop(graceMs: number): Promise<void>
}

export function attachSession(pid: number): AttachedSession {
  const isAlive = () => {
    const stat = processStat(pid)
    return stat !== undefined && !isZombie(stat) && stat.session === pid
  }
  return {
    isAlive,
    stop: async (graceMs) => {
      if (isAlive()) await new ProcessGroup(pid).stop(graceMs)
    },
  }
}

/** New after every boot; empty where the system has none. Pids of another boot mean nothing. */
export function bootId(): string {
  return currentProcess().boot
}
