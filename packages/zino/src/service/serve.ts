// Hosts a service on its socket. A stop has bounded duration: the socket file is removed, running
// requests finish or receive an error, and no new request is accepted.
import { createServer } from 'node:net'
import type { Logger } from '@zee/core/log'
import { waitAtMost } from '../lifecycle/lifecycle.ts'
import { claimSocket } from './claim-socket.ts'
import { Connection } from './connection.ts'
import type { Service } from './service.ts'

export interface ServeOptions {
  path: string
  log: Logger
  maxFrameBytes?: number | undefined
  /** Upper bound for the service's own drainMs. */
  drainMs?: number | undefined
}

export interface RunningService {
  /** Stops accepting, lets running requests finish within drainMs, then fails them. */
  stop(): Promise<void>
}

const defaultDrainMs = 1600
/** Time for failed requests to clean up and send their error. */
const failureMs = 500

export async function serve(service: Service, options: ServeOptions): Promise<RunningService> {
  const connections = new Set<Connection>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const connection = new Connection(socket, { service, ...options })
    connections.add(connection)
    void connection.finished.then(() => connections.delete(connection))
  })
  const removeSocket = await claimSocket(server, options.path)
  server.on('error', (error) => options.log.error(`cannot accept a connection: ${error.message}`))

  const drainMs = Math.min(service.drainMs ?? defaultDrainMs, options.drainMs ?? Infinity)
  const allFinished = () => Promise.all([...connections].map(({ finished }) => finished))
  const stop = async () => {
    removeSocket()
    server.close()
    for (const connection of connections) connection.finish()
    await waitAtMost(allFinished(), drainMs)
    for (const connection of connections) connection.fail('the service is stopping')
    await waitAtMost(allFinished(), failureMs)
    for (const connection of connections) connection.destroy()
    await service.close?.()
  }
  let stopping: Promise<void> | undefined
  return { stop: () => (stopping ??= stop()) }
}
