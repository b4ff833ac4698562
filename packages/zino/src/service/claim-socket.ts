// Claims the socket path of a service: creates the folder, listens, and says why it cannot.
import { statSync } from 'node:fs'
import type { Server } from 'node:net'
import path from 'node:path'
import { fileError, ZeeError } from '@zee/core/errors'
import { listenOnUnixSocket } from '@zee/core/unix-socket'
import { makeFolder } from '../make-folder.ts'
import { checkSocketPath } from '../wire/wire.ts'

const listenOptions = { mode: 0o660, backlog: 4096, lockWaitMs: 5000 }

/** Makes `server` listen at `socketPath`, or throws a ZeeError with the reason. Returns how to remove the file. */
export async function claimSocket(server: Server, socketPath: string): Promise<() => void> {
  checkSocketPath(socketPath)
  makeFolder(path.dirname(socketPath), 0o750, 'the socket folder')
  assertOwnFolder(path.dirname(socketPath))
  const claim = await listenOnUnixSocket(server, socketPath, listenOptions).catch(
    (error: unknown) => {
      throw error instanceof ZeeError ? error : fileError('listen at', socketPath, error)
    },
  )
  if (claim.kind === 'listening') return claim.remove
  if (claim.kind === 'in_use') {
    throw new ZeeError('in_use', `a service is already running at ${socketPath}`)
  }
  throw new ZeeError(
    'not_a_socket',
    `${socketPath} exists and is not a socket: move it away or choose another path`,
  )
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
