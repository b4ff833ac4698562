// Sockets of other programs, which could do for a script what the script may not do itself.
import { readFileSync } from 'node:fs'
import { socketFile } from '@zee/core/unix-socket'

/** More are masked by their folder /run anyway. */
const maxSockets = 200

/** Paths of the Unix sockets of this machine, outside the folders that are masked as a whole. */
export function listeningSockets(): string[] {
  let table: string
  try {
    table = readFileSync('/proc/net/unix', 'utf8')
  } catch {
    return []
  }
  const paths = table
    .split('\n')
    .flatMap((line) => /^\S+: \S+ \S+ \S+ \S+ \S+ +\d+ (\/.*)$/.exec(line)?.[1] ?? [])
  const distinct = [...new Set(paths.map(socketFile))].filter(
    (each) => !/^\/(?:var\/)?run\//.test(each),
  )
  return distinct.slice(0, maxSockets)
}
