// Whether processes that a program started are still there.
import { readFileSync } from 'node:fs'

/** False for one that has ended, also while nobody has taken note of its end. */
export function isRunning(pid: number | string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return !/[ZX]/.test(stat.charAt(stat.lastIndexOf(')') + 2))
  } catch {
    return false
  }
}
