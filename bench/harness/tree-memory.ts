// Peak memory of a whole process group, from /proc: the largest sum of VmHWM over the processes that
// were alive together. VmHWM is the kernel's own high-water mark, so a rare sample is enough.
import { readdirSync, readFileSync } from 'node:fs'

/** Samples the group led by `leader`, without the leader itself; returns MiB when stopped. */
export function watchGroupMemory(leader: number, everyMs = 3): () => number | undefined {
  let largestKib = 0
  let before = new Set<string>()
  const timer = setInterval(() => {
    const members = groupMembers(leader)
    // Just forked, a process still has its parent's memory: it counts from the second look on.
    const settled = members.filter((pid) => before.has(pid))
    before = new Set(members)
    const sum = settled.reduce((total, pid) => total + peakKib(pid), 0)
    largestKib = Math.max(largestKib, sum)
  }, everyMs)
  return () => {
    clearInterval(timer)
    return largestKib === 0 ? undefined : largestKib / 1024
  }
}

/** The high-water mark of one process; 0 when it is gone or there is no /proc. */
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
  // The name in parentheses may hold anything, so count from behind it: state, parent, group.
  const stat = read(`/proc/${pid}/stat`)
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2])
}

/** Empty when the process is gone. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
