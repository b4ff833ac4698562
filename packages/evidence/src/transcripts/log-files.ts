// Lists the log files of an agent.
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'

/** Larger logs are not read, because a session is built in memory. */
export const maxLogBytes = 256 * 1024 * 1024
const maxDepth = 6

export interface LogFile {
  file: string
  bytes: number
}

/** Sorted by name. A named file is a log whatever its name is. */
export function filesBelow(place: string, isLog: (name: string) => boolean, depth = 0): LogFile[] {
  const stats = statSync(place, { throwIfNoEntry: false })
  if (stats === undefined) return []
  if (stats.isFile()) return [{ file: place, bytes: stats.size }]
  if (!stats.isDirectory() || depth > maxDepth) return []
  return readdirSync(place, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const inner = path.join(place, entry.name)
      const isWanted = entry.isDirectory() || (entry.isFile() && isLog(entry.name))
      return isWanted ? filesBelow(inner, isLog, depth + 1) : []
    })
}
