// Checks whether a process still runs.
import { readFileSync } from 'node:fs'

/** False for an ended process, including a zombie. */
export function isRunning(pid: number | string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return !/[ZX]/.test(stat.charAt(stat.lastIndexOf(')') + 2))
  } catch {
    return false
  }
}
