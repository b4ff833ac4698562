// Reads /proc/<pid>/stat. `zcl run` reads that of every ancestor, so one read of a fixed size is enough.
import { closeSync, openSync, readSync } from 'node:fs'

export interface ProcessStat {
  /** One letter, such as `R` for running or `Z` for a zombie. */
  state: string
  parent: number
  group: number
  session: number
  /** Start time in clock ticks since boot. */
  started: string
}

/** Undefined when the process or /proc does not exist. */
export function processStat(pid: number | string): ProcessStat | undefined {
  const text = statText(pid)
  if (text === undefined) return undefined
  // The process name may contain parentheses; the fields follow the last one.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ', 20)
  const [state, started] = [fields[0], fields[19]]
  if (state === undefined || started === undefined) return undefined
  const [parent, group, session] = [fields[1], fields[2], fields[3]].map(Number)
  return { state, parent: parent ?? 0, group: group ?? 0, session: session ?? 0, started }
}

/** A line has 52 numbers of at most 20 digits and a name of at most 64 bytes. */
const line = Buffer.allocUnsafe(2048)

function statText(pid: number | string): string | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(`/proc/${pid}/stat`, 'r')
    return line.toString('latin1', 0, readSync(descriptor, line))
  } catch {
    return undefined
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** Whether the process has ended but its parent has not reaped it. */
export function isZombie({ state }: ProcessStat): boolean {
  return state === 'Z' || state === 'X'
}
