// Tells a service that is being restarted from one that is not there. A killed service leaves its socket
// file; an absent one under a running supervisor is about to be started again.
import { createConnection } from 'node:net'
import path from 'node:path'
import { errnoOf } from '@zee/core/errors'

/** The longest wait of a request for a service that is being restarted. */
export const restartWaitMs = 5000

/** The supervisor's control socket is next to the sockets of the services. */
const controlSocketName = 'control.sock'

export function controlSocketBeside(socketPath: string): string {
  return path.join(path.dirname(socketPath), controlSocketName)
}

/** Whether to try again after this error of a connect. */
export async function isRestarting(socketPath: string, error: unknown): Promise<boolean> {
  const errno = errnoOf(error)
  if (errno === 'ECONNREFUSED') return true
  if (errno !== 'ENOENT') return false
  const control = controlSocketBeside(socketPath)
  return control !== socketPath && canConnect(control)
}

function canConnect(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ path: socketPath })
    const settle = (isConnected: boolean) => {
      socket.destroy()
      resolve(isConnected)
    }
    socket.once('connect', () => settle(true)).once('error', () => settle(false))
  })
}
