// The sessions whose files a process has open, from /proc: zdx keeps the file of a working session open.
import { readdirSync, readlinkSync, realpathSync } from 'node:fs'
import path from 'node:path'

/** The ids of the open sessions; undefined on systems without /proc. */
export function openSessions(folder: string): string[] | undefined {
  const processes = namesIn('/proc').filter((name) => /^\d+$/.test(name))
  if (processes.length === 0) return undefined
  let real: string
  try {
    real = realpathSync(folder)
  } catch {
    return []
  }
  const files = processes.flatMap((pid) => namesIn(`/proc/${pid}/fd`).map((fd) => linkOf(pid, fd)))
  const names = files
    .filter((file) => path.dirname(file) === real && file.endsWith('.jsonl'))
    .map((file) => path.basename(file, '.jsonl'))
  return [...new Set(names)]
}

/** Empty for processes of other users and for processes that have ended. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function linkOf(pid: string, descriptor: string): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/${descriptor}`)
  } catch {
    return ''
  }
}
