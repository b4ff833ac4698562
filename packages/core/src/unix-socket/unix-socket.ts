// Listens on a Unix socket. A socket refuses connections between bind(2) and listen(2), so it is bound under
// a temporary name and gets its own once it accepts: a client may wait for the file. A live server is never
// replaced, and no file but the socket of a dead server is removed.
import { linkSync, lstatSync, renameSync, unlinkSync } from 'node:fs'
import type { Server } from 'node:net'
import { createConnection } from 'node:net'
import path from 'node:path'
import { errnoOf } from '../errors/errors.ts'
import { randomHex } from '../ids/ids.ts'

export interface UnixSocketOptions {
  /** Rights of the socket from bind(2) on, whatever the umask. */
  mode: number
  backlog?: number
  /** Limit of the wait for another process that claims the path of a dead server. */
  lockWaitMs: number
}

export type UnixSocketClaim =
  | { kind: 'listening'; remove(): void }
  | { kind: 'in_use' }
  | { kind: 'not_a_socket' }

/** sun_path holds a terminating NUL too; a longer path would be truncated silently. */
export const maxSocketPathBytes = process.platform === 'linux' ? 107 : 103

/** Makes `server` listen at `file`. `remove` removes the file unless another server has replaced it. */
export async function listenOnUnixSocket(
  server: Server,
  file: string,
  options: UnixSocketOptions,
): Promise<UnixSocketClaim> {
  const bound = nameUntilReady(file)
  if (bound !== file) await listen(server, bound, options)
  const publish = () => (bound === file ? listen(server, file, options) : moveName(bound, file))
  let claim: UnixSocketClaim | undefined
  try {
    // Without an existing file no lock is needed: only one process can create it.
    claim = (await publish()) ? listening(file) : await replaceLeftover(file, publish, options)
    return claim
  } finally {
    // Closing the server removes the temporary name.
    if (claim?.kind !== 'listening') server.close()
  }
}

/** The lock keeps two starting servers from removing each other's new socket. */
async function replaceLeftover(
  file: string,
  publish: () => boolean | Promise<boolean>,
  { lockWaitMs }: UnixSocketOptions,
): Promise<UnixSocketClaim> {
  const { withLock } = await import('../lock/lock.ts')
  return withLock(`${file}.lock`, { waitMs: lockWaitMs }, async () => {
    const obstacle = await removeLeftover(file)
    if (obstacle !== undefined) return { kind: obstacle }
    return (await publish()) ? listening(file) : { kind: 'in_use' }
  })
}

/**
 * Contains the final name, because the kernel's table of sockets (/proc/net/unix, `ss -x`) shows this one for
 * good. A folder without room for it gets the final name at once.
 */
function nameUntilReady(file: string): string {
  const name = path.join(path.dirname(file), `.${path.basename(file)}.${randomHex(3)}`)
  return Buffer.byteLength(name) > maxSocketPathBytes ? file : name
}

/** The file of a socket that the kernel's table lists as `bound`. */
export function socketFile(bound: string): string {
  const [, name] = /^\.(.+)\.[0-9a-f]{6}$/.exec(path.basename(bound)) ?? []
  return name === undefined ? bound : path.join(path.dirname(bound), name)
}

/** Resolves to false when the path is in use. */
function listen(
  server: Server,
  file: string,
  { mode, backlog }: UnixSocketOptions,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error) => {
      server.removeListener('listening', onListening)
      if (errnoOf(error) === 'EADDRINUSE') resolve(false)
      else reject(error)
    }
    const onListening = () => {
      server.removeListener('error', onError)
      resolve(true)
    }
    server.once('error', onError)
    server.once('listening', onListening)
    // listen() binds synchronously, so the umask applies to it and to nothing else.
    const before = process.umask(0o777 & ~mode)
    try {
      server.listen({ path: file, backlog })
    } finally {
      process.umask(before)
    }
  })
}

/** Returns false when `file` exists: unlike a rename, a link never replaces it. */
function moveName(bound: string, file: string): boolean {
  try {
    linkSync(bound, file)
    unlinkSync(bound)
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false
    // A file system without hard links.
    if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) return false
    renameSync(bound, file)
    return true
  }
}

/** Removes the socket of a dead server; returns what else stands in the way. */
async function removeLeftover(file: string): Promise<'in_use' | 'not_a_socket' | undefined> {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (stats === undefined) return undefined
  if (!stats.isSocket()) return 'not_a_socket'
  if (await isLive(file)) return 'in_use'
  try {
    unlinkSync(file)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
  }
  return undefined
}

function isLive(file: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ path: file })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    // Only ECONNREFUSED proves that the owner is dead; a full backlog or EACCES does not.
    socket.once('error', (error) => {
      const errno = errnoOf(error)
      resolve(errno !== 'ECONNREFUSED' && errno !== 'ENOENT')
    })
  })
}

/** Of all sockets of this process: at its end Node removes only the names under which they were bound. */
const removals = new Set<() => void>()
let hasExitListener = false

function listening(file: string): UnixSocketClaim {
  const { dev, ino } = lstatSync(file, { bigint: true })
  const remove = () => {
    removals.delete(remove)
    try {
      const found = lstatSync(file, { bigint: true })
      if (found.dev === dev && found.ino === ino) unlinkSync(file)
    } catch {
      // Already removed, or left for the next server to remove.
    }
  }
  removals.add(remove)
  if (!hasExitListener) process.once('exit', () => removals.forEach((each) => each()))
  hasExitListener = true
  return { kind: 'listening', remove }
}
