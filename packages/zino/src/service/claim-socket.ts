// Claims a socket path for this process: creates the folder and removes the socket of a dead service.
// A live service's socket and files of other types are never touched. The socket has no rights for
// others from the moment of bind(2), whatever the umask.
import { lstatSync, statSync, unlinkSync } from 'node:fs'
import type { Server } from 'node:net'
import { createConnection } from 'node:net'
import path from 'node:path'
import { errnoOf, fileError, ZeeError } from '@zee/core/errors'
import { makeFolder } from '../make-folder.ts'
import { checkSocketPath } from '../wire/wire.ts'

const socketUmask = 0o117
const backlog = 4096
const lockWaitMs = 5000

/** Makes `server` listen at `socketPath`, or throws a ZeeError with the reason. */
export async function claimSocket(server: Server, socketPath: string): Promise<void> {
  checkSocketPath(socketPath)
  makeFolder(path.dirname(socketPath), 0o750, 'the socket folder')
  assertOwnFolder(path.dirname(socketPath))
  // Without an existing file no lock is needed: the kernel lets only one process bind.
  if (await listen(server, socketPath)) return
  const { withLock } = await import('@zee/core/lock')
  // The lock keeps two starting services from removing each other's new socket.
  await withLock(`${socketPath}.lock`, { waitMs: lockWaitMs }, async () => {
    await removeLeftover(socketPath)
    if (await listen(server, socketPath)) return
    throw inUseError(socketPath)
  })
}

/** Another user who owns the folder could put a socket of their own in place of ours. */
function assertOwnFolder(folder: string): void {
  const user = process.getuid?.()
  const { uid, mode } = statSync(folder)
  const isForeign = user !== undefined && uid !== user && uid !== 0
  const isOpen = (mode & 0o002) !== 0 && (mode & 0o1000) === 0
  if (!isForeign && !isOpen) return
  const why = isForeign ? 'belongs to another user' : 'is writable by all users'
  throw new ZeeError('foreign_folder', `the socket folder ${folder} ${why}: choose another one`)
}

/** Resolves to false when the path is in use. */
function listen(server: Server, socketPath: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error) => {
      server.removeListener('listening', onListening)
      if (errnoOf(error) === 'EADDRINUSE') resolve(false)
      else reject(fileError('listen at', socketPath, error))
    }
    const onListening = () => {
      server.removeListener('error', onError)
      resolve(true)
    }
    server.once('error', onError)
    server.once('listening', onListening)
    // listen() binds synchronously, so the umask applies to it and to nothing else.
    const before = process.umask(socketUmask)
    try {
      server.listen({ path: socketPath, backlog })
    } finally {
      process.umask(before)
    }
  })
}

async function removeLeftover(socketPath: string): Promise<void> {
  try {
    if (!lstatSync(socketPath).isSocket()) {
      throw new ZeeError(
        'not_a_socket',
        `${socketPath} exists and is not a socket: move it away or choose another path`,
      )
    }
    if (await isLive(socketPath)) throw inUseError(socketPath)
    unlinkSync(socketPath)
  } catch (error) {
    if (error instanceof ZeeError) throw error
    if (errnoOf(error) !== 'ENOENT') throw fileError('remove the leftover', socketPath, error)
  }
}

function isLive(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ path: socketPath })
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

function inUseError(socketPath: string): ZeeError {
  return new ZeeError('in_use', `a service is already running at ${socketPath}`)
}
