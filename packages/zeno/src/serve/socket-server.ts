// `zeno serve --socket`: serves many clients over a Unix socket with one shared index. Only the owner can
// connect. A live server is never replaced, and only a stale socket is ever removed.
import { createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import path from 'node:path'
import { oneLine, reasonOf, usageError, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { streamWriter } from '@zee/core/lossless'
import { ensureFolder } from '@zee/core/folders'
import { listenOnUnixSocket, maxSocketPathBytes } from '@zee/core/unix-socket'
import { answerLines } from './answer-lines.ts'
import { serviceWithAccess } from './access-check.ts'
import { waitForSignal } from './stop-signal.ts'
import { openService } from '../service/service.ts'
import type { Service, ServiceSettings } from '../service/service.ts'
import { defaultSocketPath } from '../shared-server/shared-server.ts'

export interface SocketSettings extends ServiceSettings {
  /** A path, or `auto` for the default path of the root. */
  socket: string
}

export async function runServeSocket(settings: SocketSettings, host: Host): Promise<number> {
  const file = socketFile(settings, host)
  const stopped = waitForSignal()
  const shared = await openService({ ...settings, socket: undefined }, host)
  const clients = new Set<Socket>()
  let connections = 0
  try {
    const newClient = await serviceWithAccess(shared, settings, host)
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      clients.add(socket)
      void serveClient(socket, newClient(++connections), host).finally(() => clients.delete(socket))
    })
    const removeSocket = await listen(server, file)
    host.stderr.write(`zeno: listening on ${oneLine(file)}\n`)
    await stopped
    server.close()
    // Open connections would keep the process alive.
    for (const client of clients) client.destroy()
    removeSocket()
  } finally {
    await shared.close()
  }
  return 0
}

function socketFile({ socket, root, roots, fleet = [] }: SocketSettings, host: Host): string {
  if (socket === 'auto' && (roots !== undefined || fleet.length > 0)) {
    throw usageError('--socket auto is the socket of one root: pass a path')
  }
  const query = { root: path.resolve(host.cwd, root), env: host.env }
  const file = socket === 'auto' ? defaultSocketPath(query) : path.resolve(host.cwd, socket)
  if (socket === '' || file === undefined) {
    throw usageError('--socket needs a path: XDG_RUNTIME_DIR is not set')
  }
  if (Buffer.byteLength(file) > maxSocketPathBytes) {
    throw usageError(`--socket: ${oneLine(file)} is longer than ${maxSocketPathBytes} bytes`)
  }
  return file
}

/** Listens on `file` unless a live server already does. Returns how to remove the file. */
async function listen(server: Server, file: string): Promise<() => void> {
  try {
    ensureFolder(path.dirname(file), 0o700)
    const claim = await listenOnUnixSocket(server, file, { mode: 0o600, lockWaitMs: 10_000 })
    if (claim.kind === 'listening') return claim.remove
    const reason =
      claim.kind === 'in_use'
        ? `another server is listening on ${oneLine(file)}`
        : `${oneLine(file)} already exists and is not a socket`
    throw new ZeeError('socket', reason)
  } catch (error) {
    if (error instanceof ZeeError) throw error
    const message = `cannot listen on ${oneLine(file)}: ${reasonOf(error)}`
    throw new ZeeError('socket', message, { cause: error })
  }
}

/** Answers one client until it closes its side. A disconnect cancels the request in progress. */
async function serveClient(socket: Socket, client: Service, host: Host): Promise<void> {
  const disconnected = new AbortController()
  socket.once('close', () => disconnected.abort())
  socket.on('error', () => socket.destroy())
  const service = withDisconnectProbe(client, socket)
  // A client may close its sending side (half-close) and still wait for answers.
  const input = socket.iterator({ destroyOnReturn: false })
  try {
    await answerLines(service, input, { write: streamWriter(socket), signal: disconnected.signal })
    socket.end()
  } catch (error) {
    if (!disconnected.signal.aborted) host.stderr.write(`zeno: ${oneLine(reasonOf(error))}\n`)
    socket.destroy()
  }
}

/** Interval between checks for a disconnected client. */
const probeMs = 10

/**
 * Detects a disconnect while a request runs. Reading cannot distinguish a half-closed client from one that
 * has left; an empty write fails with EPIPE only if the client has left.
 */
function withDisconnectProbe(service: Service, socket: Socket): Service {
  return {
    async answer(request, signal) {
      const probe = setInterval(() => socket.write(''), probeMs)
      try {
        return await service.answer(request, signal)
      } finally {
        clearInterval(probe)
      }
    },
  }
}
