// What /proc says about a process.
import { readFileSync } from 'node:fs'

export interface ProcessStat {
  /** One letter: `R` for running, `Z` for a zombie and so on. */
  state: string
  group: number
  session: number
  /** Start in ticks since boot. */
  started: string
}

/** Undefined when there is no such process, or no /proc. */
export function processStat(pid: number | string): ProcessStat | undefined {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return undefined
  }
  // The name in brackets may hold anything, brackets included; the fields follow the last one.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ', 20)
  const [state, started] = [fields[0], fields[19]]
  if (state === undefined || started === undefined) return undefined
  return { state, group: Number(fields[2]), session: Number(fields[3]), started }
}

/** It has ended, although its number is still taken. */
export function isZombie({ state }: ProcessStat): boolean {
  return state === 'Z' || state === 'X'
}
