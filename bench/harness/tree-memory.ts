// Peak memory of a process group, from /proc: the maximum sum of VmHWM over processes alive at the
// same time. VmHWM is the kernel's own high-water mark, so infrequent samples are enough.
import { readdirSync, readFileSync } from 'node:fs'

/**
 * Samples the group of `leader` without the leader itself. The returned function stops and returns
 * MiB.
 */
export function watchGroupMemory(leader: number, intervalMs = 3): () => number | undefined {
  let peakSumKib = 0
  let previous = new Set<string>()
  const timer = setInterval(() => {
    const members = groupMembers(leader)
    // A process that was just forked still shows its parent's memory, so it counts from its second
    // sample.
    const settled = members.filter((pid) => previous.has(pid))
    previous = new Set(members)
    const sum = settled.reduce((total, pid) => total + peakKib(pid), 0)
    peakSumKib = Math.max(peakSumKib, sum)
  }, intervalMs)
  return () => {
    clearInterval(timer)
    return peakSumKib === 0 ? undefined : peakSumKib / 1024
  }
}

/** The high-water mark of one process; 0 when it has exited or there is no /proc. */
export function peakKib(pid: string): number {
  const mark = /^VmHWM:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))
  return mark === null ? 0 : Number(mark[1])
}

function groupMembers(leader: number): string[] {
  return listProcesses().filter((pid) => Number(pid) !== leader && groupOf(pid) === leader)
}

function listProcesses(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}

function groupOf(pid: string): number {
  // The name in parentheses may contain anything. The fields after it are state, parent, group.
  const stat = read(`/proc/${pid}/stat`)
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2])
}

/** Empty when the process has exited. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
